package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/internal/e2e"
)

// gradientCase is a gradient, its box and the permitted difference of a channel
// in levels of 255.
type gradientCase struct {
	CSS       string
	Width     int
	Height    int
	Tolerance int
}

func gradientCases(t *testing.T) []gradientCase {
	t.Helper()
	data, err := os.ReadFile("testdata/gradients.json")
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var table []gradientCase
	require.NoError(t, d.Decode(&table))
	return table
}

// The image, the SVG and each prefixed declaration that Chromium accepts must
// look like Chromium's painting of the CSS. Pixels are compared premultiplied.
//
// The cases exclude what Chromium's rounding errors decide: the middle pixel of
// a conic gradient, and greys in OKLCH.
func TestGradient_pixels(t *testing.T) {
	t.Parallel()
	canvas := gradientCanvas{t, e2e.OpenWindow(t)}
	require.NoError(t, canvas.Transparent())
	table := gradientCases(t)
	require.GreaterOrEqual(t, len(table), 60)
	for _, c := range table {
		t.Run(fmt.Sprintf("%s/%dx%d", c.CSS, c.Width, c.Height), func(t *testing.T) {
			canvas := gradientCanvas{t, canvas.Browser}
			g, err := gradient.Parse(c.CSS)
			require.NoError(t, err)
			truth := canvas.paint(c.CSS, c.Width, c.Height)
			edges := edgesOf(t, g, c.Width, c.Height)
			same := func(what string, got image.Image) {
				t.Helper()
				worst, count, at := difference(truth, premultiplied(got), edges, c.Tolerance)
				t.Logf("worst %d: %s", worst, what)
				assert.LessOrEqual(t, worst, c.Tolerance, "%s: %d pixels differ by more than %d, the first at %v", what, count, c.Tolerance, at)
			}
			same("our CSS", canvas.paint(g.CSS(), c.Width, c.Height))
			same("our image", imageOf(t, g, c.Width, c.Height))
			same("our SVG", canvas.draw(g, c.Width, c.Height))
			if o, _ := g.Options(); o.Space != gradient.SRGB {
				plain, err := g.Expand(gradient.ExpandOptions{MaxError: 1})
				require.NoError(t, err)
				same("our expansion", canvas.paint(plain.CSS(), c.Width, c.Height))
			}
			declarations := strings.Split(g.CSSWithPrefixes(), "\n")
			for _, declaration := range declarations[:len(declarations)-1] {
				value := strings.TrimSuffix(strings.TrimPrefix(declaration, "background: "), ";")
				webkit := strings.HasPrefix(value, "-webkit-")
				require.Equal(t, webkit, canvas.accepts(value), value)
				if webkit {
					same(value, canvas.paint(value, c.Width, c.Height))
				}
			}
		})
	}
}

// Rows over white match what Chromium paints on a white page.
func TestGradient_rowsOverWhite(t *testing.T) {
	t.Parallel()
	canvas := gradientCanvas{t, e2e.Open(t)}
	for _, css := range []string{
		"linear-gradient(20deg, rgba(255,0,0,0.3) 10%, rgba(0,128,0,0.9) 55%, rgba(0,0,255,0.1))",
		"radial-gradient(circle in oklab, rgba(255,255,0,0.9), rgba(0,0,255,0.1))",
	} {
		const width, height = 211, 133
		g, err := gradient.Parse(css)
		require.NoError(t, err)
		p, err := g.Painter(width, height)
		require.NoError(t, err)
		got := image.NewRGBA(image.Rect(0, 0, width, height))
		row := make([]byte, 3*width)
		for y := range height {
			p.Row(0, y, row)
			for x := range width {
				copy(got.Pix[y*got.Stride+4*x:], []byte{row[3*x], row[3*x+1], row[3*x+2], 255})
			}
		}
		worst, _, at := difference(canvas.paint(css, width, height), got, edges{}, 1)
		assert.LessOrEqual(t, worst, 1, "%s at %v", css, at)
	}
}

// The comparison detects a prefixed angle that is not converted, a mistake of
// many generators.
func TestGradient_unconvertedAngleIsNoticed(t *testing.T) {
	t.Parallel()
	canvas := gradientCanvas{t, e2e.Open(t)}
	g, err := gradient.New([]string{"#ff0000", "#0000ff"}, gradient.Options{Angle: new(10.0)})
	require.NoError(t, err)
	const width, height = 120, 80
	truth := canvas.paint(g.CSS(), width, height)
	worst, _, _ := difference(truth, canvas.paint("-webkit-"+g.CSS(), width, height), edgesOf(t, g, width, height), 1)
	require.Greater(t, worst, 100)
}

// gradientCanvas paints into the top left corner of a page.
type gradientCanvas struct {
	t *testing.T
	*e2e.Browser
}

