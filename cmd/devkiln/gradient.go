package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/internal/option"
)

// gradientCmd prints CSS gradients without a server.
type gradientCmd struct {
	Colors   []string `arg:"" help:"${min_colors} to ${max_colors} CSS colours, such as #ff7e5f or rebeccapurple; the # before six or eight digits is optional. Or one CSS gradient, in quotes."`
	Prefixes bool     `help:"Print declarations with browser prefixes."`
	Format   *string  `placeholder:"FORMAT" enum:"${export_formats}" help:"Print the gradient for a target: ${export_formats}."`
	Name     string   `placeholder:"NAME" help:"Identifier of the gradient, for targets. Default: gradient."`
	Width    int      `placeholder:"PX" help:"Width of the box, for targets and lengths. Default: 400."`
	Height   int      `placeholder:"PX" help:"Height of the box. Default: 300."`

	kong.Plugins // a flag for each option of package gradient
}

// gradient makes the gradient from the colours and flags, or parses the given
// CSS.
func (c gradientCmd) gradient() (g gradient.Gradient, err error) {
	if len(c.Colors) == 1 && strings.Contains(c.Colors[0], "gradient(") {
		return c.parse()
	}
	colors := make([]string, len(c.Colors))
	for i, color := range c.Colors {
		if _, err := gradient.ParseColor(color); err != nil && (len(color) == 6 || len(color) == 8) {
			color = "#" + color
		}
		colors[i] = color
	}
	_, err = readFlags(option.Of[gradient.Options](), c.Plugins, func(o gradient.Options) error {
		o.CSSColors = true
		var err error
		g, err = gradient.New(colors, o)
		return err
	})
	return g, err
}

// parse reads the CSS, which states the options too.
func (c gradientCmd) parse() (gradient.Gradient, error) {
	if len(flagValues(option.Of[gradient.Options](), c.Plugins)) > 0 {
		return gradient.Gradient{}, errors.New("the options of a gradient do not go with CSS, which states them")
	}
	return gradient.ParseIn(c.Colors[0], gradient.Box{Width: float64(cmp.Or(c.Width, 400)), Height: float64(cmp.Or(c.Height, 300))})
}

// Run prints the gradient.
func (c gradientCmd) Run(p process) error {
	g, err := c.gradient()
	if err != nil {
		return usageError{err}
	}
	switch {
	case c.Format != nil:
		var text strings.Builder
		if err := export.Write(&text, g, *c.Format, export.Options{Name: c.Name, Width: c.Width, Height: c.Height}); err != nil {
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
