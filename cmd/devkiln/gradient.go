package main

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
	"golang.org/x/image/colornames"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/internal/nearest"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/slugify"
)

// gradientCmd prints CSS gradients without a server.
type gradientCmd struct {
	Colors   []string `arg:"" help:"${min_colors} to ${max_colors} CSS colours, such as #ff7e5f or rebeccapurple; the # before six or eight digits is optional. Or one CSS gradient, in quotes."`
	Prefixes bool     `help:"Print declarations with browser prefixes."`
	Format   *string  `placeholder:"FORMAT" enum:"${export_formats}" help:"Print the gradient for a target: ${export_formats}."`
	Name     string   `placeholder:"NAME" help:"Identifier of the gradient, for targets. Default: gradient."`
	Width    int      `default:"400" placeholder:"PX" help:"Width of the box, for targets and lengths."`
	Height   int      `default:"300" placeholder:"PX" help:"Height of the box."`

	kong.Plugins // a flag for each option of package gradient
}

// gradient makes the gradient from the colours and flags, or parses the given
// CSS.
func (c gradientCmd) gradient() (g gradient.Gradient, err error) {
	if len(c.Colors) == 1 && strings.Contains(c.Colors[0], "gradient(") {
		if len(flagValues(option.Of[gradient.Options](), c.Plugins)) > 0 {
			return g, errors.New("the options of a gradient do not go with CSS, which states them")
		}
		return gradient.ParseIn(c.Colors[0], gradient.Box{Width: float64(c.Width), Height: float64(c.Height)})
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

// nameColors returns an error with colours, or the gradient, as they were typed.
func (c gradientCmd) nameColors(err error) error {
	names := []string{"colors: must hold 2 to 10 colors, has ", "give 2 to 10 colours, not ", "colors: ", "", "there are colors", "there are colours", "expected a color", "expected a colour", "offset ", fmt.Sprintf("%q: offset ", c.Colors[0])}
	for i, color := range c.Colors {
		field, name, fault := fmt.Sprintf("colors[%d]: ", i), fmt.Sprintf("colour %d, %q: ", i+1, color), "must be a CSS color, such as #f00 or red"
		names = append(names, field+fault, name+"must be a CSS colour, such as #f00 or red"+nearest.Question(color, colornames.Names), field, name)
	}
	return errors.New(strings.NewReplacer(names...).Replace(err.Error()))
}

// Run prints the gradient.
func (c gradientCmd) Run(p process) error {
	for i, side := range [...]int{c.Width, c.Height} {
		if side < 1 {
			return usageError{fmt.Errorf("--%s must be 1 or more", [...]string{"width", "height"}[i])}
		}
	}
	g, err := c.gradient()
	if err != nil {
		return usageError{c.nameColors(err)}
	}
	switch {
	case c.Format != nil:
		var text strings.Builder
		if err := export.Write(&text, g, *c.Format, export.Options{Name: c.Name, Width: c.Width, Height: c.Height}); err != nil {
			return usageError{asFlags(err)}
		}
		return p.print("%s", text.String())
	case c.Prefixes:
		return p.print("%s\n", g.CSSWithPrefixes())
	}
	return p.print("%s\n", g.CSS())
}

// slugCmd prints slugs without a server.
type slugCmd struct {
	Text   []string `arg:"" optional:"" help:"The text. Without it, every line of standard input becomes a slug."`
	Unique bool     `help:"Number slugs that occur in earlier lines: post, post-2, …"`

	kong.Plugins // a flag for each option of package slugify
}

// Run prints a slug for the arguments together, or for each line.
func (c slugCmd) Run(p process) error {
	o, err := readFlags(option.Of[slugify.Options](), c.Plugins, slugify.Options.Validate)
	if err != nil {
		return usageError{err}
	}
	maker := slugify.MustMaker(o)
	add := func(text string) (string, error) { return maker.Make(text), nil }
	if c.Unique {
		set, err := slugify.NewSet(o)
		if err != nil {
			return usageError{err}
		}
		add = set.Add
	}
	if len(c.Text) > 0 {
		return printSlug(p, strings.Join(c.Text, " "), add)
	}
	lines := bufio.NewScanner(logs.UTF8(p.stdin))
	lines.Buffer(nil, maxAnalyzed)
	for lines.Scan() {
		if err := printSlug(p, lines.Text(), add); err != nil {
			return err
		}
	}
	return lines.Err()
}

// printSlug prints the slug of a text.
func printSlug(p process, text string, add func(string) (string, error)) error {
	slug, err := add(text)
	if err == nil {
		_, err = fmt.Fprintln(p.stdout, slug)
	}
	return err
}
