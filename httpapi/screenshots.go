package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/fields"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

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

func decodeScreenshot(f *fields.Set) (code string, o screenshot.Options) {
	f.Require("code")
	return f.Text("code"), screenshot.Options{
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
	}
}

// makeScreenshot returns the configuration, or the picture if the client's
// Accept prefers one.
func (s *server) makeScreenshot(q *request) (response, error) {
	code, o := decodeScreenshot(q.fields)
	o.Fonts, o.Themes = s.Fonts, s.Themes
	query, err := fields.ParseQuery(q.URL.RawQuery)
	if err != nil {
		return response{}, err
	}
	scale, unread := screenshot.ParseScale(cmp.Or(query.Get("scale"), strconv.Itoa(screenshot.DefaultScale)))
	query.Del("scale")
	drawn := o
	unknown := option.Of[screenshot.Options]().InQuery().SetStrict(&drawn, query)
	picture, illegal := screenshot.New(code, drawn)
	if err := q.fields.Check(errors.Join(unread, checkTheme(o.Theme, errors.Join(illegal, unknown)))); err != nil {
		return response{}, err
	}
	mediaType := negotiate.Preferred(q.Header.Values("Accept"), "application/json", "image/png", "image/svg+xml", "image/webp")
	if mediaType != "application/json" {
		return s.draw(q, picture, mediaType, scale)
	}
	link, err := picture.Link()
	if err != nil {
		return response{}, err
	}
	config := picture
	if len(query) > 0 {
		if config, err = screenshot.New(code, o); err != nil {
			return response{}, err
		}
	}
	return encodeJSON(screenshotResult{true, config, s.baseURL(q) + "/screenshot" + link})
}

// checkTheme adds to the errors in illegal that the body names a theme which is
// not one of the contract's. Only the parameter can name the others.
func checkTheme(name string, illegal error) error {
	themes := highlight.Themes()
	if name == "" || slices.Contains(themes, name) {
		return illegal
	}
	faults, _ := invalid.Of(illegal)
	faults = slices.DeleteFunc(faults, func(f *invalid.Fault) bool { return f.Field == "theme" })
	at := 0
	for at < len(faults) && faults[at].Field == "code" {
		at++
	}
	return slices.Insert(faults, at, &invalid.Fault{Field: "theme", Reason: "not_one_of", Message: "must be one of " + strings.Join(themes, ", ")}).Err()
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
		return response{}, &invalid.Fault{Field: "scale", Reason: "out_of_range", Message: "is too large for this picture: it would take too long to draw"}
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
