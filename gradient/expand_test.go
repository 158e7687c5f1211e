package gradient_test

import (
	"errors"
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/internal/invalid"
)

// row paints the gradient line as premultiplied bytes.
func row(t testing.TB, g gradient.Gradient, width int) []byte {
	t.Helper()
	css := g.CSS()
	require.True(t, strings.HasPrefix(strings.TrimPrefix(g.CSS(), "repeating-"), "linear-gradient(90deg"), css)
	p, err := g.Painter(width, 1)
	require.NoError(t, err)
	pixels := make([]byte, 4*width)
	p.RowRGBA(0, pixels)
	return pixels
}

func worst(a, b []byte) (most int) {
	for i := range a {
		most = max(most, diff(a[i], b[i]))
	}
	return most
}

func TestGradient_Expand_keepsItsBound(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	const width = 4000
	for _, colors := range []string{
		"#ff0000, #0000ff",
		"#ffffff, #ff0000 30%, #00ff00",
		"#000000, #ffffff",
		"#ff0000 40%, #00ff00 40%, #0000ff 60%",
		"#ff0000 -30%, #00ffff 130%",
		"#ff000080, #00ff0010, #0000ff",
		"#ff0000, 20%, #0000ff",
		"#ff0000, 0%, #0000ff 50%, 100%, #00ff00",
		"#123456, #123456",
	} {
		for _, form := range []string{"", "repeating-"} {
			for _, space := range spaces {
				// The expansion must look like the exact form.
				exact := mustParse(t, form+"linear-gradient(90deg in "+space.String()+", "+colors+")")
				for _, maxError := range []float64{1, 2, 8} {
					g, err := exact.Expand(gradient.ExpandOptions{MaxError: maxError})
					require.NoError(t, err)
					assert.NotContains(t, g.CSS(), " in ")
					assert.LessOrEqual(t, worst(row(t, exact, width), row(t, g, width)), int(maxError), "%s %v %v", colors, space, maxError)
					assert.NotContains(t, g.CSS(), " in ")
					back, err := gradient.Parse(g.CSS())
					assert.NoError(t, err)
					assert.Equal(t, g, back)
				}
			}
		}
	}
}

// 26 stops between two colours suffice for an error of 2/255 in every space,
// unless the hue goes around the wheel.
func TestGradient_Expand_fewStops(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	colors := rgbSamples()[256:]
	for i := range 300 {
		for _, space := range spaces {
			g, err := gradient.New(colors[i:i+2], gradient.Options{Space: space.Space, Hue: space.hue})
			require.NoError(t, err)
			expanded, err := g.Expand(gradient.ExpandOptions{})
			require.NoError(t, err)
			n := len(expanded.Stops())
			switch {
			case space.Space == gradient.SRGB:
				assert.Equal(t, 2, n)
			case space.hue == gradient.ShorterHue:
				assert.LessOrEqual(t, n, 26, "%v %v", colors[i:i+2], space)
			}
			rough, err := g.Expand(gradient.ExpandOptions{MaxError: 32})
			require.NoError(t, err)
			assert.LessOrEqual(t, len(rough.Stops()), n)
		}
	}
}

func TestGradient_Expand_layout(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"linear-gradient(to top left, red, blue)", "linear-gradient(to top left, #ff0000 0%, #0000ff 100%)"},
		{"repeating-radial-gradient(circle at 10% 20%, red 10%, blue 30%)", "repeating-radial-gradient(circle at 10% 20%, #ff0000 10%, #0000ff 30%)"},
		{"conic-gradient(from 40deg, red 10%, lime 10%, blue)", "conic-gradient(from 40deg, #ff0000 10%, #00ff00 10%, #0000ff 100%)"},
		{"linear-gradient(red 60%, lime 20%, blue 20%)", "linear-gradient(180deg, #ff0000 60%, #0000ff 60%)"},
		{"linear-gradient(red 50%, red 50%)", "linear-gradient(180deg, #ff0000 50%, #ff0000 50%)"},
	} {
		g, err := mustParse(t, c.in).Expand(gradient.ExpandOptions{})
		require.NoError(t, err)
		assert.Equal(t, c.want, g.CSS())
	}
}

func TestGradient_Expand_errors(t *testing.T) {
	g := mustParse(t, "linear-gradient(red, blue)")
	for _, maxError := range []float64{-1, 0.5, 65} {
		_, err := g.Expand(gradient.ExpandOptions{MaxError: maxError})
		assert.Equal(t, map[string]string{"maxError": "out_of_range"}, fieldsOf(err))
	}
	many := mustParse(t, "linear-gradient(in oklab, "+strings.Repeat("red, blue, ", 300)+"red)")
	_, err := many.Expand(gradient.ExpandOptions{MaxError: 1})
	option, ok := errors.AsType[*invalid.Fault](err)
	require.True(t, ok)
	require.Equal(t, "maxError", option.Field)
	require.Contains(t, err.Error(), "more than 1024 stops")

	var zero gradient.Gradient
	expanded, err := zero.Expand(gradient.ExpandOptions{})
	require.NoError(t, err)
	require.Equal(t, zero, expanded)
}

func TestGradient_Expand_easing(t *testing.T) {
	e, err := gradient.ParseEasing("linear")
	require.NoError(t, err)
	g, err := mustParse(t, "linear-gradient(red, 20%, blue)").Expand(gradient.ExpandOptions{Easing: e})
	require.NoError(t, err)
	assert.Greater(t, len(g.Stops()), 5, "a linear easing keeps hints")
	e, err = gradient.ParseEasing("ease")
	require.NoError(t, err)
	hinted, err := mustParse(t, "linear-gradient(red, 20%, blue)").Expand(gradient.ExpandOptions{Easing: e})
	require.NoError(t, err)
	plain, err := mustParse(t, "linear-gradient(red, blue)").Expand(gradient.ExpandOptions{Easing: e})
	require.NoError(t, err)
	assert.Equal(t, plain, hinted, "another drops them")
}

