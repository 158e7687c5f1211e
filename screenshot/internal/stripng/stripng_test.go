package stripng_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/klauspost/compress/flate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/internal/stripng"
)

// canvas paints the rows of a picture in memory.
type canvas struct {
	pix   []byte
	width int // bytes of a row
}

func (c canvas) Paint(pix []byte, stride, y0, y1 int) {
	for y := y0; y < y1; y++ {
		copy(pix[(y-y0)*stride:], c.pix[y*c.width:(y+1)*c.width])
	}
}

// scene returns a picture with flat, smooth and noisy parts.
func scene(width, height, channels int) (stripng.Picture, []byte) {
	rng := rand.New(rand.NewPCG(1, 2))
	pix := make([]byte, width*height*channels)
	for i := range pix {
		switch y := i / channels / width; {
		case y%5 == 0:
			pix[i] = byte(rng.Uint32())
		case y%7 < 3:
			pix[i] = byte(i * 3)
		default:
			pix[i] = 0xff
		}
	}
	p := stripng.Picture{
		Width: width, Height: height, Channels: channels, Rows: 7,
		Painter: func() stripng.Painter { return canvas{pix, width * channels} },
	}
	return p, pix
}

func TestWrite_readBackExactly(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {1, 50}, {50, 1}, {3, 7}, {64, 64}, {333, 211}} {
		for _, channels := range []int{3, 4} {
			p, pix := scene(size.X, size.Y, channels)
			var serial bytes.Buffer
			require.NoError(t, stripng.Write(t.Context(), &serial, p, 1))
			decoded, err := png.Decode(bytes.NewReader(serial.Bytes()))
			require.NoError(t, err, "%v", size)
			require.Equal(t, image.Rectangle{Max: size}, decoded.Bounds())
			for i := range size.X * size.Y {
				want := color.NRGBA{pix[i*channels], pix[i*channels+1], pix[i*channels+2], 255}
				if channels == 4 {
					want.A = pix[i*channels+3]
				}
				got := color.NRGBAModel.Convert(decoded.At(i%size.X, i/size.X))
				if channels == 4 {
					got = decoded.(*image.NRGBA).NRGBAAt(i%size.X, i/size.X)
				}
				require.Equal(t, want, got, "%v pixel %d", size, i)
			}

			for _, workers := range []int{2, 3, 8} {
				var parallel bytes.Buffer
				require.NoError(t, stripng.Write(t.Context(), &parallel, p, workers))
				assert.Equal(t, serial.Bytes(), parallel.Bytes(), "%v with %d workers", size, workers)
			}
		}
	}
}

func TestWrite_largeStrips(t *testing.T) {
	p, _ := scene(400, 300, 3)
	var first []byte
	for _, rows := range []int{300, 1000} {
		p.Rows = rows
		var b bytes.Buffer
		require.NoError(t, stripng.Write(t.Context(), &b, p, 4))
		_, err := png.Decode(bytes.NewReader(b.Bytes()))
		require.NoError(t, err)
		if first == nil {
			first = b.Bytes()
		}
		assert.Equal(t, first, b.Bytes())
	}
}

func TestWrite_density(t *testing.T) {
	p, _ := scene(4, 4, 3)
	p.PixelsPerMetre = 5669
	var b bytes.Buffer
	require.NoError(t, stripng.Write(t.Context(), &b, p, 1))
	assert.Contains(t, b.String(), "pHYs\x00\x00\x16\x25\x00\x00\x16\x25\x01")
	_, err := png.Decode(&b)
	require.NoError(t, err)
}

func TestWrite_refuses(t *testing.T) {
	good, _ := scene(4, 4, 3)
	for name, change := range map[string]func(*stripng.Picture){
		"no width":     func(p *stripng.Picture) { p.Width = 0 },
		"no height":    func(p *stripng.Picture) { p.Height = -1 },
		"two channels": func(p *stripng.Picture) { p.Channels = 2 },
		"no rows":      func(p *stripng.Picture) { p.Rows = 0 },
		"too wide":     func(p *stripng.Picture) { p.Width = 1 << 31 },
	} {
		p := good
		change(&p)
		var b bytes.Buffer
		require.Error(t, stripng.Write(t.Context(), &b, p, 1), name)
		assert.Empty(t, b.Bytes(), name)
	}
}

