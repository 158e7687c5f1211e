package httpapi

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/drawing"
	"github.com/devkiln/devkiln/httpapi/internal/fields"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/screenshot"
)

// screenshotRequest is the body of POST /api/v1/code-screenshot.
type screenshotRequest struct {
	code    string
	options screenshot.Options
}

// screenshotResult is the response to it.
type screenshotResult struct {
	Success bool              `json:"success"`
	Config  screenshot.Config `json:"config"`
	WebURL  string            `json:"webUrl"`
}

// Pictures are drawn at their scale in PNG pixels per CSS pixel, each in at
// most drawTime, the wait for its turn included.
const (
	defaultScale = 2.0
	drawTime     = 30 * time.Second
	maxWork      = 10 * time.Second // of a picture, as it is estimated

	// pixelsPerByte is how well pictures are compressed: the largest of them
	// have 16 pixels for each byte.
	pixelsPerByte = 16
)

func decodeScreenshot(f *fields.Set) screenshotRequest {
	f.Require("code")
	return screenshotRequest{f.Text("code"), screenshot.Options{
		Language:           f.Text("language"),
		Theme:              f.Word("theme"),
		Background:         f.Filled("background", "too_short"),
		Padding:            f.Number("padding"),
		FontSize:           f.Number("fontSize"),
		HideLineNumbers:    f.IsFalse("lineNumbers"),
		HideWindowControls: f.IsFalse("windowControls"),
		WindowTitle:        f.Text("windowTitle"),
		BorderRadius:       f.Number("borderRadius"),
		HideShadow:         f.IsFalse("shadow"),
	}}
}

// makeScreenshot makes the configuration, or the picture if the caller's Accept
// asks for one.
func (s *server) makeScreenshot(q *request) (response, error) {
	in := decodeScreenshot(q.fields)
	in.options.Fonts, in.options.Themes = s.Fonts, s.Themes
	query, err := fields.ParseQuery(q.URL.RawQuery)
	if err != nil {
		return response{}, err
	}
	scale := decodeScale(q.fields, query.Get("scale"))
	query.Del("scale")
	config, picture, err := withExtras(in, query)
	if err := q.fields.Check(err); err != nil {
		return response{}, err
	}
	mediaType := negotiate.Preferred(q.Header.Values("Accept"), "application/json", "image/png", "image/svg+xml", "image/webp")
	if mediaType != "application/json" {
		return s.draw(q, picture, mediaType, scale)
	}
	fragment, err := picture.Fragment()
	if err != nil {
		return response{}, err
	}
	studio := url.URL{Path: "/screenshot", RawQuery: picture.Values().Encode()}
	return encodeJSON(screenshotResult{true, config, s.baseURL(q) + studio.String() + "#" + fragment})
}

// withExtras returns the configuration of a request, and what is drawn of it:
// with what the parameters in its query add.
func withExtras(in screenshotRequest, query url.Values) (config, picture screenshot.Config, err error) {
	config, err = screenshot.New(in.code, in.options)
	if len(query) == 0 {
		return config, config, err
	}
	unread := in.options.SetValues(query)
	picture, illegal := screenshot.New(in.code, in.options)
	faults, _ := invalid.Of(errors.Join(err, unread))
	more, _ := invalid.Of(illegal)
	all := faults.With(more)
	for _, bad := range all {
		bad.Field = clip(bad.Field)
	}
	return config, picture, all.Err()
}

// draw draws a picture in memory when its turn has come.
func (s *server) draw(q *request, config screenshot.Config, mediaType string, scale float64) (response, error) {
	cost := config.Cost(scale)
	encoding := int64(0) // bytes that an encoder holds
	switch mediaType {
	case "image/svg+xml":
		cost = config.Cost(screenshot.MinScale)
	case "image/webp":
		encoding = cost.WebP().Memory - cost.Memory
		cost = cost.WebP()
	}
	if mediaType != "image/svg+xml" && cost.Work > maxWork {
		return response{}, &invalid.Input{Field: "scale", Reason: "out_of_range", Message: "is too large for this picture: it would take too long to draw"}
	}
	if err := q.lease.Grow(encoding + int64(cost.Pixels/pixelsPerByte)); err != nil {
		return response{}, err
	}
	ctx, cancel := context.WithTimeout(q.Context(), drawTime)
	defer cancel()
	var file bytes.Buffer
	err := s.drawings.Do(ctx, "key/"+q.key.ID, cost.Work, func() error {
		config.Workers = drawing.Workers(ctx, cost.Work)
		picture, err := config.Picture()
		if err != nil {
			return err
		}
		warn(q.recorder.Header(), picture.Warnings())
		switch mediaType {
		case "image/png":
			return picture.WritePNG(ctx, &file, scale)
		case "image/webp":
			return picture.WriteWebP(ctx, &file, scale)
		default:
			return picture.WriteSVG(ctx, &file)
		}
	})
	return response{mediaType: mediaType, data: file.Bytes()}, err
}

// warn says what a picture does not show as it should, with the code for what
// has none of its own (RFC 7234, section 5.5.7).
func warn(h http.Header, warnings []string) {
	for _, text := range warnings {
		h.Add("Warning", "199 devkiln "+strconv.Quote(text))
	}
}

// decodeScale reads the scale out of a query.
func decodeScale(f *fields.Set, value string) float64 {
	if value == "" {
		return defaultScale
	}
	scale, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil:
		f.Reject("scale", "invalid_type", "must be a number, not "+strconv.Quote(clip(value)))
	case !(scale >= screenshot.MinScale && scale <= screenshot.MaxScale):
		f.Reject("scale", "out_of_range", "must be from 1 to 4")
	}
	return scale
}
