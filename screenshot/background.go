package screenshot

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/screenshot/internal/scene"
)

// parseBackground parses a CSS color or gradient. It refuses gradients with
// vendor prefixes, since the value must be valid for the background property.
func parseBackground(css string) (scene.Background, error) {
	background, err := readBackground(css)
	if err = firstError(err, checkNotation(css)); err != nil {
		return scene.Background{}, fmt.Errorf("must be a CSS color or a linear-, radial- or conic-gradient of colors (%w)", err)
	}
	return background, nil
}

func readBackground(css string) (scene.Background, error) {
	if name, _, ok := strings.Cut(css, "("); !ok || !strings.Contains(strings.ToLower(name), "gradient") {
		c, err := gradient.ParseColor(css)
		return scene.Background{Color: c.NRGBA()}, err
	}
	g, err := gradient.Parse(css)
	if err == nil && (g.Repeating() || strings.HasPrefix(strings.TrimSpace(css), "-")) {
		err = errors.New("repeating and prefixed gradients are not taken")
	}
	return scene.Background{Gradient: &g}, err
}

// firstError returns the error closer to the start of the text: b if a is nil,
// or if both have an offset and that of b is smaller; otherwise a.
func firstError(a, b error) error {
	first, ok := errors.AsType[*gradient.ParseError](a)
	second, more := errors.AsType[*gradient.ParseError](b)
	if a == nil || ok && more && second.Offset < first.Offset {
		return b
	}
	return a
}

// A background allows less than package gradient: only sRGB colors, and no
// lengths, since the size of the picture depends on the code.
var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?(?:\*/|$)`)
	cssToken   = regexp.MustCompile(`(?i)#\w*|[0-9.]+(?:e[-+]?[0-9]+)?([a-z%]*)|[-_a-z][-_a-z0-9]*\(?`)

	cssUnits     = []string{"", "%", "deg", "grad", "rad", "turn"}
	cssSpaces    = []string{"srgb", "srgb-linear", "oklab", "oklch"}
	cssColors    = []string{"rgb(", "rgba(", "hsl(", "hsla(", "hwb("}
	cssGradients = []string{"linear-gradient(", "radial-gradient(", "conic-gradient("}
)

// checkNotation returns an error for the first number, function or color space
// that a background does not allow. Package gradient checks the rest.
func checkNotation(css string) error {
	blank := func(comment string) string { return strings.Repeat(" ", len(comment)) }
	text := cssComment.ReplaceAllStringFunc(css, blank)
	previous := ""
	for _, at := range cssToken.FindAllStringSubmatchIndex(text, -1) {
		token := strings.ToLower(text[at[0]:at[1]])
		expected := ""
		switch {
		case at[2] >= 0 && !slices.Contains(cssUnits, strings.ToLower(text[at[2]:at[3]])):
			expected = "a percentage or an angle"
		case previous == "in" && !slices.Contains(cssSpaces, token):
			expected = "a color space of sRGB"
		case token == "from" && slices.Contains(cssColors, previous),
			strings.HasSuffix(token, "(") && !slices.Contains(cssColors, token) && !slices.ContainsFunc(cssGradients, func(g string) bool { return strings.HasSuffix(token, g) }):
			expected = "a color"
		}
		if expected != "" {
			found := css[at[0]:]
			return &gradient.ParseError{Offset: at[0], Expected: expected, Found: found[:min(len(found), 24)]}
		}
		previous = token
	}
	return nil
}
