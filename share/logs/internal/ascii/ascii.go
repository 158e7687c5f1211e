// Package ascii reads the letters, digits and blanks that the structure of logs
// consists of, and the tables that describe logs.
package ascii

import (
	"bytes"
	"iter"
	"slices"
	"strings"
)

// Set is a set of bytes.
type Set [4]uint64

// SetOf returns the set of the bytes of a text.
func SetOf(text string) (s Set) {
	for _, c := range []byte(text) {
		s[c/64] |= 1 << (c % 64)
	}
	return s
}

// SetWhere returns the set of the bytes for which is returns true.
func SetWhere(is func(c byte) bool) (s Set) {
	for c := range 256 {
		if is(byte(c)) {
			s[c/64] |= 1 << (c % 64)
		}
	}
	return s
}

// Has reports whether the set contains c.
func (s *Set) Has(c byte) bool { return s[c/64]>>(c%64)&1 != 0 }

// Or returns the bytes of both sets.
func (s Set) Or(other Set) Set {
	for k := range s {
		s[k] |= other[k]
	}
	return s
}

// IsLetter reports whether c is a letter.
func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// IsLower reports whether c is a lower-case letter.
func IsLower(c byte) bool { return c >= 'a' && c <= 'z' }

// IsUpper reports whether c is a capital.
func IsUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsSpace reports whether c is a blank or a tab.
func IsSpace(c byte) bool { return c == ' ' || c == '\t' }

// Letters returns the length of the run of letters at the start of b.
func Letters[T []byte | string](b T) (n int) {
	for n < len(b) && IsLetter(b[n]) {
		n++
	}
	return n
}

// Digits returns the length of the run of digits at the start of b.
func Digits[T []byte | string](b T) (n int) {
	for n < len(b) && IsDigit(b[n]) {
		n++
	}
	return n
}

// If returns what was read, a length or a level, or nothing if it is not ok.
func If[T any](ok bool, read T) (nothing T) {
	if ok {
		return read
	}
	return nothing
}

// Number returns the value of a run of at most 18 digits.
func Number(b []byte) int {
	v := 0
	for _, c := range b {
		v = v*10 + int(c-'0')
	}
	return v
}

// SkipSpace returns the index of the first byte from i on that is no blank.
func SkipSpace(b []byte, i int) int {
	for i < len(b) && IsSpace(b[i]) {
		i++
	}
	return i
}

// SkipAny returns the index of the first byte from i on that is not one of set.
func SkipAny(b []byte, i int, set string) int {
	for i < len(b) && strings.IndexByte(set, b[i]) >= 0 {
		i++
	}
	return i
}

// At returns the byte of b at i, or 0 beyond its end.
func At(b []byte, i int) byte {
	if i < len(b) {
		return b[i]
	}
	return 0
}

// IsCapitals reports whether a run of letters is in capitals.
func IsCapitals(w []byte) bool {
	return !slices.ContainsFunc(w, func(c byte) bool { return c >= 'a' })
}

// HasPrefix reports whether b starts with prefix.
func HasPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

// HasSuffix reports whether b ends with suffix.
func HasSuffix(b []byte, suffix string) bool {
	return len(b) >= len(suffix) && string(b[len(b)-len(suffix):]) == suffix
}

// ContainsAny reports whether b contains any of texts.
func ContainsAny(b []byte, texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return bytes.Contains(b, []byte(text)) })
}

// Rows yields the columns of the rows of a table, at least five. A line that
// starts with # is a comment.
func Rows(table string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(table) {
			if !strings.HasPrefix(line, "#") && !yield(append(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), "", "")) {
				return
			}
		}
	}
}
