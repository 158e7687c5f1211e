package httpapi

import (
	"bytes"
	"context"
	"strconv"
	"time"

	"github.com/devkiln/devkiln/screenshot"
)

// screenshotRequest is the body of POST /api/v1/code-screenshot.
type screenshotRequest struct {
	code    string
	options screenshot.Options
}

// screenshotResult answers it.
type screenshotResult struct {
	Success bool              `json:"success"`
	Config  screenshot.Config `json:"config"`
	WebURL  string            `json:"webUrl"`
}

// Pictures are drawn at their scale in PNG pixels per CSS pixel, each in at
// most drawTime, and no more at a time than there are processors.
const (
	defaultScale = 2.0
	minScale     = 1.0
	maxScale     = 4.0
	drawTime     = 30 * time.Second
)

func decodeScreenshot(f *fields) screenshotRequest {
	f.required("code")
	return screenshotRequest{f.text("code"), screenshot.Options{
		Language:           f.text("language"),
		Theme:              f.word("theme"),
		Background:         f.filled("background", "too_short"),
		Padding:            f.number("padding"),
		FontSize:           f.number("fontSize"),
		HideLineNumbers:    f.denied("lineNumbers"),
		HideWindowControls: f.denied("windowControls"),
		WindowTitle:        f.text("windowTitle"),
		BorderRadius:       f.number("borderRadius"),
		HideShadow:         f.denied("shadow"),
	}}
}

func checkScreenshot(in screenshotRequest) error {
	_, err := screenshot.New(in.code, in.options)
	return err
}

// makeScreenshot answers the configuration, or the picture if the caller's
// Accept asks for one.
func (s *server) makeScreenshot(ctx context.Context, c caller, in screenshotRequest) (any, error) {
	scale, err := pictureScale(c.request.URL.Query().Get("scale"))
	config, configErr := screenshot.New(in.code, in.options)
	if details := addFaults(detailsOf(err), detailsOf(configErr)); len(details) > 0 {
		return nil, validationFailed(details)
	}
	mediaType := preferred(c.request.Header.Values("Accept"), "application/json", "image/png", "image/svg+xml")
	if mediaType != "application/json" {
		return s.draw(ctx, config, mediaType, scale)
	}
	fragment, err := config.Fragment()
	if err != nil {
		return nil, err
	}
	return screenshotResult{true, config, c.base() + "/screenshot#" + fragment}, nil
}

// draw draws a picture in memory, so that what cannot be drawn is still an
// error.
func (s *server) draw(ctx context.Context, config screenshot.Config, mediaType string, scale float64) (opaque, error) {
	ctx, cancel := context.WithTimeout(ctx, drawTime)
	defer cancel()
	select {
	case s.drawing <- struct{}{}:
		defer func() { <-s.drawing }()
	case <-ctx.Done():
		return opaque{}, ctx.Err()
	}
	var b bytes.Buffer
	var err error
	if mediaType == "image/png" {
		err = config.WritePNG(ctx, &b, scale)
	} else {
		err = config.WriteSVG(ctx, &b)
	}
	return opaque{mediaType, b.Bytes()}, err
}

// pictureScale reads the scale out of a query.
func pictureScale(value string) (float64, error) {
	if value == "" {
		return defaultScale, nil
	}
	scale, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil:
		return 0, fault{"scale", "invalid_type", "must be a number, not " + strconv.Quote(clip(value))}
	case !(scale >= minScale && scale <= maxScale):
		return 0, fault{"scale", "out_of_range", "must be from 1 to 4"}
	}
	return scale, nil
}