// paint returns Chromium's painting of a background.
func (c gradientCanvas) paint(css string, width, height int) *image.RGBA {
	c.t.Helper()
	require.True(c.t, c.accepts(css), "Chromium refuses %s", css)
	require.NoError(c.t, c.Show(fmt.Sprintf(`<div style="width:%dpx;height:%dpx;background:%s"></div>`, width, height, css)))
	return c.shot(width, height)
}

// draw returns Chromium's painting of the SVG.
func (c gradientCanvas) draw(g gradient.Gradient, width, height int) *image.RGBA {
	c.t.Helper()
	var svg bytes.Buffer
	require.NoError(c.t, g.WriteSVG(&svg, width, height))
	require.NoError(c.t, c.Show(svg.String()))
	_, err := e2e.Call[any](c.Browser, `() => Promise.all([...document.querySelectorAll('image')].map(i => i.decode()))`)
	require.NoError(c.t, err)
	return c.shot(width, height)
}

func (c gradientCanvas) shot(width, height int) *image.RGBA {
	c.t.Helper()
	img, err := c.Screenshot(width, height)
	require.NoError(c.t, err)
	return premultiplied(img)
}

func (c gradientCanvas) accepts(css string) bool {
	c.t.Helper()
	ok, err := e2e.Call[bool](c.Browser, `(css) => CSS.supports('background', css)`, css)
	require.NoError(c.t, err)
	return ok
}

// premultiplied restores the premultiplied pixels of a PNG: image/png divides
// by alpha, and rounding here reverses it exactly.
func premultiplied(img image.Image) *image.RGBA {
	switch img := img.(type) {
	case *image.RGBA:
		return img
	case *image.NRGBA:
		out := image.NewRGBA(img.Rect)
		for i := 0; i < len(img.Pix); i += 4 {
			a := int(img.Pix[i+3])
			for k := range 3 {
				out.Pix[i+k] = uint8((int(img.Pix[i+k])*a + 127) / 255)
			}
			out.Pix[i+3] = img.Pix[i+3]
		}
		return out
	}
	panic(fmt.Sprintf("a screenshot of type %T", img))
}

func imageOf(t *testing.T, g gradient.Gradient, width, height int) *image.RGBA {
	t.Helper()
	img, err := g.Image(width, height)
	require.NoError(t, err)
	return img
}

// edgesOf paints the gradient with all stops shifted to either side, by a
// fiftieth of a pixel on the longest line. A pixel that changes is on a hard
// stop, where rounding errors of Chromium decide between the two colours.
func edgesOf(t *testing.T, g gradient.Gradient, width, height int) edges {
	t.Helper()
	css := g.CSS()
	first := firstColor.FindStringIndex(css)[0]
	var edges edges
	for i, shift := range []float64{-0.001, 0.001} {
		stops := position.ReplaceAllStringFunc(css[first:], func(s string) string {
			v, err := strconv.ParseFloat(s[:len(s)-2], 64)
			require.NoError(t, err)
			return fmt.Sprintf("%.4f%%%s", v+shift, s[len(s)-1:])
		})
		moved, err := gradient.Parse(css[:first] + stops)
		require.NoError(t, err)
		edges[i] = imageOf(t, moved, width, height)
	}
	return edges
}

var (
	firstColor = regexp.MustCompile(`#|(rgba|color|lab|lch)\(`)
	position   = regexp.MustCompile(`-?[\d.]+%[,)]`) // after a colour
)

// edges are two images that differ at hard stops.
type edges [2]*image.RGBA

// at reports whether the pixel at offset i is on an edge.
func (e edges) at(i, tolerance int) bool {
	return e[0] != nil && distance(e[0].Pix[i:], e[1].Pix[i:]) > tolerance
}

// distance returns the difference of a pixel to the nearer side of the edge.
func (e edges) distance(pixel []byte, i int) int {
	return min(distance(pixel, e[0].Pix[i:]), distance(pixel, e[1].Pix[i:]))
}

// difference returns the largest difference of a channel, the number of pixels
// that differ by more than tolerance, and the position of the first. A pixel on
// an edge may match either side.
func difference(truth, got *image.RGBA, edges edges, tolerance int) (worst, count int, at image.Point) {
	for i := 0; i < len(truth.Pix); i += 4 {
		d := distance(truth.Pix[i:], got.Pix[i:])
		if d > tolerance && edges.at(i, tolerance) {
			d = max(edges.distance(truth.Pix[i:], i), edges.distance(got.Pix[i:], i))
		}
		if d > tolerance {
			if count == 0 {
				at = image.Pt(i%truth.Stride/4, i/truth.Stride)
			}
			count++
		}
		worst = max(worst, d)
	}
	return worst, count, at
}

// distance returns the largest difference of a channel between two pixels.
func distance(a, b []byte) (most int) {
	for k := range 4 {
		most = max(most, int(a[k])-int(b[k]), int(b[k])-int(a[k]))
	}
	return most
}
