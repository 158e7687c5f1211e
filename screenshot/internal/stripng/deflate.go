package stripng

import (
	"encoding/binary"
	"math/bits"
)

// A deflater filters, sums and compresses the rows of a strip in one pass. Rows of
// these pictures are mostly what is above them: 95 % of the bytes of a filtered
// picture are zero, and what is not lies together. So the rows are compared, what
// is equal becomes a run of zeros without being looked at byte by byte, and only
// the stretches between are searched for what has been before. A strip is one block
// with one pair of codes. Package image/png, which looks at every byte, takes ten
// times as long (BenchmarkWrite).
type deflater struct {
	tokens    []token
	counts    [literals]uint32
	distances [distances]uint32

	filtered []byte // the strip so far
	sum      checksum
	seen     [1 << hashBits]int32 // where four bytes of a hash were last, plus one

	literal, distance, lengths huffman
	out                        bitWriter
}

// A token is a byte, or a match: its length from bit 0 on and its distance from
// bit 9 on.
type token uint32

const (
	literals  = 286 // symbols for bytes, the end of a block, and lengths
	distances = 30
	endBlock  = 256

	window      = 1 << 15
	leastMatch  = 4
	longest     = 258
	hashBits    = 12
	leastEqual  = 16 // equal bytes that end a stretch
	firstLength = 257
)

// reset begins a strip of size bytes.
func (d *deflater) reset(size int) {
	clear(d.counts[:])
	clear(d.distances[:])
	clear(d.seen[:])
	d.tokens = d.tokens[:0]
	if cap(d.filtered) < size+8 {
		d.filtered = make([]byte, 0, size+8)
	}
	d.filtered = d.filtered[:0]
	d.sum = checksum{a: 1}
	d.out = bitWriter{bytes: d.out.bytes[:0]}
}

// row adds a row as its differences from another, behind the byte of the filter.
func (d *deflater) row(filter byte, row, other []byte) {
	d.changed([]byte{filter})
	for len(row) > 0 {
		n := equal(row, other)
		d.zeros(n)
		row, other = row[n:], other[n:]
		n = d.subtract(row, other)
		row, other = row[n:], other[n:]
	}
}

