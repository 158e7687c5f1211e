package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/httpapi/client"
)

// gradientCmd prints CSS gradients without a server.
type gradientCmd struct {
	Colors    []string  `arg:"" help:"{min_colors} to {max_colors} CSS colours, such as #ff7e5f or rebeccapurple; the # before six or eight digits is optional. Or one CSS gradient, in quotes."`
	Type      string    `default:"linear" help:"linear, radial or conic."`
	Angle     *float64  `placeholder:"DEG"  help:"Degrees clockwise from the top. Default: 90, or 0 for conic."`
	Positions []float64 `placeholder:"PERCENT" help:"A position for each colour, 0 to 100. Default: spread evenly."`
	Repeating bool      `help:"Repeat the colours between the first and the last position."`
	Space     string    `placeholder:"SPACE" help:"Interpolation space: srgb, oklab, oklch or another CSS colour space. Default: as the CSS says, else srgb."`
	Hue       string    `default:"shorter" help:"Direction around the colour wheel: shorter, longer, increasing or decreasing."`
	Prefixes  bool      `help:"Print declarations with browser prefixes."`
	Format    string    `placeholder:"FORMAT" help:"Print the gradient for a target: {export_formats}."`
	Name      string    `placeholder:"NAME" help:"Identifier of the gradient, for targets. Default: gradient."`
	Width     int       `placeholder:"PX" help:"Width of the box, for targets and lengths. Default: 400."`
	Height    int       `placeholder:"PX" help:"Height of the box. Default: 300."`
	JSON      bool      `name:"json" help:"Print the response of the API as JSON."`
}

// gradient makes the gradient from the flags or parses the given CSS.
func (c gradientCmd) gradient() (gradient.Gradient, error) {
	kind, badKind := gradient.ParseKind(c.Type)
	hue, badHue := gradient.ParseHue(c.Hue)
	space, badSpace := gradient.ParseSpace(cmp.Or(c.Space, gradient.SRGB.String()))
	var g gradient.Gradient
	var err, badColors error
	if len(c.Colors) == 1 && strings.HasSuffix(c.Colors[0], ")") {
		if c.Type != "linear" || c.Angle != nil || c.Positions != nil || c.Repeating {
			return g, errors.New("--type, --angle, --positions and --repeating are for colours; CSS states its own")
		}
		g, err = gradient.ParseIn(c.Colors[0], gradient.Box{Width: float64(cmp.Or(c.Width, 400)), Height: float64(cmp.Or(c.Height, 300))})
	} else {
		colors := make([]string, len(c.Colors))
		for i, color := range c.Colors {
			parsed, err := gradient.ParseColor(color)
			if err != nil && (len(color) == 6 || len(color) == 8) {
				parsed, err = gradient.ParseColor("#" + color)
			}
			if err != nil {
				badColors = errors.Join(badColors, fmt.Errorf("colors[%d]: must be a CSS color, such as #ff7e5f or rebeccapurple", i))
			}
			colors[i] = gradient.FormatHex(parsed)
		}
		g, err = gradient.New(colors, gradient.Options{Kind: kind, Angle: c.Angle, Positions: c.Positions, Repeating: c.Repeating, Alpha: !c.JSON})
	}
	if err = errors.Join(badKind, badColors, err, badSpace, badHue); err != nil || c.Space == "" {
		return g, err
	}
	return g.WithSpace(space, hue)
}

// Run prints the gradient.
func (c gradientCmd) Run(p process) error {
	g, err := c.gradient()
	if err != nil {
		return usageError{err}
	}
	switch {
	case c.JSON:
		return p.json(client.Gradient{CSS: g.CSS(), CSSWithPrefixes: g.CSSWithPrefixes(), Colors: g.HexColors(), Type: g.Kind().String()})
	case c.Format != "":
		var text strings.Builder
		if err := export.Write(&text, g, c.Format, export.Options{Name: c.Name, Width: c.Width, Height: c.Height}); err != nil {
			return usageError{err}
		}
		_, err = fmt.Fprint(p.stdout, text.String())
	case c.Prefixes:
		_, err = fmt.Fprintln(p.stdout, g.CSSWithPrefixes())
	default:
		_, err = fmt.Fprintln(p.stdout, g.CSS())
	}
	return err
}
