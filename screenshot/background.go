package screenshot

import (
	"errors"
	"fmt"
	"strings"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/screenshot/internal/scene"
)

// parseBackground parses a CSS color or gradient. It refuses gradients with
// vendor prefixes, since the value must be valid for the background property.
func parseBackground(css string) (scene.Background, error) {
	var b scene.Background
	name, _, ok := strings.Cut(strings.ToLower(strings.TrimSpace(css)), "(")
	c, err := gradient.ParseColor(css)
	if b.Color = c.NRGBA(); ok && strings.Contains(name, "gradient") {
		var g gradient.Gradient
		g, err = gradient.Parse(css)
		b = scene.Background{Gradient: &g}
		if err == nil && (strings.Contains(name, "repeating-") || strings.HasPrefix(name, "-")) {
			err = errors.New("repeating and prefixed gradients are not taken")
		}
	}
	if err != nil {
		err = fmt.Errorf("must be a CSS color or a linear-, radial- or conic-gradient of colors (%w)", err)
	}
	return b, err
}
