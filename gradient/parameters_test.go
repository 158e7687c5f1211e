package gradient_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
)

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
