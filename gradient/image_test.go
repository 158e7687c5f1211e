package gradient_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/internal/invalid"
)

// boxes include sizes painted with and without a table, and odd sizes.
var boxes = [][2]int{{1, 1}, {7, 5}, {64, 300}, {301, 97}, {520, 130}}

func TestImage_isThePaintersRows(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	type c struct{ In, CSS string }
	for _, c := range cases[c](t, "parse.json") {
		g := mustParse(t, c.In)
		for _, box := range boxes {
			img, err := g.Image(box[0], box[1])
			require.NoError(t, err)
			p, err := g.Painter(box[0], box[1])
			require.NoError(t, err)
			row := make([]byte, 4*box[0])
			for y := range box[1] {
				p.RowRGBA(y, row)
				if !bytes.Equal(row, img.Pix[y*img.Stride:][:len(row)]) {
					require.Fail(t, "a row differs", "%s in %v, row %d", c.In, box, y)
				}
			}
		}
	}
}

// A large box is painted from a table, a small one pixel by pixel. Pixels at
// the same place must agree.
func TestImage_tableAgreesWithPixels(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	type c struct{ In, CSS string }
	for _, c := range cases[c](t, "parse.json") {
		const side, factor = 45, 9
		g := mustParse(t, c.In)
		small, err := g.Image(side, side)
		require.NoError(t, err)
		large, err := g.Image(side*factor, side*factor)
		require.NoError(t, err)
		for y := range side {
			for x := range side {
				want, got := small.RGBAAt(x, y), large.RGBAAt(x*factor+factor/2, y*factor+factor/2)
				d := max(diff(want.R, got.R), diff(want.G, got.G), diff(want.B, got.B), diff(want.A, got.A))
				if d > 1 && !onEdge(g, x, y, side) {
					assert.LessOrEqual(t, d, 1, "%s at %d,%d", c.In, x, y)
				}
			}
		}
	}
}

// Where a conic gradient jumps close to the boundary of a cell of the table, as
// at the first stops of these, no pixel takes the colour of the wrong side.
func TestImage_conicEdges(t *testing.T) {
	const side = 900
	for in, center := range map[string][2]float64{
		"conic-gradient(from 356.9568deg at 33.1869% 61.2718%, black 90.6241%, white 0)": {0.331869, 0.612718},
		"conic-gradient(from 151.2831deg at 51.362% 56.3011%, black 98.9255%, white 0)":  {0.51362, 0.563011},
	} {
		g := mustParse(t, in)
		img, err := g.Image(side, side)
		require.NoError(t, err)
		o, _ := g.Options()
		wrong := 0
		for y := range side {
			for x := range side {
				turn := math.Atan2(float64(x)+0.5-side*center[0], side*center[1]-float64(y)-0.5)/(2*math.Pi) - *o.Angle/360
				if g.At(turn-math.Floor(turn)).R != img.RGBAAt(x, y).R {
					wrong++
				}
			}
		}
		assert.Zero(t, wrong, in)
	}
}

// onEdge reports whether the colour jumps at the middle of a pixel, so that it
// differs in a slightly larger or smaller box.
func onEdge(g gradient.Gradient, x, y, side int) bool {
	around := map[color.RGBA]bool{}
	for _, shift := range []int{-1, 0, 1} {
		const fine = 999
		p, err := g.Painter(side*fine, side*fine)
		if err != nil {
			return true
		}
		row := make([]byte, 4*side*fine)
		for _, dy := range []int{-1, 0, 1} {
			p.RowRGBA(y*fine+fine/2+dy, row)
			i := 4 * (x*fine + fine/2 + shift)
			around[color.RGBA{row[i] / 8, row[i+1] / 8, row[i+2] / 8, row[i+3] / 8}] = true
		}
	}
	return len(around) > 1
}

func TestImage_sizes(t *testing.T) {
	g := mustParse(t, "linear-gradient(red, blue)")
	_, err := g.Image(0, -1)
	require.Equal(t, map[string]string{"width": "out_of_range", "height": "out_of_range"}, fieldsOf(err))
	_, err = g.Image(gradient.MaxSide, gradient.MaxSide)
	option, ok := errors.AsType[*invalid.Fault](err)
	require.True(t, ok)
	require.Equal(t, "out_of_range", option.Reason)
	img, err := gradient.Gradient{}.Image(3, 2)
	require.NoError(t, err)
	require.Equal(t, make([]uint8, 24), img.Pix)
}

// An empty ending shape shows only the last colour, or the mean of a repeating
// gradient. Chromium paints 116, 128, 11 for the third.
func TestImage_emptyEndingShapes(t *testing.T) {
	for css, want := range map[string]color.NRGBA{
		"radial-gradient(circle closest-side at 0% 50%, red, blue)":               {B: 255, A: 255},
		"radial-gradient(closest-corner at left, red 200%, blue 300%)":            {B: 255, A: 255},
		"repeating-radial-gradient(closest-side at top, red 54%, lime 96%, blue)": {R: 116, G: 128, B: 11, A: 255},
		"repeating-radial-gradient(closest-side at top, red 54%, blue 54%)":       {B: 255, A: 255},
	} {
		g := mustParse(t, css)
		img, err := g.Image(20, 10)
		require.NoError(t, err)
		for i := 0; i < len(img.Pix); i += 4 {
			assert.Equal(t, []uint8{want.R, want.G, want.B, 255}, img.Pix[i:i+4], css)
		}
		resolved, err := g.Resolve(20, 10, 1)
		require.NoError(t, err)
		require.Len(t, resolved.Stops, 1)
		assert.Equal(t, want, resolved.Stops[0].Color, css)
	}
}

func TestSVG(t *testing.T) {
	type c struct {
		CSS           string
		Width, Height int
		SVG           string
	}
	for _, c := range cases[c](t, "svg.json") {
		var b strings.Builder
		require.NoError(t, mustParse(t, c.CSS).WriteSVG(&b, c.Width, c.Height))
		assert.Equal(t, c.SVG+"\n", b.String(), c.CSS)
	}
}

// Every gradient becomes well-formed XML whose stops ascend from 0 to 1.
func TestSVG_wellFormed(t *testing.T) {
	type c struct{ In, CSS string }
	for _, c := range cases[c](t, "parse.json") {
		var b bytes.Buffer
		require.NoError(t, mustParse(t, c.In).WriteSVG(&b, 211, 97))
		before := 0.0
		for d := xml.NewDecoder(&b); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err, c.In)
			start, ok := token.(xml.StartElement)
			if !ok || start.Name.Local != "stop" {
				continue
			}
			offset, err := strconv.ParseFloat(start.Attr[0].Value, 64)
			require.NoError(t, err)
			assert.True(t, offset >= before && offset <= 1, "%s: %v after %v", c.In, offset, before)
			before = offset
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestSVG_errors(t *testing.T) {
	for _, css := range []string{"linear-gradient(red, blue)", "conic-gradient(red, blue)"} {
		require.ErrorIs(t, mustParse(t, css).WriteSVG(brokenWriter{}, 300, 300), io.ErrShortWrite)
		require.Equal(t, map[string]string{"width": "out_of_range"}, fieldsOf(mustParse(t, css).WriteSVG(io.Discard, 0, 1)))
	}
	require.Error(t, mustParse(t, "conic-gradient(red, blue)").WriteSVG(io.Discard, gradient.MaxSide, gradient.MaxSide))
	var b strings.Builder
	require.NoError(t, gradient.Gradient{}.WriteSVG(&b, 3, 2))
	require.Equal(t, `<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2" viewBox="0 0 3 2"></svg>`+"\n", b.String())
}
