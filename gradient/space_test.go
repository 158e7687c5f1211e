package gradient_test

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lucasb-eyer/go-colorful"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
)

// mixing is a space and a direction around its colour wheel.
type mixing struct {
	gradient.Space
	hue gradient.Hue
}

// String returns what follows "in" in CSS.
func (m mixing) String() string {
	if m.hue == "" {
		return string(m.Space)
	}
	return string(m.Space) + " " + string(m.hue) + " hue"
}

var spaces = []mixing{
	{Space: gradient.SRGB},
	{Space: gradient.LinearRGB},
	{Space: gradient.OKLab},
	{Space: gradient.OKLCH},
	{gradient.OKLCH, gradient.LongerHue},
	{gradient.OKLCH, gradient.IncreasingHue},
	{gradient.OKLCH, gradient.DecreasingHue},
}

func hexOf(r, g, b uint8) string { return fmt.Sprintf("#%02x%02x%02x", r, g, b) }

// rgbSamples returns all greys and ten thousand other colours.
func rgbSamples() []string {
	rng := rand.New(rand.NewPCG(1, 2))
	var colors []string
	for v := range 256 {
		colors = append(colors, hexOf(uint8(v), uint8(v), uint8(v)))
	}
	for range 10_000 {
		v := rng.Uint32()
		colors = append(colors, hexOf(uint8(v), uint8(v>>8), uint8(v>>16)))
	}
	return colors
}

// Between two equal colours there is only that colour, and a stop has exactly
// its own: converting to a space and back loses nothing.
func TestAt_equalColorsInEverySpace(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	for _, space := range spaces {
		if space.hue == gradient.LongerHue {
			continue // goes all around the wheel between equal colours
		}
		for _, hex := range rgbSamples() {
			g, err := gradient.New([]string{hex, hex, "#123456"}, gradient.Options{Space: space.Space, Hue: space.hue})
			require.NoError(t, err)
			for _, at := range []float64{0, 0.1, 0.25, 0.4, 0.5} {
				if got := gradient.FormatHex(g.At(at)); got != hex {
					require.Equal(t, hex, got, "%v at %v", space, at)
				}
			}
		}
	}
}

func TestAt_endsAreExact(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	colors := rgbSamples()
	for _, space := range spaces {
		for i := range len(colors) - 1 {
			g, err := gradient.New(colors[i:i+2], gradient.Options{Space: space.Space, Hue: space.hue})
			require.NoError(t, err)
			for at, want := range map[float64]string{-1: colors[i], 0: colors[i], 1: colors[i+1], 2: colors[i+1]} {
				if got := gradient.FormatHex(g.At(at)); got != want {
					require.Equal(t, want, got, "%v at %v", space, at)
				}
			}
		}
	}
}

// go-colorful computes the same in another way: through XYZ, with math.Pow.
func TestSpace_agreesWithColorful(t *testing.T) {
	blends := map[gradient.Space]func(a, b colorful.Color, t float64) colorful.Color{
		gradient.SRGB:      colorful.Color.BlendRgb,
		gradient.LinearRGB: colorful.Color.BlendLinearRgb,
		gradient.OKLab:     colorful.Color.BlendOkLab,
		gradient.OKLCH:     colorful.Color.BlendOkLch,
	}
	colors := rgbSamples()[256:]
	for space, blend := range blends {
		for i := range 2000 {
			g, err := gradient.New(colors[i:i+2], gradient.Options{Space: space})
			require.NoError(t, err)
			a, err := colorful.Hex(colors[i])
			require.NoError(t, err)
			b, err := colorful.Hex(colors[i+1])
			require.NoError(t, err)
			if space == gradient.OKLCH && opposite(a, b) {
				continue // rounding decides which way is shorter
			}
			at := float64(i%97) / 97
			got := g.At(at)
			wantR, wantG, wantB := blend(a, b, at).Clamped().RGB255()
			want := [3]int{int(wantR), int(wantG), int(wantB)}
			for k, v := range [3]int{int(got.R), int(got.G), int(got.B)} {
				assert.InDelta(t, want[k], v, 1, "%v between %s and %s at %v", space, colors[i], colors[i+1], at)
			}
		}
	}
}

func opposite(a, b colorful.Color) bool {
	_, _, from := a.OkLch()
	_, _, to := b.OkLch()
	return math.Abs(math.Abs(from-to)-180) < 1
}

// Outside sRGB, channels are clipped to 0 and 255: the colour whose Hex in
// go-colorful is #0ba191 is #ffa191.
func TestAt_channelsAreClamped(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	g, err := gradient.New([]string{"#ffffff", "#ff0000"}, gradient.Options{Space: gradient.OKLab})
	require.NoError(t, err)
	require.Equal(t, "#ffa191", gradient.FormatHex(g.At(0.5)))

	corners := []string{"#ff0000", "#00ff00", "#0000ff", "#ffff00", "#00ffff", "#ff00ff", "#ffffff", "#000000"}
	for _, space := range spaces {
		for _, from := range corners {
			for _, to := range corners {
				g, err := gradient.New([]string{from, to}, gradient.Options{Space: space.Space, Hue: space.hue})
				require.NoError(t, err)
				before := g.At(0)
				const steps = 2048
				for i := range steps {
					c := g.At(float64(i+1) / steps)
					jump := max(diff(c.R, before.R), diff(c.G, before.G), diff(c.B, before.B))
					if jump > 40 {
						require.LessOrEqual(t, jump, 40, "%v from %s to %s at %d", space, from, to, i)
					}
					before = c
				}
			}
		}
	}
}

