package httpapi

import (
	"slices"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/httpapi/client"
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
	out.BodyBytes = MaxBody
	out.Rates.Minute, out.Rates.Day = q.decision.Minute.Limit, q.decision.Day.Limit
	out.Gradient.Colors = client.Extent{Min: gradient.MinColors, Max: gradient.MaxColors}
	out.Gradient.Types = gradientTypes
	out.Log.Content, out.Log.Title, out.Log.StatsBytes = share.MaxLogContent, share.MaxLogTitle, share.MaxStatsBytes
	out.Log.TextBytes = s.Shares.MaxLogBytes()
	out.Log.Expiries, out.Log.Formats = texts(share.LogExpiries()), texts(share.Formats())
	out.Snippet.Code, out.Snippet.Title = share.MaxSnippetCode, share.MaxSnippetTitle
	out.Snippet.Expiries, out.Snippet.Languages = texts(share.SnippetExpiries()), share.Languages()
	picture := &out.Screenshot
	picture.Code, picture.WindowTitle, picture.Background = screenshot.MaxCode, screenshot.MaxTitle, screenshot.MaxBackground
	picture.Padding = client.Extent{Max: screenshot.MaxPadding}
	picture.FontSize = client.Extent{Min: screenshot.MinFontSize, Max: screenshot.MaxFontSize}
	picture.BorderRadius = client.Extent{Max: screenshot.MaxBorderRadius}
	picture.Scale = client.Extent{Min: screenshot.MinScale, Max: screenshot.MaxScale}
	picture.Themes, picture.AllThemes = highlight.Themes(), s.allThemes()
	return encodeJSON(out)
}

func texts[T ~string](words []T) []string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = string(word)
	}
	return all
}

// allThemes returns the names that the parameter theme accepts, those of the
// server first.
func (s *server) allThemes() []string {
	var names []string
	for _, theme := range s.Themes {
		names = append(names, theme.Name)
	}
	for _, name := range highlight.AllThemes() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
