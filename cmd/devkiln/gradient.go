package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/httpapi/client"
)

// gradientCmd prints CSS gradients without a server.
type gradientCmd struct {
	Colors   []string `arg:"" help:"{min_colors} to {max_colors} CSS colours, such as #ff7e5f or rebeccapurple; the # before six or eight digits is optional. Or one CSS gradient, in quotes."`
	Prefixes bool     `help:"Print declarations with browser prefixes."`
	Format   string   `placeholder:"FORMAT" help:"Print the gradient for a target: {export_formats}."`
	Name     string   `placeholder:"NAME" help:"Identifier of the gradient, for targets. Default: gradient."`
	Width    int      `placeholder:"PX" help:"Width of the box, for targets and lengths. Default: 400."`
	Height   int      `placeholder:"PX" help:"Height of the box. Default: 300."`
	JSON     bool     `name:"json" help:"Print the response of the API as JSON."`

	kong.Plugins // a flag for each option of package gradient
}

// gradient makes the gradient from the colours and flags, or parses the given
// CSS.
func (c gradientCmd) gradient() (g gradient.Gradient, err error) {
	isCSS := len(c.Colors) == 1 && strings.Contains(c.Colors[0], "gradient(")
	colors := make([]string, len(c.Colors))
	for i, color := range c.Colors {
		if _, err := gradient.ParseColor(color); err != nil && (len(color) == 6 || len(color) == 8) {
			color = "#" + color
		}
		colors[i] = color
	}
	o, err := readFlags(gradient.Parameters(), c.Plugins, func(o gradient.Options) error {
		if isCSS {
			return nil
		}
		o.CSSColors = true
		var err error
		g, err = gradient.New(colors, o)
		return err
	})
	if err == nil && isCSS {
		return c.parse(o)
	}
	return g, err
}

// parse reads the CSS. Of the flags, only those of the interpolation apply.
func (c gradientCmd) parse(o gradient.Options) (gradient.Gradient, error) {
	given := flagValues(gradient.Parameters(), c.Plugins)
	isSpace, isHue := given.Has("space"), given.Has("hue")
	given.Del("space")
	given.Del("hue")
	if len(given) > 0 {
		return gradient.Gradient{}, errors.New("of the options of a gradient, only --space and --hue go with CSS, which states the others")
	}
	g, err := gradient.ParseIn(c.Colors[0], gradient.Box{Width: float64(cmp.Or(c.Width, 400)), Height: float64(cmp.Or(c.Height, 300))})
	if err != nil || !isSpace && !isHue {
		return g, err
	}
	if !isSpace {
		o.Space = g.Space()
	}
	return g.WithSpace(o.Space, o.Hue)
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
