package mask

import "strings"

// quoteAt returns the quote at an offset, with the backslash of a string in
// JSON, or "". Strings in strings in strings are not read.
func quoteAt(text string, at int) string {
	return prefixOf(text[at:], `"`, "'", "`", `\"`, `\'`, "\\`")
}

const maxElement = 999 // bytes of the text of an XML element

var elementByte = setOf("^<\"\r\n")

// read finds the value that starts at an offset.
func (s *scanner) read(v *value, at int) {
	if v.lead == '<' && s.text[at-1] == '>' {
		v.quoted, v.from, v.to = true, at, elementByte.run(s.text, at, maxElement)
		if !strings.HasPrefix(s.text[v.to:], "</") {
			v.to = at
		}
		return
	}
	if at+1 < len(s.text) && strings.IndexByte("[bBrRuUL@", s.text[at]) >= 0 && quoteAt(s.text, at+1) != "" {
		at++ // a list of one string, or b'hunter2'
	}
	quote := quoteAt(s.text, at)
	if quote == "" {
		v.from, v.to = at, s.bareEnd(at)
		rest := s.blanks(v.to)
		v.field = v.field && (rest == len(s.text) || strings.IndexByte("\r\n#", s.text[rest]) >= 0)
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
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n', c == '\r', c == '"', strings.HasPrefix(text[i:], quote):
			return i
		case c == '\\' && i+1 < len(text) && text[i+1] > ' ':
			i++
		}
	}
	return len(text)
}

const maxBracket = 30 // bytes of what is in a bracket of an unquoted value

// unquoted is a byte of a value without quotes.
var unquoted = setOf("^" + controls + " \"'`,;&()[]{}<>\\")

// escaped is a byte that, after a backslash, makes an escape sequence.
var escaped = setOf("nrtbfux0e")

// bareEnd returns the end of the unquoted value at from, which may have brackets
// before a letter, as in Str0ng(Pass)word, but no escape sequence. All offsets in
// a value share one end, which the scanner caches.
func (s *scanner) bareEnd(from int) int {
	if s.bareFrom <= from && from < s.bareTo {
		return s.bareTo
	}
	at := unquoted.run(s.text, from, len(s.text))
	for at+1 < len(s.text) {
		next := unquoted.run(s.text, at+1, maxBracket)
		kind := strings.IndexByte("([{", s.text[at])
		if kind >= 0 && next+1 < len(s.text) && s.text[next] == ")]}"[kind] && word[s.text[next+1]] {
			next++
		} else if s.text[at] != '\\' || next == at+1 || escaped[s.text[at+1]] {
			break
		}
		at = unquoted.run(s.text, next, len(s.text))
	}
	s.bareFrom, s.bareTo = from, at
	return at
}
