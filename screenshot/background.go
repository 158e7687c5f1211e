package screenshot

import (
	"errors"
	"fmt"
	"strings"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/screenshot/internal/scene"
)

// parseBackground reads a CSS color or gradient. The gradients of old browsers
// are not among them: a config should be good for the background property.
func parseBackground(css string) (scene.Background, error) {
	if name, _, ok := strings.Cut(css, "("); !ok || !strings.Contains(strings.ToLower(name), "gradient") {
		c, err := gradient.ParseColor(css)
		if err != nil {
			return scene.Background{}, badBackground(err)
		}
		return scene.Background{Color: c}, nil
	}
	g, err := gradient.Parse(css)
	if err != nil {
		return scene.Background{}, badBackground(err)
	}
	if g.Repeating() || strings.HasPrefix(strings.TrimSpace(css), "-") {
		return scene.Background{}, badBackground(errors.New("repeating and prefixed gradients are not taken"))
	}
	return scene.Background{Gradient: &g}, nil
}

func badBackground(err error) error {
	return fmt.Errorf("must be a CSS color or a linear-, radial- or conic-gradient of colors (%w)", err)
}
