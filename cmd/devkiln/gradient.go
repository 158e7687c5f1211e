package main

import (
	"fmt"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/commandline"
	"github.com/devkiln/devkiln/gradient"
)

// gradientCmd makes CSS without a server.
type gradientCmd struct {
	Colors    []string  `arg:"" help:"${min_colors} to ${max_colors} colours as #RRGGBB; the # may be left out."`
	Type      string    `default:"linear" help:"linear, radial or conic."`
	Angle     *float64  `placeholder:"DEG"  help:"Degrees clockwise from the top. Default: 90, and 0 for conic."`
	Positions []float64 `placeholder:"PERCENT,…" help:"A position for each colour, 0 to 100. Default: spread evenly."`
	Prefixes  bool      `help:"Print declarations with browser prefixes."`
	JSON      bool      `name:"json" help:"Print what the API would return."`
}

// Help implements kong.HelpProvider.
func (gradientCmd) Help() string {
	return `For example:

    devkiln gradient ff7e5f feb47b --angle 120
    devkiln gradient ff0000 00ff00 0000ff --type radial --positions 0,20,100`
}

// Run prints the gradient.
func (c gradientCmd) Run(p process) error {
	kind, err := gradient.ParseKind(c.Type)
	if err != nil {
		return usageError{err}
	}
	colors := make([]string, len(c.Colors))
	for i, color := range c.Colors {
		colors[i] = color
		if len(color) == 6 {
			colors[i] = "#" + color
		}
	}
	g, err := gradient.New(colors, gradient.Options{Kind: kind, Angle: c.Angle, Positions: c.Positions})
	if err != nil {
		return usageError{commandline.OneLine(err)}
	}
	switch {
	case c.JSON:
		return p.json(struct {
			CSS             string   `json:"css"`
			CSSWithPrefixes string   `json:"cssWithPrefixes"`
			Colors          []string `json:"colors"`
			Type            string   `json:"type"`
		}{g.CSS(), g.CSSWithPrefixes(), g.HexColors(), kind.String()})
	case c.Prefixes:
		_, err = fmt.Fprintln(p.stdout, g.CSSWithPrefixes())
	default:
		_, err = fmt.Fprintln(p.stdout, g.CSS())
	}
	return err
}
