package client

import (
	"context"
	"net/http"
)

// Limits are the limits that a server sets for requests. Lengths are in
// characters.
type Limits struct {
	// BaseURL is the public URL of the server, before the path of a share; "" if
	// it has not been set.
	BaseURL   string `json:"baseUrl"`
	BodyBytes int    `json:"bodyBytes"`
	Rates     struct {
		Minute int `json:"minute"` // requests in any 60 seconds; 0 means no limit
		Day    int `json:"day"`    // requests on a UTC day; 0 means no limit
	} `json:"rates"`
	Gradient struct {
		Colors Extent   `json:"colors"`
		Types  []string `json:"types"`
	} `json:"gradient"`
	Log struct {
		Content    int      `json:"content"`
		TextBytes  int64    `json:"textBytes"` // maximum size of a log sent as text
		Title      int      `json:"title"`
		StatsBytes int      `json:"statsBytes"`
		Expiries   []string `json:"expiries"`
		Formats    []string `json:"formats"`
	} `json:"log"`
	Snippet struct {
		Code      int      `json:"code"`
		Title     int      `json:"title"`
		Expiries  []string `json:"expiries"`
		Languages []string `json:"languages"`
	} `json:"snippet"`
	Screenshot struct {
		Code         int      `json:"code"`
		WindowTitle  int      `json:"windowTitle"`
		Background   int      `json:"background"`
		Padding      Extent   `json:"padding"`
		FontSize     Extent   `json:"fontSize"`
		BorderRadius Extent   `json:"borderRadius"`
		Scale        Extent   `json:"scale"`
		Themes       []string `json:"themes"`    // values of ScreenshotRequest.Theme
		AllThemes    []string `json:"allThemes"` // values of the parameter theme, see Extras
	} `json:"screenshot"`
}

// Extent is the minimum and maximum of a value.
type Extent struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// Limits returns the limits that the server sets for requests with the client's
// key.
func (c *Client) Limits(ctx context.Context) (Limits, error) {
	return call[Limits](ctx, c, limitsRequest)
}

var limitsRequest = exchange{method: http.MethodGet, path: "/api/v1/limits"}
