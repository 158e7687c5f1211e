package httpapi

import (
	"slices"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share"
)

// limits is the response to GET /api/v1/limits: what requests may hold, so that
// programs need not know it by heart. Lengths are in characters.
type limits struct {
	Success   bool `json:"success"`
	BodyBytes int  `json:"bodyBytes"`
	Rates     struct {
		Minute int `json:"minute"` // 0: no limit
		Day    int `json:"day"`
	} `json:"rates"`
	Gradient   gradientLimits   `json:"gradient"`
	Log        logLimits        `json:"log"`
	Snippet    snippetLimits    `json:"snippet"`
	Screenshot screenshotLimits `json:"screenshot"`
}

type gradientLimits struct {
	Colors extent   `json:"colors"`
	Types  []string `json:"types"`
}

type logLimits struct {
	Content    int            `json:"content"`
	Title      int            `json:"title"`
	StatsBytes int            `json:"statsBytes"`
	Expiries   []share.Expiry `json:"expiries"`
	Formats    []share.Format `json:"formats"`
}

type snippetLimits struct {
	Code      int            `json:"code"`
	Title     int            `json:"title"`
	Expiries  []share.Expiry `json:"expiries"`
	Languages []string       `json:"languages"`
}

type screenshotLimits struct {
	Code         int      `json:"code"`
	WindowTitle  int      `json:"windowTitle"`
	Background   int      `json:"background"`
	Padding      extent   `json:"padding"`
	FontSize     extent   `json:"fontSize"`
	BorderRadius extent   `json:"borderRadius"`
	Scale        extent   `json:"scale"`
	Themes       []string `json:"themes"`    // of the field theme
	AllThemes    []string `json:"allThemes"` // of the parameter theme
}

// extent is the least and the most that something may be.
type extent struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// readLimits says what holds for the key that asks.
func (s *server) readLimits(q *request) (response, error) {
	out := limits{
		Success: true, BodyBytes: MaxBody,
		Gradient: gradientLimits{extent{gradient.MinColors, gradient.MaxColors}, gradientTypes},
		Log:      logLimits{share.MaxLogContent, share.MaxLogTitle, share.MaxStatsBytes, share.LogExpiries(), share.Formats()},
		Snippet:  snippetLimits{share.MaxSnippetCode, share.MaxSnippetTitle, share.SnippetExpiries(), share.Languages()},
		Screenshot: screenshotLimits{
			Code: screenshot.MaxCode, WindowTitle: screenshot.MaxTitle, Background: screenshot.MaxBackground,
			Padding: extent{0, screenshot.MaxPadding}, FontSize: extent{screenshot.MinFontSize, screenshot.MaxFontSize},
			BorderRadius: extent{0, screenshot.MaxBorderRadius}, Scale: extent{screenshot.MinScale, screenshot.MaxScale},
			Themes: highlight.Themes(), AllThemes: s.allThemes(),
		},
	}
	out.Rates.Minute, out.Rates.Day = q.decision.Minute.Limit, q.decision.Day.Limit
	return encodeJSON(out)
}

// allThemes returns the names that the parameter theme takes: those of the
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
