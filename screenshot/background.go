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
	background, err := readBackground(css)
	if err != nil {
		return scene.Background{}, fmt.Errorf("must be a CSS color or a linear-, radial- or conic-gradient of colors (%w)", err)
	}
	return background, nil
}

func readBackground(css string) (scene.Background, error) {
	name, _, ok := strings.Cut(strings.ToLower(strings.TrimSpace(css)), "(")
	if !ok || !strings.Contains(name, "gradient") {
		c, err := gradient.ParseColor(css)
		return scene.Background{Color: c.NRGBA()}, err
	}
	g, err := gradient.Parse(css)
	if err == nil && (strings.Contains(name, "repeating-") || strings.HasPrefix(name, "-")) {
		err = errors.New("repeating and prefixed gradients are not taken")
	}
	return scene.Background{Gradient: &g}, err
}