func TestGradient_Expand_easingCurve(t *testing.T) {
	for _, name := range []string{"ease", "ease-in", "ease-out", "ease-in-out", "cubic-bezier(0.9, 0, 0.1, 1)", "cubic-bezier(0.3, -1, 0.7, 2)", "cubic-bezier(1, 0, 0, 1)"} {
		e, err := gradient.ParseEasing(name)
		require.NoError(t, err)
		for _, space := range []string{"srgb", "oklab", "oklch longer hue"} {
			g := mustParse(t, "linear-gradient(90deg in "+space+", #ff8000, #2040c0)")
			for _, maxError := range []float64{1, 2} {
				eased, err := g.Expand(gradient.ExpandOptions{Easing: e, MaxError: maxError})
				require.NoError(t, err)
				for i := range 2001 {
					f := float64(i) / 2000
					want, got := g.At(e.At(f)), eased.At(f)
					d := max(diff(want.R, got.R), diff(want.G, got.G), diff(want.B, got.B))
					if d > int(maxError) {
						assert.LessOrEqual(t, d, int(maxError), "%s in %s at %v", name, space, f)
					}
				}
			}
		}
	}
}

func TestEasing_values(t *testing.T) {
	type c struct {
		In     string
		At     [][2]float64
		Offset *int
	}
	for _, c := range cases[c](t, "easings.json") {
		e, err := gradient.ParseEasing(c.In)
		switch {
		case c.Offset != nil:
			fault, ok := errors.AsType[*gradient.ParseError](err)
			if assert.True(t, ok, c.In) {
				assert.Equal(t, *c.Offset, fault.Offset, "%s: %v", c.In, err)
			}
		default:
			assert.NoError(t, err, c.In)
			for _, at := range c.At {
				assert.InDelta(t, at[1], e.At(at[0]), 0.0001, "%s at %v", c.In, at[0])
			}
		}
	}
}

func TestContrast(t *testing.T) {
	parse := func(s string) color.NRGBA {
		c, err := gradient.ParseColor(s)
		require.NoError(t, err)
		return c.NRGBA()
	}
	for _, c := range []struct {
		css, text string
		want      float64
	}{
		{"linear-gradient(white, white)", "black", 21},
		{"linear-gradient(white, white)", "#767676", 4.5422},
		{"linear-gradient(white, white)", "#777777", 4.4781},
		{"linear-gradient(black, white)", "#808080", 1},
		{"linear-gradient(black, white)", "red", 1},
		{"linear-gradient(black 50%, white 50%)", "#808080", 3.9494},
		{"linear-gradient(#ffffff, #767676)", "black", 4.6234},
		{"linear-gradient(transparent, transparent)", "black", 1},
		{"linear-gradient(transparent, transparent)", "#808080", 1},
		{"linear-gradient(rgb(128 128 128 / 80%), rgb(128 128 128 / 80%))", "#808080", 1},
		{"linear-gradient(rgb(255 255 255 / 80%), white)", "black", 13.0771},
		{"linear-gradient(white, white)", "rgb(0 0 0 / 0)", 1},
		{"linear-gradient(white, white)", "rgb(0 0 0 / 50%)", 4.0032},
		{"linear-gradient(in oklch longer hue, #f00, #f01)", "black", 5.1},
	} {
		assert.InDelta(t, c.want, mustParse(t, c.css).Contrast(parse(c.text)), 0.2, "%s on %s", c.text, c.css)
	}
}

// Options are exact if New makes the same gradient of them.
func TestGradient_Options(t *testing.T) {
	for css, exact := range map[string]bool{
		"radial-gradient(ellipse closest-side at 20% 30%, red, blue)":             true,
		"repeating-conic-gradient(from 30deg at 0% 0%, #f008, blue 40%, gold)":    true,
		"linear-gradient(in oklch longer hue, red, blue)":                         true,
		"radial-gradient(10% 20%, red, blue)":                                     false,
		"linear-gradient(to left top, red, blue)":                                 false,
		"linear-gradient(red, 30%, blue)":                                         false,
		"linear-gradient(red -10%, blue)":                                         false,
		"linear-gradient(oklch(0.7 0.1 50), blue)":                                false,
		"linear-gradient(" + strings.Repeat("red, ", gradient.MaxColors) + "red)": false,
	} {
		g := mustParse(t, css)
		o, isExact := g.Options()
		assert.Equal(t, exact, isExact, css)
		back, err := gradient.New(g.HexColors(), o)
		assert.Equal(t, exact, err == nil && g.CSS() == back.CSS(), css)
		assert.Equal(t, strings.Contains(css, "to left"), o.Angle == nil, css)
	}
	o, _ := mustParse(t, "radial-gradient(ellipse closest-side at 20% 30%, red, blue)").Options()
	assert.Equal(t, gradient.Options{
		Kind: gradient.Radial, Angle: new(0.0), Positions: []float64{0, 100}, CSSColors: true, Shape: gradient.Ellipse, Extent: gradient.ClosestSide,
		Center: &gradient.Point{X: 20, Y: 30}, Space: gradient.SRGB, Hue: gradient.ShorterHue,
	}, o)
}
