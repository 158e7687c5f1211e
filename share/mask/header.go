package mask

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

const (
	minCookie = 8 // shorter values are like theme=dark
	minBearer = 6
	maxBasic  = 4096
)

// readHeader finds the value of Authorization (RFC 9110, section 11.6.2) after
// its scheme: Authorization: ApiKey 2YotnFZFEjr1zCsicMWpAA.
func (s *scanner) readHeader(v *value, at int) {
	from := s.inList(at)
	word := from
	for word < len(s.text) && base62[s.text[word]] {
		word++
	}
	v.from, v.to = from, s.bareEnd(from)
	if word > from && strings.HasPrefix(s.text[word:], " ") {
		v.from, v.to = word+1, s.bareEnd(word+1)
	}
	v.quoted = true
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

// credentials masks the value after Bearer (RFC 6750) or Basic (RFC 7617).
func (s *scanner) credentials(end int, n name) int {
	from := s.blanks(end)
	to := from
	for to < len(s.text) && token68[s.text[to]] {
		to++
	}
	t := s.text[from:to]
	likely := isBearer
	if strings.EqualFold(s.text[end-len("basic"):end], "basic") {
		likely = isBasic
	}
	if from == end || from > end+2 || marked(s.text[to:]) || !likely(t) {
		return end
	}
	return s.maskAs(from, to, n.kind)
}

// isBearer reports whether s may be a token rather than a word of a sentence.
func isBearer(s string) bool {
	return len(s) >= minBearer && strings.ContainsAny(s, digits) && strings.ContainsAny(s, letters) && !placeholder(s, true)
}

// isBasic reports whether s is a base64-encoded user and password.
func isBasic(s string) bool {
	if !fitsShortMark(s) || len(s) > maxBasic {
		return false
	}
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	return err == nil && strings.IndexByte(string(plain), ':') >= 0 && utf8.Valid(plain)
}

var token68 = setOf(wordBytes + "-.~+/=")

// cookies masks the values in Cookie and Set-Cookie (RFC 6265) and keeps the
// names and attributes. It returns where scanning continues.
func (s *scanner) cookies(start, at int) int {
	at = s.inList(at)
	one := endsWith(s.text[s.lastSecretEnd():start], "set-")
	for {
		from := at
		for from < len(s.text) && cookieName[s.text[from]] {
			from++
		}
		if from == at || !strings.HasPrefix(s.text[from:], "=") {
			return at
		}
		from++
		to := from
		for to < len(s.text) && cookieValue[s.text[to]] {
			to++
		}
		if t := s.text[from:to]; len(t) >= minCookie && !placeholder(t, true) {
			s.maskAs(from, to, "cookie")
		}
		if one || !strings.HasPrefix(s.text[to:], "; ") {
			return to
		}
		at = to + len("; ")
	}
}

// cookieName and cookieValue are the bytes of names and values, except those
// that programs quote.
var (
	cookieName  = setOf(wordBytes + "!#$&*+-.^|~")
	cookieValue = setOf(wordBytes + "!#$%&()*+-./:<=>?@^|~")
)
