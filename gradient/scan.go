package gradient

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/invalid"
)

// scanner reads CSS text. It never backs up by more than one token, so every
// parser built on it takes linear time.
type scanner struct {
	s     string
	i     int
	err   error // the first error; it ends the text
	depth int   // of nested color-mix(), and of parentheses in calc()
	box   *Box
	// percentPerDegree and percentPerPixel convert angles and lengths where
	// they can be added to percentages; elsewhere they are 0.
	percentPerDegree, percentPerPixel float64
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

// atNumber reports whether a number or calc() is next.
func (p *scanner) atNumber() bool {
	c := p.peek()
	return c >= '0' && c <= '9' || c == '+' || c == '-' && p.i+1 < len(p.s) && isNumberByte(p.s[p.i+1]) || c == '.' || p.atCalc()
}

func isNumberByte(c byte) bool { return c >= '0' && c <= '9' || c == '.' }

// number parses a number or calc() and its unit; expected describes it for an
// error.
func (p *scanner) number(expected string) (float64, unit) {
	if p.atCalc() {
		return p.calc(expected)
	}
	start := p.i
	end := numberEnd(p.s, start)
	if end == start {
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

// MaxSheet is the length in bytes of the longest style sheet that [Scan] reads.
const MaxSheet = 16 << 20

// ScanOptions configures [Scan].
type ScanOptions struct {
	// Box is the box that gradients with lengths are painted into. If it is
	// nil, gradients with lengths are not parsed.
	Box *Box
}

// Found is a gradient found in a style sheet.
type Found struct {
	Offset       int // of its first byte, counted from 0
	Line, Column int // counted from 1; columns in bytes
	Text         string
	Gradient     Gradient
	Err          error // a [*ParseError] with an offset into Text if it could not be parsed
}

// sheet is a position in the text of a style sheet.
type sheet struct {
	text     string
	at       int
	unclosed map[byte]int // by quote: up to this offset it begins no string
}

// next returns the offset of the name of the next gradient function and the
// offset after its opening parenthesis; ok is false at the end. It skips
// comments, strings and URLs, which may contain such names.
func (s *sheet) next() (start, open int, ok bool) {
	for s.at < len(s.text) {
		at := s.at
		s.at++
		switch s.text[at] {
		case '/':
			s.at = max(s.at, commentEnd(s.text, at))
		case '(':
			start := len(strings.TrimRightFunc(s.text[:at], isNameRune))
			name := strings.ToLower(s.text[start:at])
			switch {
			case strings.HasSuffix(name, "gradient"):
				return start, s.at, true
			case strings.HasSuffix(name, "url"):
				address, _, _ := strings.Cut(s.text[s.at:], ")")
				s.at += len(address)
			}
		case '"', '\'':
			s.passString(at)
		}
	}
	return 0, 0, false
}

func isNameRune(r rune) bool {
	return r < utf8.RuneSelf && isWordByte(byte(r))
}

// passString skips the string that starts with the quote at offset at, if the
// string ends on its line.
func (s *sheet) passString(at int) {
	quote := s.text[at]
	if at < s.unclosed[quote] {
		return // an escaped quote in a string that does not end
	}
	i := at + 1
	for ; i < len(s.text) && s.text[i] != '\n'; i++ {
		switch s.text[i] {
		case quote:
			s.at = i + 1
			return
		case '\\':
			i++
		}
	}
	s.unclosed[quote] = i
}

// Scan finds every gradient of a style sheet in the order of the text, and
// parses each as [Parse] does. It skips comments, strings and url(). The error
// is that of r, joins the errors of [ParseIn] for the box, or is an option
// error for the field sheet if the sheet is longer than [MaxSheet].
func Scan(r io.Reader, o ScanOptions) ([]Found, error) {
	if o.Box != nil {
		if err := o.Box.check(); err != nil {
			return nil, err
		}
	}
	data, err := io.ReadAll(io.LimitReader(r, MaxSheet+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxSheet {
		return nil, &invalid.Input{Field: "sheet", Reason: "too_long", Message: "must have at most " + strconv.Itoa(MaxSheet) + " bytes"}
	}
	var all []Found
	text := string(data)
	line, lineStart, counted, end := 1, 0, 0, 0
	names := sheet{text: text, unclosed: make(map[byte]int)}
	for start, open, ok := names.next(); ok; start, open, ok = names.next() {
		if start < end {
			continue
		}
		line += strings.Count(text[counted:start], "\n")
		if last := strings.LastIndexByte(text[counted:start], '\n'); last >= 0 {
			lineStart = counted + last + 1
		}
		counted, end = start, closing(text, open)
		f := Found{Offset: start, Line: line, Column: start - lineStart + 1, Text: text[start:end]}
		f.Gradient, f.Err = parse(f.Text, o.Box)
		all = append(all, f)
	}
	return all, nil
}

// closing returns the offset after the parenthesis that closes the one before
// i. Without one in the next maxText bytes, it returns the end of these bytes
// or of the text.
func closing(s string, i int) int {
	limit := min(len(s), i+maxText+1)
	for depth := 1; i < limit; i++ {
		switch s[i] {
		case '/':
			i = max(i, commentEnd(s, i)-1)
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return limit
}
