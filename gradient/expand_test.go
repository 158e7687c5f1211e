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
	require.True(t, g.Kind() == gradient.Linear && g.Angle() == 90, css)
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
					assert.Equal(t, gradient.SRGB, g.Space())
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
	_, err := g.WithSpace(99, 99)
	assert.Equal(t, map[string]string{"space": "not_one_of", "hue": "not_one_of"}, fieldsOf(err))

	many := mustParse(t, "linear-gradient(in oklab, "+strings.Repeat("red, blue, ", 300)+"red)")
	_, err = many.Expand(gradient.ExpandOptions{MaxError: 1})
	option, ok := errors.AsType[*invalid.Input](err)
	require.True(t, ok)
	require.Equal(t, "maxError", option.Field)
	require.Contains(t, err.Error(), "more than 1024 stops")

	var zero gradient.Gradient
	expanded, err := zero.Expand(gradient.ExpandOptions{})
	require.NoError(t, err)
	require.Equal(t, zero, expanded)
}

func TestGradient_Expand_easing(t *testing.T) {
	for _, c := range []struct{ easing, in, want string }{
		{"linear", "linear-gradient(red, blue)", "linear-gradient(180deg, #ff0000 0%, #0000ff 100%)"},
		{"steps(3)", "linear-gradient(white, black)", "linear-gradient(180deg, #ffffff 0%, #ffffff 33.3333%, #aaaaaa 33.3333%, #aaaaaa 66.6667%, #555555 66.6667%, #555555 100%, #000000 100%)"},
		{"steps(2, start)", "linear-gradient(white, black)", "linear-gradient(180deg, #ffffff 0%, #808080 0%, #808080 50%, #000000 50%, #000000 100%)"},
		{"steps(2, jump-none)", "linear-gradient(white, black)", "linear-gradient(180deg, #ffffff 0%, #ffffff 50%, #000000 50%, #000000 100%)"},
		{"steps(1, jump-both)", "linear-gradient(white 10%, black 30%)", "linear-gradient(180deg, #ffffff 10%, #808080 10%, #808080 30%, #000000 30%)"},
		{"steps(1)", "linear-gradient(red, 20%, blue, lime)", "linear-gradient(180deg, #ff0000 0%, #ff0000 60%, #0000ff 60%, #0000ff 100%, #00ff00 100%)"},
	} {
		e, err := gradient.ParseEasing(c.easing)
		require.NoError(t, err)
		g, err := mustParse(t, c.in).Expand(gradient.ExpandOptions{Easing: e})
		require.NoError(t, err)
		assert.Equal(t, c.want, g.CSS(), c.easing)
	}
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
	black, white := color.NRGBA{A: 255}, color.NRGBA{255, 255, 255, 255}
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
	best, contrast := mustParse(t, "linear-gradient(#000080, #4b0082)").BestText()
	require.Equal(t, white, best)
	require.Greater(t, contrast, 12.0)
	best, _ = mustParse(t, "linear-gradient(yellow, orange)").BestText()
	require.Equal(t, black, best)
	best, contrast = mustParse(t, "linear-gradient(yellow, orange)").BestText(parse("red"), parse("navy"), parse("navy"))
	require.Equal(t, parse("navy"), best)
	require.Greater(t, contrast, 7.0)
	best, contrast = gradient.Gradient{}.BestText(parse("red"))
	require.Equal(t, parse("red"), best)
	require.Equal(t, 1.0, contrast)
}

func TestGradient_Reverse(t *testing.T) {
	for in, want := range map[string]string{
		"linear-gradient(90deg, #ff0000 10%, #0000ff 30%)":                            "linear-gradient(90deg, #0000ff 70%, #ff0000 90%)",
		"linear-gradient(90deg, red, 20%, blue 60%, lime)":                            "linear-gradient(90deg, #00ff00 0%, #0000ff 40%, 80%, #ff0000 100%)",
		"linear-gradient(90deg, red 50%, blue 20%, lime)":                             "linear-gradient(90deg, #00ff00 0%, #0000ff 50%, #ff0000 50%)",
		"linear-gradient(90deg in oklch decreasing hue, #ff0000 0%, #0000ff 100%)":    "linear-gradient(90deg in oklch increasing hue, #0000ff 0%, #ff0000 100%)",
		"conic-gradient(from 1deg in oklch increasing hue, #ff0000 0%, #0000ff 100%)": "conic-gradient(from 1deg in oklch decreasing hue, #0000ff 0%, #ff0000 100%)",
	} {
		g := mustParse(t, in)
		assert.Equal(t, want, g.Reverse().CSS())
		if strings.Contains(in, "20%, blue 60%") {
			continue // the curve of a hint is not symmetric
		}
		for _, at := range []float64{0.01, 0.15, 0.33, 0.61, 0.99} {
			a, b := g.At(at), g.Reverse().At(1-at)
			assert.LessOrEqual(t, max(diff(a.R, b.R), diff(a.G, b.G), diff(a.B, b.B)), 1, "%s at %v", in, at)
		}
	}
	assert.Equal(t, gradient.Gradient{}, gradient.Gradient{}.Reverse())
}

func TestGradient_accessors(t *testing.T) {
	g := mustParse(t, "radial-gradient(ellipse closest-side at 20% 30%, red, blue)")
	assert.Equal(t, gradient.Ellipse, g.Shape())
	assert.Equal(t, gradient.ClosestSide, g.Extent())
	assert.Equal(t, gradient.Point{X: 20, Y: 30}, g.Center())
	_, explicit := g.Radii()
	assert.False(t, explicit)
	radii, explicit := mustParse(t, "radial-gradient(10% 20%, red, blue)").Radii()
	assert.True(t, explicit)
	assert.Equal(t, gradient.Point{X: 10, Y: 20}, radii)
	assert.Equal(t, "top left", mustParse(t, "linear-gradient(to left top, red, blue)").Corner())
	assert.Equal(t, "", mustParse(t, "linear-gradient(to left, red, blue)").Corner())
	wheel, err := mustParse(t, "linear-gradient(red, blue)").WithSpace(gradient.OKLCH, gradient.LongerHue)
	require.NoError(t, err)
	assert.Equal(t, "linear-gradient(180deg in oklch longer hue, #ff0000 0%, #0000ff 100%)", wheel.CSS())
	assert.Equal(t, gradient.LongerHue, wheel.Hue())
}
