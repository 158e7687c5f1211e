package gradient

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// scanner reads the tokens of a CSS text, between which white space and
// comments mean nothing. It looks one token ahead and never backs up, so every
// parser built on it takes linear time.
type scanner struct {
	s     string
	token       // the next one
	end   int   // of the next token
	err   error // the first error; it ends the text
}

// token is a token of CSS. Names of functions include the parenthesis after
// them.
type token struct {
	kind  tokenKind
	at    int     // offset in the text
	word  string  // a name, in lower case, or the text of any other token but a number
	value float64 // of a number, in units of unit
	unit  unit
}

type tokenKind uint8

const (
	noToken tokenKind = iota // the end of the text
	nameToken
	functionToken
	hashToken
	numberToken
	signToken
)

// unit is the unit of a number.
type unit uint8

const (
	unknownUnit unit = iota
	noUnit
	percent
	deg
	px
)

// units maps the units of CSS to multiples of the units above. It takes em and
// rem as the initial font size.
var units = map[string]struct {
	unit   unit
	factor float64
}{
	"": {noUnit, 1}, "deg": {deg, 1}, "grad": {deg, 0.9}, "rad": {deg, 180 / math.Pi}, "turn": {deg, 360},
	"px": {px, 1}, "in": {px, 96}, "cm": {px, 96 / 2.54}, "mm": {px, 96 / 25.4}, "q": {px, 96 / 101.6},
	"pt": {px, 96.0 / 72}, "pc": {px, 16}, "em": {px, 16}, "rem": {px, 16},
}

// maxText is the length of the longest text to parse, in bytes: enough for
// MaxStops stops with colours as functions and two positions.
const maxText = 128 << 10

func newScanner(s string) scanner {
	p := scanner{s: s}
	if len(s) > maxText {
		p.failAt(maxText, "at most "+strconv.Itoa(maxText)+" bytes")
	} else {
		p.advance()
	}
	return p
}

// fail records that something else was expected in place of the next token.
func (p *scanner) fail(expected string) { p.failAt(p.at, expected) }

// failAt records the first error and ends the text.
func (p *scanner) failAt(offset int, expected string) {
	if p.err == nil {
		p.err = parseErrorAt(p.s, offset, expected)
		p.token, p.end = token{at: len(p.s)}, len(p.s)
	}
}

// finish returns the first error, such as something after what was read.
func (p *scanner) finish(what string) error {
	if p.kind != noToken {
		p.fail("nothing after the " + what)
	}
	return p.err
}

// advance reads the next token.
func (p *scanner) advance() {
	i := spaceEnd(p.s, p.end)
	p.token = token{at: i}
	if i == len(p.s) {
		p.end = i
		return
	}
	word := wordEnd(p.s, i)
	switch number := numberEnd(p.s, i); {
	case number > i:
		p.kind, p.end = numberToken, wordEnd(p.s, number)
		p.number(p.s[i:number], p.s[number:p.end])
		return
	case p.s[i] == '#':
		p.kind, p.end = hashToken, wordEnd(p.s, i+1)
	case word > i && strings.HasPrefix(p.s[word:], "("):
		p.kind, p.end = functionToken, word+1
	case word > i:
		p.kind, p.end = nameToken, word
	default:
		p.kind, p.end = signToken, i+1
	}
	p.word = strings.ToLower(p.s[i:p.end])
}

// number sets the value and unit of a number token.
func (p *scanner) number(digits, unit string) {
	var err error
	if p.value, err = strconv.ParseFloat(digits, 64); err != nil {
		p.fail("a number that fits in 64 bits")
		return
	}
	if unit == "" && p.end < len(p.s) && p.s[p.end] == '%' {
		p.unit = percent
		p.end++
		return
	}
	u := units[strings.ToLower(unit)]
	p.unit, p.value = u.unit, p.value*u.factor
}

// spaceEnd returns the end of the white space and comments at i. As in CSS, an
// unclosed comment runs to the end of the text.
func spaceEnd(s string, i int) int {
	for i < len(s) {
		switch {
		case s[i] <= ' ' && strings.IndexByte(" \t\n\r\f", s[i]) >= 0:
			i++
		case strings.HasPrefix(s[i:], "/*"):
			n := strings.Index(s[i+2:], "*/")
			if n < 0 {
				return len(s)
			}
			i += n + len("/**/")
		default:
			return i
		}
	}
	return i
}

// wordEnd returns the end of the letters, digits, hyphens and underscores at i.
func wordEnd(s string, i int) int {
	for i < len(s) && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' || s[i] >= '0' && s[i] <= '9' || s[i] == '-' || s[i] == '_') {
		i++
	}
	return i
}

// numberEnd returns the end of the CSS number that starts at i, or i if there
// is none.
func numberEnd(s string, i int) int {
	start := signEnd(s, i)
	end := digitsEnd(s, start)
	if end < len(s) && s[end] == '.' {
		if fraction := digitsEnd(s, end+1); fraction > end+1 {
			end = fraction
		}
	}
	if end == start {
		return i
	}
	if end < len(s) && s[end]|0x20 == 'e' {
		if digits := signEnd(s, end+1); digitsEnd(s, digits) > digits {
			return digitsEnd(s, digits)
		}
	}
	return end
}

func signEnd(s string, i int) int {
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	return i
}

func digitsEnd(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

// is reports whether the next token has this text: a name in lower case, one of
// a function with its parenthesis, or a sign.
func (p *scanner) is(word string) bool { return p.word == word }

// take skips the next token if it has this text.
func (p *scanner) take(word string) bool {
	if p.word != word {
		return false
	}
	p.advance()
	return true
}

// expect skips a token, or fails.
func (p *scanner) expect(word, expected string) {
	if !p.take(word) {
		p.fail(expected)
	}
}

// takeOneOf skips the next token if it is in n, and returns its index.
func (p *scanner) takeOneOf(n names) (int, bool) {
	i := slices.Index(n, p.word)
	if i < 0 || p.kind != nameToken {
		return 0, false
	}
	p.advance()
	return i, true
}

// isNumber reports whether a number is next, or calc(), which is refused as one.
func (p *scanner) isNumber() bool { return p.kind == numberToken || p.is("calc(") }

// takeNumber reads a number; expected describes it for an error.
func (p *scanner) takeNumber(expected string) token {
	n := p.token
	switch {
	case p.is("calc("):
		p.fail(expected + "; calc() is not supported")
	case n.kind != numberToken, n.unit == unknownUnit:
		p.fail(expected)
	default:
		p.advance()
	}
	return n
}
