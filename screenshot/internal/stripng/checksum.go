package stripng

import "encoding/binary"

// A checksum is an Adler-32 (RFC 1950), which zlib data ends with. It can be
// joined from those of the parts, and it is quick where the data is zero.
type checksum struct{ a, b uint32 }

const (
	modulus = 65521 // the largest prime below 2^16

	// block is how many bytes can be added before b leaves 32 bits: 5552, the
	// number in RFC 1950's sample code, rounded down to a multiple of 8.
	block = 5552
)

func (s *checksum) add(data []byte) {
	const pairs = 0x00ff_00ff_00ff_00ff
	a, b := s.a, s.b
	for len(data) > 0 {
		part := data[:min(block, len(data))]
		data = data[len(part):]
		for ; len(part) >= 8; part = part[8:] {
			// Of eight bytes the first is added to b eight times, the last once.
			// A product's upper 16 bits are the sum of four of them, each times
			// its weight.
			v := binary.LittleEndian.Uint64(part)
			even, odd := v&pairs, v>>8&pairs
			b += 8*a + uint32(even*0x0008_0006_0004_0002>>48+odd*0x0007_0005_0003_0001>>48)
			a += uint32((even + odd) * 0x0001_0001_0001_0001 >> 48)
		}
		for _, c := range part {
			a += uint32(c)
			b += a
		}
		a, b = a%modulus, b%modulus
	}
	s.a, s.b = a, b
}

// zeros adds n zeros.
func (s *checksum) zeros(n int) { s.b = uint32((uint64(s.b) + uint64(n)*uint64(s.a)) % modulus) }

// combine makes s, the sum of some data, that of the data and what follows it:
// length bytes whose own sum is next.
func (s *checksum) combine(next checksum, length int) {
	a := uint64(s.a)
	n := uint64(length % modulus)
	b := uint64(s.b) + uint64(next.b) + n*(a+modulus-1)
	s.a = uint32((a + uint64(next.a) + modulus - 1) % modulus)
	s.b = uint32(b % modulus)
}

func (s *checksum) value() uint32 { return s.b<<16 | s.a }