// equal returns how many bytes a begins with that are equal to those of b, which is
// not shorter.
func equal(a, b []byte) int {
	const block = 64 // bytes that are compared at once
	i := 0
	for i+block <= len(a) && string(a[i:i+block]) == string(b[i:i+block]) {
		i += block
	}
	for ; i+8 <= len(a); i += 8 {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i
}

// subtract adds the differences of a and b up to where they are equal for a while,
// and returns how many.
func (d *deflater) subtract(a, b []byte) int {
	const high = 0x8080808080808080
	begin := len(d.filtered)
	dst := d.filtered[begin : begin+len(a)]
	end, i := 0, 0
	for ; i+8 <= len(a) && i < end+leastEqual; i += 8 {
		x, y := binary.LittleEndian.Uint64(a[i:]), binary.LittleEndian.Uint64(b[i:])
		z := (x | high) - (y &^ high) ^ (x^^y)&high
		binary.LittleEndian.PutUint64(dst[i:], z)
		if z != 0 {
			end = i + 8 - bits.LeadingZeros64(z)/8
		}
	}
	for ; i < len(a) && i < end+leastEqual; i++ {
		if dst[i] = a[i] - b[i]; dst[i] != 0 {
			end = i + 1
		}
	}
	d.changed(dst[:end])
	return end
}

// zeros adds n zeros, behind a byte that is none.
func (d *deflater) zeros(n int) {
	begin := len(d.filtered)
	d.filtered = d.filtered[:begin+n]
	clear(d.filtered[begin:])
	d.sum.zeros(n)
	if n > 0 {
		d.byte(0)
		n--
	}
	for ; n >= 3; n -= min(n, longest) {
		d.match(min(n, longest), 1)
	}
	for range n {
		d.byte(0)
	}
}

// changed adds bytes that stand at the end of filtered.
func (d *deflater) changed(data []byte) {
	at := len(d.filtered)
	d.filtered = append(d.filtered, data...)
	d.sum.add(data)
	end := len(d.filtered)
	for at+leastMatch <= end {
		length, distance := d.find(at, end)
		if length == 0 {
			d.byte(d.filtered[at])
			at++
			continue
		}
		d.match(length, distance)
		for next := at + length; at < next; at++ {
			if at+leastMatch <= end {
				d.seen[d.hash(at)] = int32(at) + 1
			}
		}
	}
	for ; at < end; at++ {
		d.byte(d.filtered[at])
	}
}

func (d *deflater) hash(at int) uint32 {
	return binary.LittleEndian.Uint32(d.filtered[at:]) * 2654435761 >> (32 - hashBits)
}

// find notes what begins at a place, and returns the match for it with the last
// that was like it, or 0.
func (d *deflater) find(at, end int) (length, distance int) {
	seen := &d.seen[d.hash(at)]
	from := int(*seen) - 1
	*seen = int32(at) + 1
	if from < 0 || at-from > window {
		return 0, 0
	}
	length = equal(d.filtered[at:min(end, at+longest)], d.filtered[from:end])
	if length < leastMatch {
		return 0, 0
	}
	return length, at - from
}

func (d *deflater) byte(v byte) {
	d.counts[v]++
	d.tokens = append(d.tokens, token(v))
}

func (d *deflater) match(length, distance int) {
	symbol, _, _ := lengthCode(uint32(length))
	d.counts[symbol]++
	symbol, _, _ = distanceCode(uint32(distance))
	d.distances[symbol]++
	d.tokens = append(d.tokens, token(distance<<9|length))
}

// lengthCode returns the symbol of a length, and the extra bits behind it (RFC
// 1951, section 3.2.5).
func lengthCode(length uint32) (symbol, extra uint32, n uint8) {
	v := length - 3
	switch {
	case length == longest:
		return literals - 1, 0, 0
	case v < 8:
		return firstLength + v, 0, 0
	}
	n = uint8(bits.Len32(v)) - 3
	return firstLength + uint32(n)*4 + v>>n, v & (1<<n - 1), n
}

// distanceCode is the same for a distance.
func distanceCode(distance uint32) (symbol, extra uint32, n uint8) {
	v := distance - 1
	if v < 4 {
		return v, 0, 0
	}
	n = uint8(bits.Len32(v)) - 2
	return uint32(n)*2 + v>>n, v & (1<<n - 1), n
}

// block returns what was added as a block, which is not the last one, and fills the
// last byte up with one that is empty. It is good until the next reset.
func (d *deflater) block() []byte {
	d.counts[endBlock]++
	d.literal.build(d.counts[:], 15)
	d.distance.build(d.distances[:], 15)
	d.out.write(0b100, 3)
	d.writeCodes()
	for _, t := range d.tokens {
		if t < endBlock {
			d.out.write(uint32(d.literal.codes[t]), d.literal.lengths[t])
			continue
		}
		symbol, extra, n := lengthCode(uint32(t) & (1<<9 - 1))
		d.writeSymbol(&d.literal, symbol, extra, n)
		symbol, extra, n = distanceCode(uint32(t) >> 9)
		d.writeSymbol(&d.distance, symbol, extra, n)
	}
	d.writeSymbol(&d.literal, endBlock, 0, 0)
	d.out.write(0, 3)
	d.out.align()
	d.out.bytes = append(d.out.bytes, 0, 0, 0xff, 0xff)
	return d.out.bytes
}

func (d *deflater) writeSymbol(h *huffman, symbol, extra uint32, n uint8) {
	length := h.lengths[symbol]
	d.out.write(uint32(h.codes[symbol])|extra<<length, length+n)
}

// The symbols that the lengths of codes are written with, and their order (RFC
// 1951, section 3.2.7).
const (
	repeatLength = 16
	fewZeros     = 17
	manyZeros    = 18
	lengthOrder  = "\x10\x11\x12\x00\x08\x07\x09\x06\x0a\x05\x0b\x04\x0c\x03\x0d\x02\x0e\x01\x0f"
)

// writeCodes writes the lengths of both codes: all of them, as runs.
func (d *deflater) writeCodes() {
	var all [literals + distances]uint8
	copy(all[:], d.literal.lengths[:literals])
	copy(all[literals:], d.distance.lengths[:distances])
	type run struct{ symbol, extra, n uint8 }
	runs := make([]run, 0, len(all))
	var counts [len(lengthOrder)]uint32
	for i := 0; i < len(all); {
		n := 1
		for i+n < len(all) && all[i+n] == all[i] {
			n++
		}
		r, length := run{symbol: all[i]}, 1
		switch {
		case all[i] == 0 && n >= 11:
			length = min(n, 138)
			r = run{manyZeros, uint8(length - 11), 7}
		case all[i] == 0 && n >= 3:
			length = n
			r = run{fewZeros, uint8(length - 3), 3}
		case i > 0 && all[i] == all[i-1] && n >= 3:
			length = min(n, 6)
			r = run{repeatLength, uint8(length - 3), 2}
		}
		runs = append(runs, r)
		counts[r.symbol]++
		i += length
	}
	d.lengths.build(counts[:], 7)
	d.out.write(literals-257, 5)
	d.out.write(distances-1, 5)
	d.out.write(uint32(len(lengthOrder)-4), 4)
	for _, symbol := range []byte(lengthOrder) {
		d.out.write(uint32(d.lengths.lengths[symbol]), 3)
	}
	for _, r := range runs {
		d.writeSymbol(&d.lengths, uint32(r.symbol), uint32(r.extra), r.n)
	}
}
