package bench

import (
	"fmt"
	"image"
	"math"
	"strings"
	"testing"

	"github.com/lucasb-eyer/go-colorful"
	"github.com/mazznoer/colorgrad"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
)

// gradientColors are the five stops of every benchmark.
var gradientColors = []string{"#ff0000", "#ffa500", "#ffff00", "#008000", "#0000ff"}

const gradientCSS = "linear-gradient(135deg, #ff0000 0%, #ffa500 25%, #ffff00 50%, #008000 75%, #0000ff 100%)"

func ourGradient(b *testing.B, o gradient.Options) gradient.Gradient {
	b.Helper()
	o.Angle = new(135.0)
	g, err := gradient.New(gradientColors, o)
	require.NoError(b, err)
	return g
}

func colorgradGradient(b *testing.B, mode colorgrad.BlendMode) colorgrad.Gradient {
	b.Helper()
	g, err := colorgrad.NewGradient().HtmlColors(gradientColors...).Mode(mode).Build()
	require.NoError(b, err)
	return g
}

func BenchmarkGradientCSS(b *testing.B) {
	g := ourGradient(b, gradient.Options{})
	require.Equal(b, gradientCSS, g.CSS())
	b.Run("devkiln", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = g.CSS()
		}
	})
	b.Run("devkiln-with-prefixes", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = g.CSSWithPrefixes()
		}
	})
	b.Run("devkiln-new-and-css", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			g, _ := gradient.New(gradientColors, gradient.Options{})
			_ = g.CSS()
		}
	})
	b.Run("fmt", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			stops := make([]string, len(gradientColors))
			for i, c := range gradientColors {
				stops[i] = fmt.Sprintf("%s %v%%", strings.ToLower(c), 25*i)
			}
			_ = fmt.Sprintf("linear-gradient(%vdeg, %s)", 135, strings.Join(stops, ", "))
		}
	})
}

func BenchmarkGradientParse(b *testing.B) {
	const stops = "#ff0000 0%, #ffa500 25%, #ffff00 50%, #008000 75%, #0000ff 100%"
	b.Run("devkiln", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := gradient.Parse(gradientCSS); err != nil {
				b.Fatal(err)
			}
		}
	})
	// colorgrad parses only the list of stops.
	b.Run("colorgrad", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := colorgrad.NewGradient().Css(stops).Build(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// A megabyte of parentheses must cost almost nothing.
func BenchmarkGradientParseHostile(b *testing.B) {
	for name, text := range map[string]string{
		"1MB-parentheses":   strings.Repeat("(", 1<<20),
		"128KB-unfinished":  "linear-gradient(" + strings.Repeat("red 1% 2%,", 12<<10),
		"128KB-of-comments": strings.Repeat("/**/", 32<<10),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := gradient.Parse(text); err == nil {
					b.Fatal("accepted")
				}
			}
		})
	}
}

func BenchmarkGradientAt(b *testing.B) {
	places := make([]float64, 1024)
	for i := range places {
		places[i] = math.Mod(float64(i)*0.6180339887, 1)
	}
	for _, space := range []struct {
		name      string
		ours      gradient.Space
		colorgrad colorgrad.BlendMode
		colorful  func(a, b colorful.Color, t float64) colorful.Color
	}{
		{"srgb", gradient.SRGB, colorgrad.BlendRgb, colorful.Color.BlendRgb},
		{"srgb-linear", gradient.LinearRGB, colorgrad.BlendLinearRgb, colorful.Color.BlendLinearRgb},
		{"oklab", gradient.OKLab, colorgrad.BlendOklab, colorful.Color.BlendOkLab},
	} {
		b.Run(space.name+"/devkiln", func(b *testing.B) {
			g := ourGradient(b, gradient.Options{Space: space.ours})
			i := 0
			for b.Loop() {
				_ = g.At(places[i&1023])
				i++
			}
		})
		b.Run(space.name+"/colorgrad", func(b *testing.B) {
			g := colorgradGradient(b, space.colorgrad)
			i := 0
			for b.Loop() {
				_, _, _, _ = g.At(places[i&1023]).RGBA255()
				i++
			}
		})
		// go-colorful has no stops: it blends two colours.
		b.Run(space.name+"/go-colorful", func(b *testing.B) {
			from, err := colorful.Hex(gradientColors[0])
			require.NoError(b, err)
			to, err := colorful.Hex(gradientColors[4])
			require.NoError(b, err)
			i := 0
			for b.Loop() {
				_, _, _ = space.colorful(from, to, places[i&1023]).Clamped().RGB255()
				i++
			}
		})
	}
}

