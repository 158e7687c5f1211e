package client

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// ScreenshotRequest is a request for a picture of code or for its
// configuration. Only Code is required; nil and "" mean the server's defaults.
type ScreenshotRequest struct {
	Code           string   `json:"code"` // 1 to 50,000 characters
	Language       string   `json:"language,omitempty"`
	Theme          string   `json:"theme,omitempty"`        // dracula (the default), monokai, github-dark, night-owl, synthwave or ocean
	Background     string   `json:"background,omitempty"`   // a colour or gradient of CSS
	Padding        *float64 `json:"padding,omitempty"`      // 0 to 256 CSS pixels; nil means 64
	FontSize       *float64 `json:"fontSize,omitempty"`     // 6 to 72 CSS pixels; nil means 14
	BorderRadius   *float64 `json:"borderRadius,omitempty"` // 0 to 64 CSS pixels; nil means 12
	LineNumbers    *bool    `json:"lineNumbers,omitempty"`  // nil means true
	WindowControls *bool    `json:"windowControls,omitempty"`
	WindowTitle    string   `json:"windowTitle,omitempty"` // at most 200 characters
	Shadow         *bool    `json:"shadow,omitempty"`

	// Extras are further parameters of pictures, by their names in the API:
	// highlight=3,7-9, lines=10-20, wrap=80. They are not part of the returned
	// configuration, but of its URL.
	Extras url.Values `json:"-"`
}

// Screenshot is the configuration of a picture and the URL of the page that
// shows it.
type Screenshot struct {
	Config ScreenshotRequest `json:"config"` // the request with all defaults filled in
	WebURL string            `json:"webUrl"`
}

const screenshots = "/api/v1/code-screenshot"

// Screenshot returns the complete configuration of a picture.
func (c *Client) Screenshot(ctx context.Context, in ScreenshotRequest) (Screenshot, error) {
	return call[Screenshot](ctx, c, exchange{method: http.MethodPost, path: in.path(0), in: in})
}

// PNG returns a picture as a PNG with a scale of 1 to 4 pixels per CSS pixel; 0
// means 2.
func (c *Client) PNG(ctx context.Context, in ScreenshotRequest, scale float64) ([]byte, error) {
	return c.send(ctx, exchange{method: http.MethodPost, path: in.path(scale), accept: "image/png", in: in})
}

// WebP returns a picture as a lossless WebP of at most 1,600,000 pixels, about
// half as large as the PNG. A larger picture has a lower scale.
func (c *Client) WebP(ctx context.Context, in ScreenshotRequest, scale float64) ([]byte, error) {
	return c.send(ctx, exchange{method: http.MethodPost, path: in.path(scale), accept: "image/webp", in: in})
}

// SVG returns a picture as an SVG document.
func (c *Client) SVG(ctx context.Context, in ScreenshotRequest) ([]byte, error) {
	return c.send(ctx, exchange{method: http.MethodPost, path: in.path(0), accept: "image/svg+xml", in: in})
}

// path returns the path and query of a request, without a scale if it is 0.
func (r ScreenshotRequest) path(scale float64) string {
	query := make(url.Values)
	maps.Copy(query, r.Extras)
	if scale != 0 {
		query.Set("scale", strconv.FormatFloat(scale, 'g', -1, 64))
	}
	return strings.TrimSuffix(screenshots+"?"+query.Encode(), "?")
}
