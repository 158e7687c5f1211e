package gradient_test

import (
	"image/color"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
)

func mustParse(t testing.TB, css string) gradient.Gradient {
	t.Helper()
	g, err := gradient.Parse(css)
	require.NoError(t, err)
	return g
}

func TestPainter_rows(t *testing.T) {
	g := mustParse(t, "linear-gradient(90deg, red 50%, rgba(0, 0, 255, 0.4) 50%)")
	p, err := g.Painter(4, 3)
	require.NoError(t, err)

	row := make([]byte, 12)
	p.Row(0, 1, row)
	require.Equal(t, []byte{255, 0, 0, 255, 0, 0, 153, 153, 255, 153, 153, 255}, row)

	rgba := make([]byte, 16)
	p.RowRGBA(1, rgba)
	require.Equal(t, []byte{255, 0, 0, 255, 255, 0, 0, 255, 0, 0, 102, 102, 0, 0, 102, 102}, rgba)
}

// A row longer than one strip must not show where strips meet.
func TestPainter_agreesWithAt(t *testing.T) {
	type c struct{ In, CSS string }
	for _, c := range cases[c](t, "parse.json") {
		g := mustParse(t, c.In)
		if !strings.HasPrefix(g.CSS(), "linear-gradient(90deg") {
			continue
		}
		const width = 1000
		p, err := g.Painter(width, 1)
		require.NoError(t, err)
		row := make([]byte, 4*width)
		p.RowRGBA(0, row)
		for x := range width {
			r, gr, b, a := g.At((float64(x) + 0.5) / width).RGBA()
			want := [4]uint32{r >> 8, gr >> 8, b >> 8, a >> 8}
			for i, v := range want {
				assert.InDelta(t, v, row[4*x+i], 1, c.In+" at "+strconv.Itoa(x))
			}
		}
	}
}

// Rows are the same in any order and from several goroutines at once.
func TestPainter_concurrently(t *testing.T) {
	const width, height = 700, 64
	p, err := mustParse(t, "radial-gradient(in oklab, red, rgb(0 0 255 / 30%) 40%, lime 40%)").Painter(width, height)
	require.NoError(t, err)
	paint := func(y int) (rows [2][]byte) {
		rows[0], rows[1] = make([]byte, 3*width), make([]byte, 4*width)
		p.Row(0, y, rows[0])
		p.RowRGBA(y, rows[1])
		return rows
	}
	var want, got [height][2][]byte
	for y := range height {
		want[y] = paint(y)
	}
	var group sync.WaitGroup
	for y := range height {
		group.Go(func() { got[height-1-y] = paint(height - 1 - y) })
	}
	group.Wait()
	require.Equal(t, want, got)
}

func TestPainter_shortAndOutside(t *testing.T) {
	g := mustParse(t, "linear-gradient(#000000, #ffffff)")
	p, err := g.Painter(3, 2)
	require.NoError(t, err)
	short := []byte{9, 9, 9, 9, 9, 9, 9, 9}
	p.Row(0, 0, short)
	require.Equal(t, []byte{64, 64, 64, 64, 64, 64, 9, 9}, short)
	p.Row(0, -5, short[:3])
	require.Equal(t, byte(64), short[0])
	p.Row(0, 99, short[:3])
	require.Equal(t, byte(191), short[0])
	p.Row(0, 0, nil)
	p.RowRGBA(0, nil)
}

func TestPainter_sizes(t *testing.T) {
	g := mustParse(t, "linear-gradient(red, blue)")
	for _, size := range [][2]int{{0, 1}, {1, 0}, {-1, -1}, {gradient.MaxSide + 1, 1}} {
		_, err := g.Painter(size[0], size[1])
		assert.Error(t, err)
	}
	_, err := g.Painter(-1, gradient.MaxSide+1)
	require.Equal(t, map[string]string{"width": "out_of_range", "height": "out_of_range"}, fieldsOf(err))
	_, err = g.Painter(1, gradient.MaxSide)
	require.NoError(t, err)
}

// At the centre of an odd box, the square root is of zero.
func TestPainter_centre(t *testing.T) {
	for _, side := range []int{1, 3, 101, 999, 1001} {
		g := mustParse(t, "radial-gradient(circle, #010203, #ffffff 90%, #000000)")
		p, err := g.Painter(side, side)
		require.NoError(t, err)
		row := make([]byte, 3*side)
		p.Row(0, side/2, row)
		assert.Equal(t, color.NRGBA{R: 1, G: 2, B: 3, A: 255}, color.NRGBA{R: row[3*(side/2)], G: row[3*(side/2)+1], B: row[3*(side/2)+2], A: 255}, side)
	}
}

// A segment that fits between two samples of a table must not be lost. The first
// goes around the whole colour wheel in 13 pixels. The second is too steep for
// the table throughout, so that most of it is painted from the finer one.
func TestPainter_steepStretches(t *testing.T) {
	const width = gradient.MaxSide
	for css, atLeast := range map[string]int{
		"linear-gradient(90deg in oklch longer hue, red 50.002%, red 50.022%)":                                     10,
		"linear-gradient(90deg in oklch longer hue, " + strings.Repeat("#f00, #00f, ", 49) + "#f00 60%, blue 60%)": 500,
	} {
		g := mustParse(t, css)
		p, err := g.Painter(width, 1)
		require.NoError(t, err)
		row := make([]byte, 3*width)
		p.Row(0, 0, row)
		colors := map[color.NRGBA]bool{}
		for x := range width {
			want := g.At((float64(x) + 0.5) / width)
			colors[want] = true
			for i, v := range [3]uint8{want.R, want.G, want.B} {
				if diff(v, row[3*x+i]) > 1 {
					require.LessOrEqual(t, diff(v, row[3*x+i]), 1, "%s at %d", css, x)
				}
			}
		}
		require.Greater(t, len(colors), atLeast)
	}
}

func TestPainter_rowFrom(t *testing.T) {
	const width = 700
	for _, css := range []string{"linear-gradient(100deg, red, blue 30%, lime)", "radial-gradient(red, blue)", "conic-gradient(red, blue, red)"} {
		p, err := mustParse(t, css).Painter(width, 90)
		require.NoError(t, err)
		whole := make([]byte, 3*width)
		p.Row(0, 7, whole)
		for _, x := range []int{0, 1, 255, 256, 300, 511, 512, 699, 700, 900} {
			for _, n := range []int{0, 1, 200, 2000} {
				part := make([]byte, 3*n)
				p.Row(x, 7, part)
				want := make([]byte, 3*n)
				copy(want, whole[3*min(x, width):])
				assert.Equal(t, want, part, "%s from %d, %d pixels", css, x, n)
			}
		}
	}
}