// width and height are the size of all images in pixels.
const width, height = 1920, 1080

// paintColorgrad paints an image as a user of colorgrad would.
func paintColorgrad(g colorgrad.Gradient, place func(x, y float64) float64) {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	i := 0
	for y := range height {
		for x := range width {
			p := img.Pix[i : i+4 : i+4]
			p[0], p[1], p[2], p[3] = g.At(place(float64(x)+0.5, float64(y)+0.5)).RGBA255()
			i += 4
		}
	}
}

// conicPlace returns the position of a pixel on a centred conic gradient.
func conicPlace(x, y float64) float64 {
	t := math.Atan2(x-width/2, height/2-y) / (2 * math.Pi)
	return t - math.Floor(t)
}

// BenchmarkGradientRatio alternates between two painters and compares the best
// time of each, as BenchmarkSlugRatio does. Run it with -benchtime 30x.
func BenchmarkGradientRatio(b *testing.B) {
	peer := colorgradGradient(b, colorgrad.BlendRgb)
	conic := ourGradient(b, gradient.Options{Kind: gradient.Conic, Angle: new(0.0)})
	for _, c := range []struct {
		name        string
		long, short func()
	}{
		{"conic-colorgrad-to-devkiln", func() { paintColorgrad(peer, conicPlace) }, func() { _, _ = conic.Image(width, height) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			long, short := math.Inf(1), math.Inf(1)
			for b.Loop() {
				long, short = min(long, burst(1, c.long)), min(short, burst(1, c.short))
			}
			b.ReportMetric(long, "long-ns")
			b.ReportMetric(short, "short-ns")
			b.ReportMetric(long/short, "x")
		})
	}
}

func BenchmarkGradientImage(b *testing.B) {
	peer := func(place func(x, y float64) float64) func(*testing.B) {
		return func(b *testing.B) {
			g := colorgradGradient(b, colorgrad.BlendRgb)
			b.ReportAllocs()
			for b.Loop() {
				paintColorgrad(g, place)
			}
		}
	}
	ours := func(o gradient.Options) func(*testing.B) {
		return func(b *testing.B) {
			g := ourGradient(b, o)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := g.Image(width, height); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	rows := func(o gradient.Options) func(*testing.B) {
		return func(b *testing.B) {
			g := ourGradient(b, o)
			row := make([]byte, 3*width)
			b.ReportAllocs()
			for b.Loop() {
				p, err := g.Painter(width, height)
				if err != nil {
					b.Fatal(err)
				}
				for y := range height {
					p.Row(0, y, row)
				}
			}
		}
	}
	const length = (width + height) / math.Sqrt2
	b.Run("linear/colorgrad", peer(func(x, y float64) float64 {
		return 0.5 + ((x-width/2)+(y-height/2))/(math.Sqrt2*length)
	}))
	b.Run("linear/devkiln", ours(gradient.Options{}))
	b.Run("linear/devkiln-rows", rows(gradient.Options{}))
	b.Run("linear/devkiln-oklab", ours(gradient.Options{Space: gradient.OKLab}))

	radius := math.Hypot(width/2, height/2)
	b.Run("radial/colorgrad", peer(func(x, y float64) float64 {
		return math.Hypot(x-width/2, y-height/2) / radius
	}))
	b.Run("radial/devkiln", ours(gradient.Options{Kind: gradient.Radial}))
	b.Run("radial/devkiln-rows", rows(gradient.Options{Kind: gradient.Radial}))

	b.Run("conic/colorgrad", peer(conicPlace))
	b.Run("conic/devkiln", ours(gradient.Options{Kind: gradient.Conic, Angle: new(0.0)}))
}
