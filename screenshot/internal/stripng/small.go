package stripng

import (
	"bytes"
	"errors"

	"github.com/klauspost/compress/flate"
)

// A smallest compresses each strip twice with the best compression and keeps
// the smaller result: unfiltered, which is a third smaller for text, and as
// differences, which is better for gradients.
type smallest struct {
	pixel    int // bytes per pixel
	filtered []byte
	packed   bytes.Buffer
	flate    *flate.Writer
	best     []byte // the strip compressed
}

func (p *smallest) pack(pix []byte, stride int) (best packed, err error) {
	if p.flate == nil {
		if p.flate, err = flate.NewWriter(&p.packed, flate.BestCompression); err != nil {
			return packed{}, err
		}
	}
	for _, filter := range []func(row, above []byte){p.plain, p.differences} {
		p.filtered = p.filtered[:0]
		var above []byte // nil for the first row
		for at := 0; at < len(pix); at += stride {
			row := pix[at : at+stride]
			filter(row, above)
			above = row
		}
		p.packed.Reset()
		p.flate.Reset(&p.packed)
		_, err := p.flate.Write(p.filtered)
		if err := errors.Join(err, p.flate.Flush()); err != nil {
			return packed{}, err
		}
		if best.data == nil || p.packed.Len() < len(best.data) {
			p.best = append(p.best[:0], p.packed.Bytes()...)
			best = packed{p.best, len(p.filtered), checksum{a: 1}}
			best.sum.add(p.filtered)
		}
	}
	return best, nil
}

// plain adds a row unfiltered.
func (p *smallest) plain(row, _ []byte) {
	p.filtered = append(append(p.filtered, filterNone), row[p.pixel:]...)
}

// differences adds the differences of a row from the row above or, for the
// first row, from the pixel before.
func (p *smallest) differences(row, above []byte) {
	filter, other := byte(filterSub), row
	if above != nil {
		filter, other = filterUp, above[p.pixel:]
	}
	p.filtered = append(p.filtered, filter)
	for i, v := range row[p.pixel:] {
		p.filtered = append(p.filtered, v-other[i])
	}
}
