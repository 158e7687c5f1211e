package gradient_test

import (
	"image/color"
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

// Fit returns a colour within the gamut, of the same lightness and hue, and
// keeps a colour that is within the gamut.
func TestColor_Fit(t *testing.T) {
	for _, in := range []string{"color(display-p3 0 1 0)", "oklch(0.7 0.4 150)", "lab(60 -120 90)", "#336699"} {
		c, err := gradient.ParseColor(in)
		require.NoError(t, err)
		for _, space := range []gradient.Space{gradient.SRGB, gradient.DisplayP3} {
			fitted, err := c.Fit(space)
			require.NoError(t, err)
			for _, v := range fitted.Components {
				assert.True(t, v >= 0 && v <= 1, "%s: %v", in, fitted)
			}
			before, after := c.In(gradient.OKLCH).Components, fitted.In(gradient.OKLCH).Components
			assert.InDelta(t, before[0], after[0], 0.025, "%s: %v", in, fitted)
			assert.InDelta(t, before[2], after[2], 8, "%s: %v", in, fitted)
		}
	}
	c := gradient.ColorOf(color.NRGBA{0x33, 0x66, 0x99, 255})
	fitted, err := c.Fit(gradient.SRGB)
	require.NoError(t, err)
	require.Equal(t, c.NRGBA(), fitted.NRGBA())
	white, err := gradient.Color{Space: gradient.OKLCH, Components: [3]float64{1.2, 0.3, 20}, Alpha: 1}.Fit(gradient.SRGB)
	require.NoError(t, err)
	require.Equal(t, color.NRGBA{255, 255, 255, 255}, white.NRGBA())
	_, err = c.Fit(gradient.OKLab)
	require.EqualError(t, err, "space: must be an RGB space")
}

func TestStop_In(t *testing.T) {
	g := mustParse(t, "linear-gradient(color(display-p3 0 1 0), #336699)")
	stops := g.Stops()
	require.Equal(t, "color(display-p3 0 1 0)", stops[0].In(gradient.DisplayP3).String())
	require.Equal(t, color.NRGBA{0, 255, 0, 255}, stops[0].Color)
	require.Equal(t, "rgb(51, 102, 153)", stops[1].In(gradient.SRGB).String())
}
