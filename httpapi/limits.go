package httpapi

import (
	"slices"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share"
)

// limits is the response to GET /api/v1/limits: the bounds of requests, so that
// clients need not hard-code them.
type limits struct {
	Success bool `json:"success"`
	client.Limits
}

// readLimits returns the limits that apply to the requesting key.
func (s *server) readLimits(q *request) (response, error) {
	out := limits{Success: true}
	out.BodyBytes = maxBody
	if s.BaseURL != nil {
		out.BaseURL = s.baseURL(q)
	}
	out.Rates.Minute, out.Rates.Day = q.decision.Minute.Limit, q.decision.Day.Limit
	out.Gradient.Colors = client.Extent{Min: gradient.MinColors, Max: gradient.MaxColors}
	out.Gradient.Types = gradientTypes
	out.Log.Content, out.Log.Title, out.Log.StatsBytes = share.MaxLogContent, share.MaxLogTitle, share.MaxStatsBytes
	out.Log.TextBytes = s.Shares.MaxLogBytes()
	out.Log.Expiries, out.Log.Formats = valuesOf(option.Of[share.LogOptions](), "expiry"), valuesOf(option.Of[share.LogOptions](), "format")
	out.Snippet.Code, out.Snippet.Title = share.MaxSnippetCode, share.MaxSnippetTitle
	out.Snippet.Expiries, out.Snippet.Languages = valuesOf(option.Of[share.SnippetOptions](), "expiry"), valuesOf(option.Of[share.SnippetOptions](), "language")
	picture := &out.Screenshot
	extent := func(name string) client.Extent {
		row, _ := option.Of[screenshot.Options]().Lookup(name)
		return client.Extent{Min: int(row.Min), Max: int(row.Max)}
	}
	picture.Code, picture.WindowTitle, picture.Background = screenshot.MaxCode, screenshot.MaxTitle, extent("background").Max
	picture.Padding, picture.FontSize, picture.BorderRadius = extent("padding"), extent("fontSize"), extent("borderRadius")
	picture.Scale = client.Extent{Min: screenshot.MinScale, Max: screenshot.MaxScale}
	picture.Themes, picture.AllThemes = highlight.Themes(), s.allThemes()
	return encodeJSON(out)
}

// valuesOf returns the values of an option.
func valuesOf[O any](t option.Table[O], name string) []string {
	row, _ := t.Lookup(name)
	return row.Values
}

// allThemes returns the names that the parameter theme accepts, those of the
// server first.
func (s *server) allThemes() []string {
	var names []string
	for _, theme := range s.Themes {
		names = append(names, theme.Name)
	}
	builtIn := slices.DeleteFunc(highlight.AllThemes(), func(name string) bool { return slices.Contains(names, name) })
	return append(names, builtIn...)
}
