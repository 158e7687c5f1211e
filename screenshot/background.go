package screenshot

import (
	"errors"
	"fmt"
	"image/color"
	"strings"

	"github.com/devkiln/devkiln/gradient"
)

// A background is what the window stands on: a gradient, or a colour.
type background struct {
	gradient *gradient.Gradient
	color    color.NRGBA
}

// parseBackground reads a CSS color or gradient. The gradients of old browsers
// are not among them: a config should be good for the background property.
func parseBackground(css string) (background, error) {
	if name, _, ok := strings.Cut(css, "("); !ok || !strings.Contains(strings.ToLower(name), "gradient") {
		c, err := gradient.ParseColor(css)
		if err != nil {
			return background{}, badBackground(err)
		}
		return background{color: c}, nil
	}
	g, err := gradient.Parse(css)
	if err != nil {
		return background{}, badBackground(err)
	}
	if g.Repeating() || strings.HasPrefix(strings.TrimSpace(css), "-") {
		return background{}, badBackground(errors.New("repeating and prefixed gradients are not taken"))
	}
	return background{gradient: &g}, nil
}

func badBackground(err error) error {
	return fmt.Errorf("must be a CSS color or a linear-, radial- or conic-gradient of colors (%w)", err)
}

// opaque reports whether nothing shows through.
func (b background) opaque() bool {
	if b.gradient != nil {
		return b.gradient.Opaque()
	}
	return b.color.A == 255
}