func diff(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// The hue changes in the given direction.
func TestHue_directions(t *testing.T) {
	muted := func(hue float64) string { return colorful.OkLch(0.65, 0.06, hue).Hex() }
	for _, c := range []struct {
		hue      gradient.Hue
		from, to float64
		middle   float64
	}{
		{gradient.ShorterHue, 20, 100, 60},
		{gradient.ShorterHue, 350, 30, 10},
		{gradient.ShorterHue, 30, 350, 10},
		{gradient.LongerHue, 20, 100, 240},
		{gradient.LongerHue, 350, 30, 190},
		{gradient.IncreasingHue, 20, 100, 60},
		{gradient.IncreasingHue, 100, 20, 240},
		{gradient.DecreasingHue, 20, 100, 240},
		{gradient.DecreasingHue, 100, 20, 60},
	} {
		g, err := gradient.New([]string{muted(c.from), muted(c.to)}, gradient.Options{Space: gradient.OKLCH, Hue: c.hue})
		require.NoError(t, err)
		middle, ok := colorful.MakeColor(g.At(0.5))
		require.True(t, ok)
		_, _, hue := middle.OkLch()
		off := math.Mod(hue-c.middle+540, 360) - 180
		assert.InDelta(t, 0, off, 3, "%v from %v to %v: %v", c.hue, c.from, c.to, hue)
	}
}

// A grey has no hue: it takes that of its neighbour on either side.
func TestAt_greysTakeTheOtherHue(t *testing.T) {
	for _, grey := range []string{"#ffffff", "#808080", "#010101"} {
		for _, space := range spaces[3:] {
			if space.hue == gradient.LongerHue {
				continue
			}
			for _, colors := range [][]string{{grey, "#3060c0"}, {"#3060c0", grey}} {
				g, err := gradient.New(colors, gradient.Options{Space: space.Space, Hue: space.hue})
				require.NoError(t, err)
				blue, _ := colorful.MakeColor(color.NRGBA{0x30, 0x60, 0xc0, 255})
				middle, _ := colorful.MakeColor(g.At(0.5))
				_, _, want := blue.OkLch()
				_, _, got := middle.OkLch()
				assert.InDelta(t, want, got, 2, "%v %v", space, colors)
			}
		}
	}
}

// Colours fade with premultiplied alpha: red does not darken towards
// transparent.
func TestAt_premultipliedAlpha(t *testing.T) {
	for _, space := range []string{"srgb", "srgb-linear", "oklab", "oklch"} {
		g := mustParse(t, "linear-gradient(in "+space+", red, transparent)")
		for i := range 20 {
			c := g.At(float64(i) / 20)
			assert.Equal(t, [3]uint8{255, 0, 0}, [3]uint8{c.R, c.G, c.B}, space)
			assert.InDelta(t, 255*(1-float64(i)/20), float64(c.A), 0.51)
		}
		require.Zero(t, g.At(1))
	}
}

func TestAt_positions(t *testing.T) {
	for _, c := range []struct {
		css  string
		at   float64
		want string
	}{
		{"linear-gradient(red 20%, blue 40%)", 0, "#ff0000"},
		{"linear-gradient(red 20%, blue 40%)", 0.25, "#bf0040"},
		{"linear-gradient(red 20%, blue 40%)", 0.9, "#0000ff"},
		{"linear-gradient(red 50%, lime 20%, blue)", 0.5, "#00ff00"},
		{"linear-gradient(red 50%, lime 20%, blue)", 0.49, "#ff0000"},
		{"linear-gradient(red 50%, blue 50%)", 0.5, "#0000ff"},
		{"linear-gradient(red, 25%, blue)", 0.25, "#800080"},
		{"linear-gradient(red, 0%, blue)", 0.01, "#0000ff"},
		{"linear-gradient(red, 100%, blue)", 0.99, "#ff0000"},
		{"linear-gradient(red, 50%, blue)", 0.25, "#bf0040"},
		{"repeating-linear-gradient(red 20%, blue 40%)", 0.45, "#bf0040"},
		{"repeating-linear-gradient(red 20%, blue 40%)", 0.05, "#bf0040"},
		{"repeating-linear-gradient(red 20%, blue 40%)", -3.75, "#bf0040"},
		{"repeating-linear-gradient(red 20%, blue 20%)", 0.1, "#0000ff"},
		{"linear-gradient(red, blue)", math.NaN(), "#ff0000"},
		{"linear-gradient(red, blue)", math.Inf(1), "#0000ff"},
		{"repeating-linear-gradient(red, blue)", math.Inf(1), "#ff0000"},
		{"repeating-linear-gradient(red, blue)", math.NaN(), "#ff0000"},
	} {
		assert.Equal(t, c.want, gradient.FormatHex(mustParse(t, c.css).At(c.at)), "%s at %v", c.css, c.at)
	}
}
