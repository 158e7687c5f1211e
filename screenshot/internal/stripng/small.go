package stripng

import (
	"bytes"
	"errors"

	"github.com/klauspost/compress/flate"
)

// A packer compresses strips as well as it can: once as they are, which is a third
// smaller where there is text, and once as differences, which is better for
// gradients. It keeps what is smaller.
type packer struct {
	pixel    int // how many bytes it has
	filtered []byte
	packed   bytes.Buffer
	flate    *flate.Writer

	best   []byte // the strip compressed
	length int    // of what that holds, in bytes
	sum    checksum
}

// pack compresses a strip of rows, each behind a pixel of zeros.
func (p *packer) pack(pix []byte, stride int) error {
	if p.flate == nil {
		var err error
		if p.flate, err = flate.NewWriter(&p.packed, flate.BestCompression); err != nil {
			return err
		}
	}
	p.best = p.best[:0]
	for _, filter := range []func(row, above []byte){p.plain, p.differences} {
		p.filtered = p.filtered[:0]
		var above []byte // of the first row none is known
		for at := 0; at < len(pix); at += stride {
			row := pix[at : at+stride]
			filter(row, above)
			above = row
		}
		p.packed.Reset()
		p.flate.Reset(&p.packed)
		_, err := p.flate.Write(p.filtered)
		if err := errors.Join(err, p.flate.Flush()); err != nil {
			return err
		}
		if len(p.best) == 0 || p.packed.Len() < len(p.best) {
			p.best = append(p.best[:0], p.packed.Bytes()...)
			p.length, p.sum = len(p.filtered), checksum{a: 1}
			p.sum.add(p.filtered)
		}
	}
	return nil
}

// plain adds a row as it is.
func (p *packer) plain(row, _ []byte) {
	p.filtered = append(append(p.filtered, filterNone), row[p.pixel:]...)
}

// differences adds the differences of a row from the one above, and of the first
// from itself one pixel before.
func (p *packer) differences(row, above []byte) {
	filter, other := byte(filterSub), row
	if above != nil {
		filter, other = filterUp, above[p.pixel:]
	}
	p.filtered = append(p.filtered, filter)
	for i, v := range row[p.pixel:] {
		p.filtered = append(p.filtered, v-other[i])
	}
}
