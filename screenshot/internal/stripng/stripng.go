// Package stripng writes PNG files strip by strip, so that a picture of any
// height needs the memory of a few rows.
//
// It writes 8 bits per channel, RGB or RGBA, with the filter Up (and Sub for
// the first row of a strip), which suits pictures whose adjacent rows are
// similar. Strips are independent: several goroutines may paint and compress
// them at once, and the number of goroutines does not change the bytes of the
// file.
package stripng

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"sync"
)

// maxSide is the largest width and height of a PNG.
const maxSide = math.MaxInt32

// A Picture describes a PNG file.
type Picture struct {
	Width, Height int // in pixels, at least 1
	Channels      int // 3 for RGB, 4 for RGBA without premultiplied alpha
	Rows          int // rows of a strip, at least 1

	// PixelsPerMetre is the pixel density in the file; 0 leaves it out.
	PixelsPerMetre int

	Texts []Text // texts, each in a chunk before the pixels

	// Painter returns a Painter for one goroutine.
	Painter func() Painter
}

// A Painter paints the rows from y0 to before y1. Row y begins at
// pix[(y-y0)*stride]. The initial contents of pix are undefined.
type Painter interface {
	Paint(pix []byte, stride, y0, y1 int)
}

// Write writes a picture with the given number of goroutines, at least 1. It
// stops at the first error of w or ctx, and panics if a Painter panics.
func Write(ctx context.Context, w io.Writer, p Picture, workers int) error {
	if p.Width < 1 || p.Height < 1 || p.Width > maxSide || p.Height > maxSide || p.Rows < 1 || p.Channels != 3 && p.Channels != 4 {
		return fmt.Errorf("stripng: no picture of %d by %d pixels with %d channels in strips of %d", p.Width, p.Height, p.Channels, p.Rows)
	}
	if err := writeHeader(w, p); err != nil {
		return err
	}
	sum := checksum{a: 1}
	emit := func(s *strip) error {
		sum.combine(s.packed.sum, s.packed.length)
		return writeChunk(w, "IDAT", s.chunk.Bytes())
	}
	if err := writeStrips(ctx, p, max(1, workers), emit); err != nil {
		return err
	}
	// The final block is empty and uses the fixed codes.
	end := binary.BigEndian.AppendUint32([]byte{0x03, 0x00}, sum.value())
	return errors.Join(writeChunk(w, "IDAT", end), writeChunk(w, "IEND", nil))
}

// writeStrips makes one strip per worker at a time and emits the strips in
// order. The buffers of an emitted strip are reused. A panic in a worker is
// repeated here.
func writeStrips(ctx context.Context, p Picture, workers int, emit func(*strip) error) error {
	count := (p.Height + p.Rows - 1) / p.Rows
	strips := make([]*strip, min(workers, count))
	var all sync.WaitGroup
	defer all.Wait()
	for i := range strips {
		strips[i] = newStrip(p)
		all.Go(func() { strips[i].run(i) })
	}
	for i := range count {
		s := strips[i%len(strips)]
		<-s.made
		if s.panicked != nil {
			panic(s.panicked)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := emit(s); err != nil {
			return err
		}
		if next := i + len(strips); next < count {
			all.Go(func() { s.run(next) })
		}
	}
	return nil
}

// A strip holds the buffers and the result of one strip.
type strip struct {
	picture Picture
	painter Painter
	deflate *deflater
	pix     []byte // rows, each after a pixel of zeros
	stride  int
	packed  packed
	chunk   bytes.Buffer

	made     chan struct{} // receives a value when the strip is made
	panicked any
}

// A packed is a compressed strip.
type packed struct {
	data   []byte
	length int // of the uncompressed data, in bytes
	sum    checksum
}

func newStrip(p Picture) *strip {
	s := &strip{picture: p, painter: p.Painter(), stride: (1 + p.Width) * p.Channels, made: make(chan struct{}, 1)}
	rows := min(p.Rows, p.Height)
	s.pix = make([]byte, rows*s.stride)
	s.deflate = newDeflater(p.Channels, rows*(1+p.Width*p.Channels))
	return s
}

// The PNG filters in use.
const (
	filterSub = 1
	filterUp  = 2
)

// run makes strip i and then sends to s.made.
func (s *strip) run(i int) {
	defer func() {
		s.panicked = recover()
		s.made <- struct{}{}
	}()
	s.packed = s.make(i)
}

// make paints and compresses strip i.
func (s *strip) make(i int) packed {
	p := s.picture
	y0 := i * p.Rows
	y1 := min(y0+p.Rows, p.Height)
	s.painter.Paint(s.pix[p.Channels:], s.stride, y0, y1)
	s.chunk.Reset()
	if i == 0 {
		s.chunk.Write([]byte{0x78, 0x01}) // zlib: deflate, a window of 32 KiB, fastest
	}
	made := s.deflate.pack(s.pix[:(y1-y0)*s.stride], s.stride)
	s.chunk.Write(made.data)
	return made
}

func writeHeader(w io.Writer, p Picture) error {
	if _, err := io.WriteString(w, signature); err != nil {
		return err
	}
	header := binary.BigEndian.AppendUint32(nil, uint32(p.Width))
	header = binary.BigEndian.AppendUint32(header, uint32(p.Height))
	colourType := byte(2)
	if p.Channels == 4 {
		colourType = 6
	}
	header = append(header, 8, colourType, 0, 0, 0)
	if err := errors.Join(writeChunk(w, "IHDR", header), writeChunk(w, "sRGB", []byte{0})); err != nil {
		return err
	}
	for _, t := range p.Texts {
		if err := writeChunk(w, textChunk, t.chunk()); err != nil {
			return err
		}
	}
	if p.PixelsPerMetre == 0 {
		return nil
	}
	density := binary.BigEndian.AppendUint32(nil, uint32(p.PixelsPerMetre))
	density = binary.BigEndian.AppendUint32(density, uint32(p.PixelsPerMetre))
	return writeChunk(w, "pHYs", append(density, 1))
}

// writeChunk writes a PNG chunk: length, type, data, CRC.
func writeChunk(w io.Writer, kind string, data []byte) error {
	head := append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), kind...)
	sum := crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, data)
	for _, b := range [...][]byte{head, data, binary.BigEndian.AppendUint32(nil, sum)} {
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}
