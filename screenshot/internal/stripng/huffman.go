package stripng

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// A huffman is a prefix code of deflate (RFC 1951, section 3.2.2). It holds the
// code of each symbol, with the first bit lowest, and its length in bits, which
// is 0 for an unused symbol.
type huffman [literals]struct {
	bits   uint16
	length uint8
}

// build makes the code for symbols with the given counts. No code is longer
// than limit bits.
func (h *huffman) build(counts []uint32, limit uint8) {
	leaves := make([]uint64, 0, literals) // sorted by count, then by symbol
	for symbol, n := range counts {
		h[symbol].length = 0
		if n > 0 {
			leaves = append(leaves, uint64(n)<<16|uint64(symbol))
		}
	}
	slices.Sort(leaves)
	for !h.measure(leaves, limit) {
		// Counts that are closer to each other make a shallower tree.
		for i, leaf := range leaves {
			leaves[i] = (leaf>>17+1)<<16 | leaf&0xffff
		}
	}
	var next [16]uint16
	for _, c := range h[:len(counts)] {
		if c.length > 0 {
			next[c.length]++
		}
	}
	code := uint16(0)
	for n := range next {
		code, next[n] = (code+next[n])<<1, code
	}
	for symbol := range counts {
		c := &h[symbol]
		c.bits = bits.Reverse16(next[c.length]) >> (16 - c.length)
		next[c.length]++
	}
}

// measure sets the lengths of the codes, and reports whether all are within
// limit. It repeatedly joins the two nodes of the lowest weights. Joined nodes
// are made in ascending order, so that two queues suffice.
func (h *huffman) measure(leaves []uint64, limit uint8) bool {
	if len(leaves) == 1 {
		h[leaves[0]&0xffff].length = 1
	}
	if len(leaves) < 2 {
		return true
	}
	n := len(leaves)
	var weights [2 * literals]uint64
	var parents [2 * literals]uint16
	for i, leaf := range leaves {
		weights[i] = leaf >> 16
	}
	leaf, inner := 0, n
	for node := n; node < 2*n-1; node++ {
		for range 2 {
			smallest := &inner
			if inner == node || leaf < n && weights[leaf] <= weights[inner] {
				smallest = &leaf
			}
			weights[node] += weights[*smallest]
			parents[*smallest] = uint16(node)
			*smallest++
		}
	}
	var depths [2 * literals]uint8
	for node := 2*n - 3; node >= 0; node-- {
		depths[node] = depths[parents[node]] + 1
		if node < n {
			if depths[node] > limit {
				return false
			}
			h[leaves[node]&0xffff].length = depths[node]
		}
	}
	return true
}

// A bitWriter appends bits to bytes, lowest bit first.
type bitWriter struct {
	bytes []byte
	bits  uint64 // fewer than 8 between writes
	count uint8
}

// write writes the n lowest bits of v, at most 56; the others must be 0.
func (w *bitWriter) write(v uint64, n uint8) {
	w.bits |= v << w.count
	w.count += n
	whole := w.count / 8
	w.bytes = binary.LittleEndian.AppendUint64(w.bytes, w.bits)[:len(w.bytes)+int(whole)]
	w.bits >>= 8 * whole
	w.count -= 8 * whole
}

// align pads the last byte with zeros.
func (w *bitWriter) align() {
	if w.count > 0 {
		w.write(0, 8-w.count)
	}
}
