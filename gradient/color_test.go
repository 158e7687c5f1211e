package gradient_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
)

// The expected values are from CSS Color 4's own conversions, to four digits.
func TestColor_In(t *testing.T) {
	for _, c := range []struct {
		in    string
		space gradient.Space
		want  string
	}{
		{"rebeccapurple", gradient.OKLCH, "oklch(0.440272 0.160304 303.373299)"},
		{"rebeccapurple", gradient.Lab, "lab(32.392768 38.4295 -47.694116)"},
		{"red", gradient.DisplayP3, "color(display-p3 0.917488 0.200287 0.138561)"},
		{"white", gradient.OKLCH, "oklch(1 0 none)"},
		{"white", gradient.HWB, "hwb(none 100% 0%)"},
	} {
		got, err := gradient.ParseColor(c.in)
		require.NoError(t, err)
		want, err := gradient.ParseColor(c.want)
		require.NoError(t, err)
		converted := got.In(c.space)
		assert.Equal(t, want.Missing, converted.Missing, "%s: %v", c.in, converted)
		for i := range want.Components {
			assert.InEpsilon(t, 1+want.Components[i], 1+converted.Components[i], 1e-3, "%s: %v", c.in, converted)
		}
	}
}

// Space is a string that anybody can write.
func TestColor_unknownSpace(t *testing.T) {
	odd := gradient.Color{Space: "prophoto-rgb", Components: [3]float64{1, 0.5, 0}, Alpha: 1}
	known := odd
	known.Space = gradient.SRGB
	assert.Equal(t, known.NRGBA(), odd.NRGBA())
	assert.Equal(t, known.String(), odd.String())
	assert.Equal(t, known.In(gradient.OKLab), odd.In(gradient.OKLab))
	assert.Equal(t, known.String(), known.In("prophoto-rgb").String())
}

// For colours lighter than white, the HSL formula gives a negative saturation,
// which stands for the opposite hue (CSS Color 4, section 7.2).
func TestColor_In_lighterThanWhite(t *testing.T) {
	c, err := gradient.ParseColor("color(srgb 1.5 1.2 1.4)")
	require.NoError(t, err)
	for i, want := range []float64{140, 42.857143, 135} {
		assert.InDelta(t, want, c.In(gradient.HSL).Components[i], 1e-6)
	}
}

func TestColor_In_missing(t *testing.T) {
	for in, want := range map[string][4]bool{
		"lab(none 20 30)":         {true, false, false, false},
		"lch(50 none 40)":         {false, true, true, false}, // without chroma there is no hue
		"hsl(none 20% 40% / 0.5)": {false, false, true, false},
		"oklab(none 0.1 0.1)":     {true, false, false, false},
		"rgb(none 20 30 / none)":  {false, false, false, true},
	} {
		c, err := gradient.ParseColor(in)
		require.NoError(t, err)
		assert.Equal(t, want, c.In(gradient.OKLCH).Missing, in)
	}
}
