package gradient

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// scanner reads CSS text. It never backs up by more than one token, so every
// parser built on it takes linear time.
type scanner struct {
	s   string
	i   int
	err error // the first error; it ends the text
}

func (p *scanner) fail(expected string) { p.failAt(p.i, expected) }

// failAt records the first error and ends the text, so that later reads find
// nothing.
func (p *scanner) failAt(offset int, expected string) {
	if p.err == nil {
		p.err = parseErrorAt(p.s, offset, expected)
		p.i = len(p.s)
	}
}

// expect skips the byte c, or fails.
func (p *scanner) expect(c byte, expected string) {
	if !p.take(c) {
		p.fail(expected)
	}
}

// peek returns the next byte, or 0 at the end.
func (p *scanner) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// take skips the byte c if it is next.
func (p *scanner) take(c byte) bool {
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

// space skips white space and comments.
func (p *scanner) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\n', '\r', '\f':
			p.i++
		case '/':
			end := commentEnd(p.s, p.i)
			if end < 0 {
				return
			}
			p.i = end
		default:
			return
		}
	}
}

// commentEnd returns the end of the comment that starts at i, or -1 if there is
// none. As in CSS, an unclosed comment runs to the end of the text.
func commentEnd(s string, i int) int {
	if !strings.HasPrefix(s[i:], "/*") {
		return -1
	}
	if n := strings.Index(s[i+2:], "*/"); n >= 0 {
		return i + 2 + n + 2
	}
	return len(s)
}

// end reports whether nothing but space is left.
func (p *scanner) end() bool {
	p.space()
	return p.i == len(p.s)
}

// peekWord returns the next identifier in lower case without consuming it, or
// "" if there is none.
func (p *scanner) peekWord() string {
	end := p.i
	for end < len(p.s) && isWordByte(p.s[end]) {
		end++
	}
	if end > p.i && p.s[p.i] <= '9' && p.s[p.i] >= '0' {
		return ""
	}
	return strings.ToLower(p.s[p.i:end])
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

// takeWord skips the word s if it is next.
func (p *scanner) takeWord(s string) bool {
	if p.peekWord() != s {
		return false
	}
	p.i += len(s)
	return true
}

// takeOneOf skips the next word if it is in n, and returns its index.
func (p *scanner) takeOneOf(n names) (int, bool) {
	w := p.peekWord()
	i := slices.Index(n, w)
	if i < 0 {
		return 0, false
	}
	p.i += len(w)
	return i, true
}

// unit is the unit of a number.
type unit uint8

const (
	noUnit unit = iota
	percent
	deg
	px
	unitCount
)

// units maps the units of CSS to multiples of the units above. It takes em and
// rem as the initial font size.
var units = map[string]struct {
	unit   unit
	factor float64
}{
	"deg": {deg, 1}, "grad": {deg, 0.9}, "rad": {deg, 180 / math.Pi}, "turn": {deg, 360},
	"px": {px, 1}, "in": {px, 96}, "cm": {px, 96 / 2.54}, "mm": {px, 96 / 25.4}, "q": {px, 96 / 101.6},
	"pt": {px, 96.0 / 72}, "pc": {px, 16}, "em": {px, 16}, "rem": {px, 16},
}

// atNumber reports whether a number is next, or calc(), which is refused as one.
func (p *scanner) atNumber() bool {
	c := p.peek()
	if c == 'c' || c == 'C' {
		return p.atFunction("calc")
	}
	return c >= '0' && c <= '9' || c == '+' || c == '-' && p.i+1 < len(p.s) && isNumberByte(p.s[p.i+1]) || c == '.'
}

// atFunction reports whether a function of that name is next.
func (p *scanner) atFunction(name string) bool {
	return p.peekWord() == name && strings.HasPrefix(p.s[p.i+len(name):], "(")
}

func isNumberByte(c byte) bool { return c >= '0' && c <= '9' || c == '.' }

// number parses a number and its unit; expected describes it for an error.
func (p *scanner) number(expected string) (float64, unit) {
	start := p.i
	end := numberEnd(p.s, start)
	if end == start {
		if p.atFunction("calc") {
			expected += "; calc() is not supported"
		}
		p.fail(expected)
		return 0, noUnit
	}
	v, err := strconv.ParseFloat(p.s[start:end], 64)
	if err != nil {
		p.fail("a number that fits in 64 bits")
		return 0, noUnit
	}
	p.i = end
	if p.take('%') {
		return v, percent
	}
	w := p.peekWord()
	if w == "" && (p.i == len(p.s) || !isWordByte(p.s[p.i])) {
		return v, noUnit
	}
	p.i += len(w)
	u, ok := units[w]
	if !ok {
		p.failAt(start, expected)
	}
	return v * u.factor, u.unit
}

// numberEnd returns the end of the CSS number that starts at i, or i if there
// is none.
func numberEnd(s string, i int) int {
	j := i
	if j < len(s) && (s[j] == '+' || s[j] == '-') {
		j++
	}
	whole := digitsEnd(s, j)
	end := whole
	if whole < len(s) && s[whole] == '.' {
		if frac := digitsEnd(s, whole+1); frac > whole+1 {
			end = frac
		}
	}
	if end == j {
		return i
	}
	return exponentEnd(s, end)
}

func exponentEnd(s string, i int) int {
	if i >= len(s) || s[i]|0x20 != 'e' {
		return i
	}
	j := i + 1
	if j < len(s) && (s[j] == '+' || s[j] == '-') {
		j++
	}
	if end := digitsEnd(s, j); end > j {
		return end
	}
	return i
}

func digitsEnd(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}
