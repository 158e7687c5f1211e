package gradient_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/internal/option/optiontest"
)

func TestParameters(t *testing.T) {
	colors := []string{"#ff7e5f", "#3060c0"}
	validate := func(o gradient.Options) error {
		_, err := gradient.New(colors, o)
		return err
	}
	// An option may have an effect only in some kinds and spaces.
	effect := func(o gradient.Options) string {
		var all []string
		for _, kind := range []gradient.Kind{o.Kind, gradient.Radial} {
			for _, space := range []gradient.Space{o.Space, gradient.OKLCH} {
				o.Kind, o.Space = kind, space
				g, err := gradient.New(colors, o)
				require.NoError(t, err)
				all = append(all, g.CSS())
			}
		}
		return strings.Join(all, "\n")
	}
	optiontest.Run(t, option.Of[gradient.Options](), validate, effect, "CSSColors")
}

func TestPoint_UnmarshalText(t *testing.T) {
	for text, want := range map[string]gradient.Point{
		"30% 40%": {X: 30, Y: 40}, "top left": {}, "right 10% bottom 20%": {X: 90, Y: 80}, " center ": {X: 50, Y: 50},
	} {
		var p gradient.Point
		require.NoError(t, p.UnmarshalText([]byte(text)), text)
		require.Equal(t, want, p, text)
	}
	for _, text := range []string{"30 40", "10% 10% x", "", "10px 20px", "2000000% 0%", "top bottom"} {
		var p gradient.Point
		require.EqualError(t, p.UnmarshalText([]byte(text)), "center: must be a position of CSS, such as 30% 40% or top left", text)
	}
}
