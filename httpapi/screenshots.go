package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/fields"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// screenshotRequest is the body of POST /api/v1/code-screenshot.
type screenshotRequest struct {
	code    string
	options screenshot.Options
}

// screenshotResult is the response to a screenshotRequest.
type screenshotResult struct {
	Success bool              `json:"success"`
	Config  screenshot.Config `json:"config"`
	WebURL  string            `json:"webUrl"`
}

// Bounds of pictures. The scale is in PNG pixels per CSS pixel; drawTime
// includes the wait for a picture's turn.
const (
	drawTime = 30 * time.Second
	maxWork  = 10 * time.Second // estimated work of a picture

	// pixelsPerByte is how many pixels a byte of a compressed picture holds, as
	// measured on the largest ones.
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

// makeScreenshot returns the configuration, or the picture if the client's
// Accept prefers one.
func (s *server) makeScreenshot(q *request) (response, error) {
	in := decodeScreenshot(q.fields)
	in.options.Fonts, in.options.Themes = s.Fonts, s.Themes
	query, err := fields.ParseQuery(q.URL.RawQuery)
	if err != nil {
		return response{}, err
	}
	scale, unread := screenshot.ParseScale(cmp.Or(query.Get("scale"), strconv.Itoa(screenshot.DefaultScale)))
	query.Del("scale")
	picture, illegal := screenshot.NewWith(in.code, in.options, query)
	if err := q.fields.Check(clipped(errors.Join(unread, checkTheme(in.options.Theme, illegal)))); err != nil {
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
	config := picture
	if len(query) > 0 {
		if config, err = screenshot.New(in.code, in.options); err != nil {
			return response{}, err
		}
	}
	studio := url.URL{Path: "/screenshot", RawQuery: picture.Values().Encode()}
	return encodeJSON(screenshotResult{true, config, s.baseURL(q) + studio.String() + "#" + fragment})
}

// checkTheme adds to the errors in illegal that the body names a theme which is
// not one of the contract's. Only the parameter can name the others.
func checkTheme(name string, illegal error) error {
	themes := highlight.Themes()
	if name == "" || slices.Contains(themes, name) {
		return illegal
	}
	problems, _ := invalid.Of(illegal)
	problems = slices.DeleteFunc(problems, func(f *invalid.Input) bool { return f.Field == "theme" })
	at := 0
	for at < len(problems) && problems[at].Field == "code" {
		at++
	}
	return slices.Insert(problems, at, &invalid.Input{Field: "theme", Reason: "not_one_of", Message: "must be one of " + strings.Join(themes, ", ")}).Err()
}

// clipped shortens parameter names in an error that the client has chosen.
func clipped(err error) error {
	problems, _ := invalid.Of(err)
	for _, f := range problems {
		f.Field = clip(f.Field)
	}
	return problems.Err()
}

// draw waits for the turn of a picture and draws it in memory.
func (s *server) draw(q *request, config screenshot.Config, mediaType string, scale float64) (response, error) {
	cost := config.Cost(scale)
	encoding := int64(0) // bytes that the encoder holds
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
	err := q.lease.Do(ctx, cost.Work, func() error {
		config.Workers = q.lease.Workers(cost.Work)
		picture, err := config.Picture()
		if err != nil {
			return err
		}
		warnings := picture.Warnings()
		if smaller := picture.WebPWarning(scale); smaller != "" && mediaType == "image/webp" {
			warnings = append(warnings, smaller)
		}
		warn(q.recorder.Header(), warnings)
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

// warn adds a Warning for each defect of a picture, with the code for
// miscellaneous warnings (RFC 7234, section 5.5.5).
func warn(h http.Header, warnings []string) {
	for _, text := range warnings {
		h.Add("Warning", "199 devkiln "+strconv.Quote(text))
	}
}
