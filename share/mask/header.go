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
	for word < len(s.text) && schemeByte[s.text[word]] {
		word++
	}
	v.from, v.to = from, s.bareEnd(from)
	if word > from && strings.HasPrefix(s.text[word:], " ") {
		v.from, v.to = word+1, s.bareEnd(word+1)
	}
	v.quoted = true
	if v.keyQuote != "" && strings.Trim(s.text[at:from], "[") == "" || s.endedString(*v) {
		v.to = v.from
	}
}

var schemeByte = setOf(letters + digits + "-")

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
	return s.mask(from, to, s.kindAt(from, to, n.kind))
}

// isBearer reports whether s may be a token rather than a word of a sentence.
func isBearer(s string) bool {
	return len(s) >= minBearer && digit.any(s) && letter.any(s) && !placeholder(s, true)
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
	one := strings.HasSuffix(strings.ToLower(s.text[max(s.lastSecretEnd(), start-len("set-")):start]), "set-")
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
			s.mask(from, to, s.kindAt(from, to, Cookie))
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

// url masks the password in the authority (RFC 3986, section 3.2.1) of the URL
// whose colon is at colon, and a token in place of the user. It returns where
// scanning continues.
func (s *scanner) url(colon int) int {
	from := colon + len("://")
	switch rest := s.text[colon:]; {
	case strings.HasPrefix(rest, "://"):
	case strings.HasPrefix(rest, `:\/\/`):
		from = colon + len(`:\/\/`)
	default:
		return colon + 1
	}
	first, last := 0, 0
	for i := from; i < len(s.text) && !endsAuthority[s.text[i]]; i++ {
		switch {
		case s.text[i] == ':' && first == 0:
			first = i
		case s.text[i] == '@':
			last = i
		}
	}
	if first == 0 || last <= first {
		return from
	}
	if _, to, kind := formatted(s.text, from); to == first {
		s.mask(from, to, kind)
	}
	pass := s.text[first+1 : last]
	if !fitsShortMark(pass) || placeholder(pass, true) {
		return first
	}
	return s.mask(first+1, last, s.kindAt(first+1, last, Password))
}

var endsAuthority = endsOf("/?#\"'`\\<>[]{}| ")

// fitsShortMark reports whether a short mark fits in place of a secret.
func fitsShortMark(secret string) bool { return utf8.RuneCountInString(secret) >= len(shortMark) }
