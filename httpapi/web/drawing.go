package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/drawing"
	"github.com/devkiln/devkiln/httpapi/web/layout"
	"github.com/devkiln/devkiln/screenshot"
)

// Pictures for visitors take at most drawTime each, the wait for their turn
// included, and none is begun that would: nobody needs a key to ask for them.
const drawTime = 10 * time.Second

// drawn draws a picture when its turn has come, in the queue that the API uses
// too.
func drawn(r *http.Request, cost screenshot.Cost, draw func(context.Context) error) error {
	if cost.Work > drawTime {
		return busy
	}
	ctx, cancel := context.WithTimeout(r.Context(), drawTime)
	defer cancel()
	err := drawing.Do(ctx, cost.Work, func() error { return draw(ctx) })
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.Is(err, drawing.ErrBusy) {
		return busy
	}
	return err
}

var busy = layout.Failure{
	Status: http.StatusServiceUnavailable, Title: "The studio is busy",
	Text: "Many pictures are being drawn, or this one takes too long. Try again in a few seconds, or with less code.", RetryAfter: 5 * time.Second,
}
