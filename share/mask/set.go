package mask

import "strings"

const (
	digits    = "0123456789"
	letters   = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	wordBytes = letters + digits + "_"
	controls  = "\x00\x01\x02\x03\x04\x05\x06\a\b\t\n\v\f\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f"
)

// A set is a set of bytes.
type set [256]bool

// setOf returns the set of some bytes or, after ^, of all others.
func setOf(chars string) *set {
	var t set
	chars, others := strings.CutPrefix(chars, "^")
	for c := range t {
		t[c] = (strings.IndexByte(chars, byte(c)) >= 0) != others
	}
	return &t
}

// run returns the end of the bytes of the set at an offset, of which it reads at
// most limit.
func (t *set) run(text string, at, limit int) int {
	end := at + min(limit, len(text)-at)
	for at < end && t[text[at]] {
		at++
	}
	return at
}

// all reports whether every byte of s is in the set.
func (t *set) all(s string) bool { return t.run(s, 0, len(s)) == len(s) }

// in reports whether any byte of s is in the set.
func (t *set) in(s string) bool {
	for i := range len(s) {
		if t[s[i]] {
			return true
		}
	}
	return false
}

var (
	digit     = setOf(digits)
	hexDigit  = setOf(digits + "abcdefABCDEF")
	letter    = setOf(letters)
	word      = setOf(wordBytes)
	blank     = setOf(" \t")
	parameter = setOf(digits + ";:?") // of a control sequence
)

// prefixOf returns the first of some texts that s starts with, or "".
func prefixOf(s string, prefixes ...string) string {
	for _, p := range prefixes {
		if s != "" && s[0] == p[0] && strings.HasPrefix(s, p) {
			return p
		}
	}
	return ""
}
