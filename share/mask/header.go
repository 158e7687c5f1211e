package mask

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

const (
	minCookie = 8 // shorter values are like theme=dark
	minBearer = 6
)

// readHeader finds the value of Authorization (RFC 9110, section 11.6.2) after
// its scheme: Authorization: ApiKey 2YotnFZFEjr1zCsicMWpAA.
func (s *scanner) readHeader(v *value, at int) {
	from := s.inList(at)
	v.from = from
	if to := word.run(s.text, from, len(s.text)); to > from && strings.HasPrefix(s.text[to:], " ") {
		v.from = to + 1
		if endsWith(s.text[from:to], "bearer") {
			v.class = secret // which letters alone can be
		}
	}
	v.to, v.quoted = s.bareEnd(v.from), true
	if v.keyQuote != "" && strings.Trim(s.text[at:from], "[") == "" || v.endsString(s.text[v.from:v.to]) {
		v.to = v.from
	}
}

// inList returns the start of a header value that is written as a string or as
// a list of strings, the way programs print headers.
func (s *scanner) inList(at int) int {
	if strings.HasPrefix(s.text[at:], "[") && markLength(s.text[at:]) == 0 {
		at++
	}
	return at + len(quoteAt(s.text, at))
}

// credentialByte is a byte of a token68 (RFC 9110, section 11.2).
var credentialByte = setOf(wordBytes + ".~+/=-")

// credentials masks the value after Bearer (RFC 6750) or Basic (RFC 7617).
func (s *scanner) credentials(end int, n name) int {
	from := blank.run(s.text, end, 2)
	to := credentialByte.run(s.text, from, len(s.text))
	t := s.text[from:to]
	likely := len(t) >= minBearer && digit.in(t) && letter.in(t) && !placeholder(t, true) // no word of a sentence
	if endsWith(s.text[:end], "basic") {
		likely = isBasic(t)
	}
	if from > end && likely && !marked(s.text[to:]) {
		return s.maskAs(from, to, n.kind)
	}
	return end
}

// isBasic reports whether s is a base64-encoded user and password.
func isBasic(s string) bool {
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	return err == nil && fitsShortMark(s) && strings.IndexByte(string(plain), ':') >= 0 && utf8.Valid(plain)
}

// cookieName is a byte of the name of a cookie, without those that programs quote.
var cookieName = setOf(wordBytes + "!#$&*+.^|~-")

// cookieValue is one of its value.
var cookieValue = setOf(wordBytes + "!#$%&()*+./:<=>?@^|~-")

// cookies masks the values in Cookie and Set-Cookie (RFC 6265) and keeps the
// names and attributes. It returns where scanning continues.
func (s *scanner) cookies(start, at int) int {
	at = s.inList(at)
	one := endsWith(s.text[s.lastSecretEnd():start], "set-")
	for {
		sign := cookieName.run(s.text, at, len(s.text))
		if sign == at || !strings.HasPrefix(s.text[sign:], "=") {
			return at
		}
		from := sign + 1
		if at = cookieValue.run(s.text, from, len(s.text)); at-from >= minCookie && !placeholder(s.text[from:at], true) {
			s.maskAs(from, at, "cookie")
		}
		if one || !strings.HasPrefix(s.text[at:], "; ") {
			return at
		}
		at += len("; ")
	}
}
