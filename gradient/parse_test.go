package gradient_test

import (
	"errors"
	"image/color"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
)

func TestParse(t *testing.T) {
	type c struct{ In, CSS string }
	for _, c := range cases[c](t, "parse.json") {
		g, err := gradient.Parse(c.In)
		if !assert.NoError(t, err, c.In) {
			continue
		}
		assert.Equal(t, c.CSS, g.CSS(), c.In)
		back, err := gradient.Parse(g.CSS())
		assert.NoError(t, err, c.In)
		assert.Equal(t, g, back, c.In)
	}
}

// The box is 300 by 200 pixels.
func TestParseIn_lengths(t *testing.T) {
	type c struct {
		In, CSS string
		Offset  *int
	}
	for _, c := range cases[c](t, "parse_in.json") {
		g, err := gradient.ParseIn(c.In, gradient.Box{Width: 300, Height: 200})
		if c.Offset == nil {
			assert.NoError(t, err, c.In)
			assert.Equal(t, c.CSS, g.CSS(), c.In)
			_, err = gradient.Parse(c.In)
			assert.Error(t, err, c.In)
			continue
		}
		fault, ok := errors.AsType[*gradient.ParseError](err)
		if assert.True(t, ok, c.In) {
			assert.Equal(t, *c.Offset, fault.Offset, "%s: %v", c.In, err)
		}
	}
	_, err := gradient.ParseIn("linear-gradient(red, blue)", gradient.Box{Height: 2e6})
	require.EqualError(t, err, "width: must be from 1 to 1000000\nheight: must be from 1 to 1000000")
}

func TestParse_errors(t *testing.T) {
	type c struct {
		In       string
		Offset   int
		Expected string
	}
	for _, c := range cases[c](t, "parse_errors.json") {
		_, err := gradient.Parse(c.In)
		fault, ok := errors.AsType[*gradient.ParseError](err)
		if !assert.True(t, ok, c.In) {
			continue
		}
		assert.Equal(t, c.Offset, fault.Offset, "%s: %v", c.In, err)
		assert.Equal(t, c.Expected, fault.Expected, c.In)
		assert.LessOrEqual(t, len(fault.Found), 24)
		assert.True(t, strings.HasPrefix(c.In[c.Offset:], fault.Found), c.In)
	}
}

func TestParseColor(t *testing.T) {
	type c struct {
		In, Hex string
		Offset  *int
	}
	for _, c := range cases[c](t, "colors.json") {
		got, err := gradient.ParseColor(c.In)
		if c.Offset == nil {
			assert.NoError(t, err, c.In)
			assert.Equal(t, c.Hex, gradient.FormatHex(got.NRGBA()), c.In)
			continue
		}
		fault, ok := errors.AsType[*gradient.ParseError](err)
		if assert.True(t, ok, c.In) {
			assert.Equal(t, *c.Offset, fault.Offset, "%s: %v", c.In, err)
		}
		assert.Zero(t, got, c.In)
	}
}

func TestFormatHex_keepsAlpha(t *testing.T) {
	for a := range 256 {
		hex := gradient.FormatHex(color.NRGBA{R: 1, G: 2, B: 3, A: uint8(a)})
		g, err := gradient.Parse("linear-gradient(" + hex + ", #fff)")
		assert.NoError(t, err)
		back, err := gradient.Parse(g.CSS())
		assert.NoError(t, err)
		assert.Equal(t, hex, back.HexColors()[0])
	}
}

