package httpapi

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"
)

// How long a body may take: silence between two reads, and in all. A client on
// a line of 200 kB/s sends the largest body in time.
const (
	bodySilence = 5 * time.Second
	bodyTotal   = 60 * time.Second
)

// readBody checks the media type and returns the body.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if err := checkMediaType(r.Header); err != nil {
		return nil, err
	}
	if r.ContentLength > MaxBody {
		return nil, tooLarge
	}
	control := http.NewResponseController(w)
	source := &timedReader{http.MaxBytesReader(w, r.Body, MaxBody), control, time.Now().Add(bodyTotal)}
	var b bytes.Buffer
	if r.ContentLength > 0 {
		b.Grow(int(min(r.ContentLength, 64<<10)) + bytes.MinRead)
	}
	_, err := b.ReadFrom(source)
	var exceeded *http.MaxBytesError
	switch {
	case errors.As(err, &exceeded):
		return nil, tooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, slowBody
	case err != nil:
		return nil, invalidJSON(b.Len(), "the body broke off")
	}
	// A deadline left behind would end the request while it is served.
	if err := control.SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return nil, err
	}
	return b.Bytes(), nil
}

// timedReader moves the read deadline of a connection along before each read.
type timedReader struct {
	body    io.Reader
	control *http.ResponseController
	end     time.Time
}

func (t *timedReader) Read(p []byte) (int, error) {
	deadline := time.Now().Add(bodySilence)
	if deadline.After(t.end) {
		deadline = t.end
	}
	if err := t.control.SetReadDeadline(deadline); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	return t.body.Read(p)
}

// checkMediaType accepts application/json in UTF-8, and no media type at all.
func checkMediaType(h http.Header) error {
	if coding := h.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return unsupportedMedia("the body must not be compressed, but Content-Encoding is " + clip(coding))
	}
	value := h.Get("Content-Type")
	if value == "" {
		return nil
	}
	mediaType, params, err := mime.ParseMediaType(value)
	if err != nil || mediaType != "application/json" {
		return unsupportedMedia("Content-Type must be application/json, not " + clip(value))
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return unsupportedMedia("the charset must be utf-8, not " + clip(charset))
	}
	return nil
}
