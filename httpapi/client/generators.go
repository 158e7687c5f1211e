package client

import (
	"context"
	"net/http"
)

// GradientRequest is a request for a gradient. Only Colors is required.
type GradientRequest struct {
	Colors    []string  `json:"colors"`              // 2 to 10, as #RRGGBB
	Type      string    `json:"type,omitempty"`      // "linear", the default, or "radial"
	Angle     *float64  `json:"angle,omitempty"`     // degrees; nil means 90
	Positions []float64 `json:"positions,omitempty"` // percent, one for each colour; nil spreads them evenly
}

// Gradient is a gradient in CSS.
type Gradient struct {
	CSS             string   `json:"css"`             // a value
	CSSWithPrefixes string   `json:"cssWithPrefixes"` // declarations, one a line
	Colors          []string `json:"colors"`          // in lower case
	Type            string   `json:"type"`
}

// Gradient builds a CSS gradient.
func (c *Client) Gradient(ctx context.Context, in GradientRequest) (Gradient, error) {
	return call[Gradient](ctx, c, exchange{method: http.MethodPost, path: "/api/v1/gradient-generator", in: in})
}

// SlugRequest is a request for a slug. Only Text is required.
type SlugRequest struct {
	Text      string  `json:"text"`
	Separator *string `json:"separator,omitempty"` // nil means "-"
	Lowercase *bool   `json:"lowercase,omitempty"` // nil means true
}

// Slug returns the slug of a text. It is empty if the text has no characters
// that can be part of one.
func (c *Client) Slug(ctx context.Context, in SlugRequest) (string, error) {
	out, err := call[struct{ Result string }](ctx, c, exchange{method: http.MethodPost, path: "/api/v1/slug-generator", in: in})
	return out.Result, err
}
