package stripng

import "hash/adler32"

// A checksum is an Adler-32 (RFC 1950), which ends zlib data. Checksums of
// parts can be combined, and a run of zeros is added in constant time.
type checksum struct{ a, b uint32 }

const modulus = 65521 // the largest prime below 2^16

func (s *checksum) add(data []byte) {
	sum := adler32.Checksum(data)
	s.combine(checksum{sum & 0xffff, sum >> 16}, len(data))
}

// zeros adds n zeros.
func (s *checksum) zeros(n int) { s.b = uint32((uint64(s.b) + uint64(n)*uint64(s.a)) % modulus) }

// combine extends s, the sum of some data, by length bytes whose own sum is
// next.
func (s *checksum) combine(next checksum, length int) {
	a := uint64(s.a)
	n := uint64(length % modulus)
	b := uint64(s.b) + uint64(next.b) + n*(a+modulus-1)
	s.a = uint32((a + uint64(next.a) + modulus - 1) % modulus)
	s.b = uint32(b % modulus)
}

func (s *checksum) value() uint32 { return s.b<<16 | s.a }