func TestWrite_cancelled(t *testing.T) {
	p, _ := scene(40, 400, 3)
	for _, workers := range []int{1, 4} {
		ctx, cancel := context.WithCancel(t.Context())
		w := &limited{left: 2000, then: cancel}
		require.ErrorIs(t, stripng.Write(ctx, w, p, workers), context.Canceled, "%d workers", workers)
	}
}

type broken struct{}

func (broken) Paint([]byte, int, int, int) { panic("no paint") }

// A server recovers only from panics in the goroutine of a request, so a panic
// must reach the caller.
func TestWrite_panicsInTheCaller(t *testing.T) {
	p, _ := scene(40, 400, 3)
	p.Painter = func() stripng.Painter { return broken{} }
	for _, workers := range []int{1, 4} {
		assert.PanicsWithValue(t, "no paint", func() { _ = stripng.Write(t.Context(), io.Discard, p, workers) }, "%d workers", workers)
	}
}

var errFull = errors.New("full")

func TestWrite_writerFails(t *testing.T) {
	p, _ := scene(40, 400, 3)
	for _, workers := range []int{1, 4} {
		for _, left := range []int{0, 5, 20, 50, 2000} {
			err := stripng.Write(t.Context(), &limited{left: left, err: errFull}, p, workers)
			require.ErrorIs(t, err, errFull, "%d workers, %d bytes", workers, left)
		}
	}
}

// limited accepts some bytes, and then calls then or fails.
type limited struct {
	left int
	then func()
	err  error
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		if l.then != nil {
			l.then()
		}
		return 0, l.err
	}
	return len(p), nil
}

// BenchmarkWrite writes a painted picture of code: quickly, small, and with
// package image/png.
func BenchmarkWrite(b *testing.B) {
	code, err := os.ReadFile("../../testdata/sample.go.txt")
	require.NoError(b, err)
	config, err := screenshot.New(string(code), screenshot.Options{Language: "go"})
	require.NoError(b, err)
	picture, err := config.Picture()
	require.NoError(b, err)
	painted, err := picture.Image(b.Context(), 2)
	require.NoError(b, err)
	size := painted.Rect.Size()
	var pix []byte
	for i := 0; i < len(painted.Pix); i += 4 {
		pix = append(pix, painted.Pix[i:i+3]...)
	}
	p := stripng.Picture{Width: size.X, Height: size.Y, Channels: 3, Rows: 48, Painter: func() stripng.Painter { return canvas{pix, 3 * size.X} }}
	for name, write := range map[string]func(io.Writer) error{
		"stripng": func(w io.Writer) error { return stripng.Write(b.Context(), w, p, 1) },
		"flate":   func(w io.Writer) error { return writeByFlate(w, pix, 3*size.X) },
		"image":   func(w io.Writer) error { return (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, painted) },
	} {
		b.Run(name, func(b *testing.B) {
			var out bytes.Buffer
			b.SetBytes(int64(len(pix)))
			for b.Loop() {
				out.Reset()
				require.NoError(b, write(&out))
			}
			b.ReportMetric(float64(out.Len())/1000, "kB/file")
		})
	}
}

// writeByFlate filters rows by Up and compresses them with the fastest level of
// a library, as a writer without a compressor of its own would.
func writeByFlate(w io.Writer, pix []byte, stride int) error {
	z, err := flate.NewWriter(w, flate.BestSpeed)
	if err != nil {
		return err
	}
	row := make([]byte, 1+stride)
	row[0] = 2
	for at := 0; at < len(pix); at += stride {
		copy(row[1:], pix[at:at+stride])
		if at > 0 {
			for i, above := range pix[at-stride : at] {
				row[1+i] -= above
			}
		}
		if _, err := z.Write(row); err != nil {
			return err
		}
	}
	return z.Close()
}