func TestParse_limits(t *testing.T) {
	stops := func(n int) string {
		return "linear-gradient(" + strings.Repeat("red,", n-1) + "red)"
	}
	g, err := gradient.Parse(stops(gradient.MaxStops))
	require.NoError(t, err)
	require.Len(t, g.Stops(), gradient.MaxStops)
	_, err = gradient.Parse(g.CSS())
	require.NoError(t, err)
	_, err = gradient.Parse(stops(gradient.MaxStops + 1))
	require.ErrorContains(t, err, "at most 1024 color stops")

	for _, c := range []string{"(", "linear-gradient(", "linear-gradient(red 1%,", "rgb(", "/*", " ", "1", "-"} {
		for _, prefix := range []string{"", "linear-gradient(", "linear-gradient(red, rgb("} {
			_, err := gradient.Parse(prefix + strings.Repeat(c, 1<<20/len(c)))
			assert.Error(t, err)
			assert.Less(t, len(err.Error()), 300)
			_, err = gradient.ParseColor(prefix + strings.Repeat(c, 1<<20/len(c)))
			assert.Error(t, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	type seed struct{ In, CSS string }
	for _, c := range cases[seed](f, "parse.json") {
		f.Add(c.In)
	}
	type bad struct {
		In       string
		Offset   int
		Expected string
	}
	for _, c := range cases[bad](f, "parse_errors.json") {
		f.Add(c.In)
	}
	f.Fuzz(func(t *testing.T, in string) {
		g, err := gradient.Parse(in)
		if err != nil {
			fault, ok := errors.AsType[*gradient.ParseError](err)
			require.True(t, ok)
			require.True(t, fault.Offset >= 0 && fault.Offset <= len(in))
			return
		}
		back, err := gradient.Parse(g.CSS())
		require.NoError(t, err, g.CSS())
		require.Equal(t, g, back)
		requireSamePrefixed(t, g)
		for _, at := range []float64{-1, 0, 0.3, 1, 7} {
			g.At(at)
		}
		require.LessOrEqual(t, g.Contrast(color.NRGBA{1, 2, 3, 200}), 21.0)
		for _, box := range [][2]int{{3, 2}, {300, 40}} {
			_, err := g.Image(box[0], box[1])
			require.NoError(t, err)
			_, err = g.Image(box[0], box[1])
			require.NoError(t, err)
			require.NoError(t, g.WriteSVG(io.Discard, box[0], box[1]))
		}
		if expanded, err := g.Expand(gradient.ExpandOptions{}); err == nil {
			back, err := gradient.Parse(expanded.CSS())
			require.NoError(t, err)
			require.Equal(t, expanded, back)
		}
	})
}

// requireSamePrefixed fails unless each declaration of a gradient parses as the
// gradient. A whole turn has the same prefixed form as no turn: 90deg.
func requireSamePrefixed(t *testing.T, g gradient.Gradient) {
	t.Helper()
	for declaration := range strings.SplitSeq(g.CSSWithPrefixes(), "\n") {
		value := strings.TrimSuffix(strings.TrimPrefix(declaration, "background: "), ";")
		same, err := gradient.Parse(value)
		require.NoError(t, err, value)
		want := g.CSS()
		if strings.HasPrefix(value, "-") {
			want = strings.Replace(want, "linear-gradient(360deg", "linear-gradient(0deg", 1)
		}
		require.Equal(t, want, same.CSS(), value)
	}
}

func FuzzParseColor(f *testing.F) {
	type seed struct {
		In, Hex string
		Offset  *int
	}
	for _, c := range cases[seed](f, "colors.json") {
		f.Add(c.In)
	}
	f.Fuzz(func(t *testing.T, in string) {
		c, err := gradient.ParseColor(in)
		if err != nil {
			fault, ok := errors.AsType[*gradient.ParseError](err)
			require.True(t, ok)
			require.True(t, fault.Offset >= 0 && fault.Offset <= len(in))
			return
		}
		back, err := gradient.ParseColor(gradient.FormatHex(c.NRGBA()))
		require.NoError(t, err)
		require.Equal(t, c.NRGBA(), back.NRGBA())
	})
}

func FuzzParseEasing(f *testing.F) {
	type seed struct {
		In     string
		At     [][2]float64
		Offset *int
		Errors map[string]string
	}
	for _, c := range cases[seed](f, "easings.json") {
		f.Add(c.In)
	}
	f.Fuzz(func(t *testing.T, in string) {
		e, err := gradient.ParseEasing(in)
		if err != nil {
			return
		}
		for i := range 11 {
			v := e.At(float64(i) / 10)
			require.True(t, v >= 0 && v <= 1, "%s: %v", in, v)
		}
	})
}
