package web

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"time"

	"github.com/devkiln/devkiln/httpapi/web/layout"
)

// Pictures for visitors take at most drawTime each, and half of the processors
// together: nobody needs a key to ask for them, and the API draws too.
const drawTime = 10 * time.Second

func newDrawing() chan struct{} {
	return make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))
}

// drawn waits for its turn and draws.
func (s *site) drawn(r *http.Request, draw func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(r.Context(), drawTime)
	defer cancel()
	select {
	case s.drawing <- struct{}{}:
		defer func() { <-s.drawing }()
	case <-ctx.Done():
		return busy
	}
	err := draw(ctx)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return busy
	}
	return err
}

var busy = layout.Failure{
	Status: http.StatusServiceUnavailable, Title: "The studio is busy",
	Text: "Many pictures are being drawn, or this one takes too long. Try again in a few seconds, or with less code.", RetryAfter: 5 * time.Second,
}
