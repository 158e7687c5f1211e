package gradient_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/internal/invalid"
)

// cases reads a table of cases. An unknown key is an error.
func cases[T any](t testing.TB, file string) []T {
	t.Helper()
	table := object[[]T](t, file)
	require.NotEmpty(t, table)
	return table
}

// object reads one JSON value. An unknown field is an error.
func object[T any](t testing.TB, file string) (value T) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&value))
	return value
}

// request is a gradient in a test file.
type request struct {
	Name      string
	Type      string
	Colors    []string
	Angle     *float64
	Positions []float64
	Repeating bool
	Shape     string
	Extent    string
	Center    *[2]float64
	Space     string
}

func (r request) options(t testing.TB) gradient.Options {
	t.Helper()
	// "oklch longer hue" is a space and a hue.
	space, hue, _ := strings.Cut(strings.TrimSuffix(r.Space, " hue"), " ")
	o := gradient.Options{
		Kind: gradient.Kind(r.Type), Angle: r.Angle, Positions: r.Positions, Repeating: r.Repeating,
		Shape: gradient.Shape(r.Shape), Extent: gradient.Extent(r.Extent), Space: gradient.Space(space), Hue: gradient.Hue(hue),
	}
	if r.Center != nil {
		o.Center = &gradient.Point{X: r.Center[0], Y: r.Center[1]}
	}
	return o
}

func TestCSS(t *testing.T) {
	type c struct {
		request
		CSS, Prefixes string
	}
	for _, c := range cases[c](t, "css.json") {
		t.Run(c.Name, func(t *testing.T) {
			g, err := gradient.New(c.Colors, c.options(t))
			require.NoError(t, err)
			require.Equal(t, c.CSS, g.CSS())
			if c.Prefixes != "" {
				require.Equal(t, c.Prefixes, g.CSSWithPrefixes())
			}
			back, err := gradient.Parse(g.CSS())
			require.NoError(t, err)
			require.Equal(t, g, back)
		})
	}
}

func TestNew_refusesOptions(t *testing.T) {
	type c struct {
		request
		Errors map[string]string
	}
	for _, c := range cases[c](t, "options_errors.json") {
		t.Run(c.Name, func(t *testing.T) {
			_, err := gradient.New(c.Colors, c.options(t))
			require.Equal(t, c.Errors, fieldsOf(err))
		})
	}
}

// fieldsOf returns the fields and reasons of option errors.
func fieldsOf(err error) map[string]string {
	found := map[string]string{}
	all, _ := invalid.Of(err)
	for _, e := range all {
		found[e.Field] = e.Reason
	}
	return found
}

func TestNew_anglesThatAreNoNumbers(t *testing.T) {
	for _, angle := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, kind := range []gradient.Kind{gradient.Linear, gradient.Radial, gradient.Conic} {
			_, err := gradient.New([]string{"#000000", "#ffffff"}, gradient.Options{Angle: &angle, Kind: kind})
			assert.Equal(t, map[string]string{"angle": "out_of_range"}, fieldsOf(err))
		}
	}
	_, err := gradient.New([]string{"#000000", "#ffffff"}, gradient.Options{Positions: []float64{0, math.NaN()}})
	assert.Equal(t, map[string]string{"positions[1]": "out_of_range"}, fieldsOf(err))
	_, err = gradient.New([]string{"#000000", "#ffffff"}, gradient.Options{Center: &gradient.Point{X: math.NaN()}})
	assert.Equal(t, map[string]string{"center": "out_of_range"}, fieldsOf(err))
}

func TestNew_refusesNames(t *testing.T) {
	_, err := gradient.New([]string{"#000000", "#ffffff"}, gradient.Options{Kind: "Linear", Shape: "x", Extent: "x", Space: "x", Hue: "x"})
	require.EqualError(t, err, `type: must be linear, radial or conic
shape: must be circle or ellipse
extent: must be farthest-corner, closest-side, farthest-side or closest-corner
space: must be srgb, srgb-linear, oklab, oklch, display-p3, lab, lch, hsl or hwb
hue: must be shorter, longer, increasing or decreasing`)
	require.Equal(t, "not_one_of", fieldsOf(err)["type"])
}

func TestGradient_zeroValue(t *testing.T) {
	var g gradient.Gradient
	require.Equal(t, "none", g.CSS())
	require.Equal(t, "background: none;", g.CSSWithPrefixes())
	require.Zero(t, g.At(0.5))
	require.Empty(t, g.Stops())
	p, err := g.Painter(2, 1)
	require.NoError(t, err)
	row := []byte{1, 2, 3, 4, 5, 6}
	p.Row(0, 0, row)
	require.Equal(t, []byte{255, 255, 255, 255, 255, 255}, row)
}

func TestNew_copiesStops(t *testing.T) {
	g, err := gradient.Parse("linear-gradient(red, 20%, blue)")
	require.NoError(t, err)
	stops := g.Stops()
	stops[0].Color.R, *stops[0].Hint = 1, 99
	require.Equal(t, "linear-gradient(180deg, #ff0000 0%, 20%, #0000ff 100%)", g.CSS())
	require.Equal(t, []string{"#ff0000", "#0000ff"}, g.HexColors())
}

func TestNew_cssColors(t *testing.T) {
	colors := []string{"#ff000080", "rebeccapurple", "#0f0", "oklch(0.7 0.1 50)"}
	_, err := gradient.New(colors, gradient.Options{})
	require.EqualError(t, err, "colors[0]: must be #RRGGBB\ncolors[1]: must be #RRGGBB\ncolors[2]: must be #RRGGBB\ncolors[3]: must be #RRGGBB")
	g, err := gradient.New(colors, gradient.Options{CSSColors: true})
	require.NoError(t, err)
	require.Equal(t, "linear-gradient(90deg in srgb, rgba(255, 0, 0, 0.5) 0%, #663399 33.3333%, #00ff00 66.6667%, oklch(0.7 0.1 50) 100%)", g.CSS())
	_, err = gradient.New([]string{"red", "blu"}, gradient.Options{CSSColors: true})
	require.EqualError(t, err, "colors[1]: must be a CSS color, such as #f00 or red")
}

func TestGradient_CSSWithFallback(t *testing.T) {
	const css = "linear-gradient(90deg in oklch, #ff0000 0%, #ff8800 100%)"
	text, err := mustParse(t, css).CSSWithFallback(gradient.ExpandOptions{})
	require.NoError(t, err)
	plain, modern, ok := strings.Cut(text, "\n@supports ")
	require.True(t, ok)
	require.Equal(t, "(background: "+css+") {\n  background: "+css+";\n}", modern)
	require.Equal(t, 4, strings.Count(plain, "gradient("))
	require.NotContains(t, plain, "oklch")

	_, err = mustParse(t, css).CSSWithFallback(gradient.ExpandOptions{MaxError: 99})
	require.EqualError(t, err, "maxError: must be 0 or from 1 to 64")
	same := mustParse(t, "linear-gradient(red, blue)")
	text, err = same.CSSWithFallback(gradient.ExpandOptions{})
	require.NoError(t, err)
	require.Equal(t, same.CSSWithPrefixes(), text)
}
