package mask

import (
	"regexp"
	"strings"
)

// quoteAt returns the quote at an offset, with the backslash of a string in
// JSON, or "". Strings in strings in strings are not read.
func quoteAt(text string, at int) string {
	to := at
	if strings.HasPrefix(text[to:], `\`) {
		to++
	}
	if to == len(text) || strings.IndexByte("\"'`", text[to]) < 0 {
		return ""
	}
	return text[at : to+1]
}

var (
	element  = regexp.MustCompile(`^[^<"\r\n]{1,999}</`)
	lineRest = regexp.MustCompile(`^[ \t]{0,32}(?:[\r\n#]|$)`)
)

// read finds the value that starts at an offset.
func (s *scanner) read(v *value, at int) {
	if v.lead == '<' && s.text[at-1] == '>' {
		v.quoted, v.from = true, at
		v.to = at + len(strings.TrimSuffix(element.FindString(s.text[at:]), "</"))
		return
	}
	if at+1 < len(s.text) && strings.IndexByte("[bBrRuUL@", s.text[at]) >= 0 && quoteAt(s.text, at+1) != "" {
		at++ // a list of one string, or b'hunter2'
	}
	quote := quoteAt(s.text, at)
	if quote == "" {
		v.from, v.to = at, s.bareEnd(at)
		v.field = v.field && lineRest.MatchString(s.text[v.to:])
		return
	}
	v.quoted = true
	v.from = at + len(quote)
	v.to = quotedEnd(s.text, v.from, quote)
	if v.keyQuote != quote && v.from < v.to && v.endsString(s.text[v.from:v.to]) {
		v.to = v.from
	}
}

// endsString reports whether the quote before a text ended a string instead of
// starting one: "password=" + text, or {"help": "a password:", "n": 1}.
func (v value) endsString(text string) bool {
	t := strings.TrimLeft(text, " \t")
	return t == "" || strings.IndexByte(",:]})", t[0]) >= 0 || !v.spaced && strings.IndexByte("+.;&|", t[0]) >= 0
}

// quotedEnd returns the end of the string that starts at from, after its quote:
// its closing quote or, if it is cut off, the quote that ends an enclosing
// string, or the end of the line.
func quotedEnd(text string, from int, quote string) int {
	sign := quote[len(quote)-1]
	slashes := 0
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			slashes++
			continue
		case c == '\n', c == '\r':
			return i - slashes
		case c != sign && c != '"':
		case len(quote) == 1 && slashes%2 == 0: // the end of this string, or of the one around it
			return i
		case len(quote) == 1 && c != sign:
			return i - slashes
		case len(quote) == 2 && slashes%4 != 3: // in JSON, \\\" is a quote in the string
			return i - slashes
		}
		slashes = 0
	}
	return len(text) - slashes
}

// bareEnd returns the end of the unquoted value at from. All offsets in a run
// of such bytes share one end, which the scanner caches.
func (s *scanner) bareEnd(from int) int {
	if s.bareFrom <= from && from < s.bareTo {
		return s.bareTo
	}
	to := from
	for to < len(s.text) {
		n := bareLength(s.text[to:])
		if n == 0 {
			break
		}
		to += n
	}
	s.bareFrom, s.bareTo = from, to
	return to
}

// bareLength returns the length of the piece of an unquoted value that s starts
// with, or 0: a byte, or brackets between letters: Str0ng(Pass)word.
func bareLength(s string) int {
	const longest = 32
	switch {
	case s[0] == '\\' && (len(s) == 1 || strings.IndexByte("\\nrtbfux0e\"'`", s[1]) >= 0):
		return 0 // an escape sequence
	case !endsBare[s[0]]:
		return 1
	}
	closing, ok := map[byte]byte{'(': ')', '[': ']', '{': '}'}[s[0]]
	for i := 1; ok && i < min(len(s)-1, longest); i++ {
		if s[i] == closing && word[s[i+1]] {
			return i + 1
		}
		if endsBare[s[i]] || s[i] == '\\' {
			break
		}
	}
	return 0
}

var endsBare = endsOf("\"'`,;&()[]{}<> ")
