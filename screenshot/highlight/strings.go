package highlight

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// This file finds the quotes around strings and the escapes in them.

var (
	openingQuote = regexp.MustCompile("^[a-zA-Z]{0,2}(?:\"\"\"|'''|[\"'`])")
	closingQuote = regexp.MustCompile("(?:\"\"\"|'''|[\"'`])$")
)

// delimit gives the quotes around strings a class of their own.
func delimit(tokens []Token) []Token {
	out := make([]Token, 0, len(tokens)+len(tokens)/4)
	for i, t := range tokens {
		if t.Class != ClassString {
			out = append(out, t)
			continue
		}
		if i == 0 || !isStringPart(tokens[i-1].Class) {
			quote := openingQuote.FindString(t.Text)
			out, t.Text = append(out, Token{quote, ClassStringDelimiter}), t.Text[len(quote):]
		}
		quote := ""
		if i+1 == len(tokens) || !isStringPart(tokens[i+1].Class) {
			quote = closingQuote.FindString(t.Text)
		}
		out = append(out, Token{strings.TrimSuffix(t.Text, quote), ClassString}, Token{quote, ClassStringDelimiter})
	}
	return out
}

func isStringPart(c Class) bool {
	return c == ClassString || c == ClassStringEscape
}

// appendEscapes appends a string cut at its escapes.
func appendEscapes(out []Token, t Token) []Token {
	if !strings.ContainsAny(t.Text[:1], `"'\`) {
		return append(out, t)
	}
	for rest := t.Text; rest != ""; {
		i := strings.IndexByte(rest, '\\')
		if i < 0 || i+1 == len(rest) {
			return append(out, Token{rest, ClassString})
		}
		if i > 0 {
			out = append(out, Token{rest[:i], ClassString})
		}
		end := i + escapeLength(rest[i:])
		out = append(out, Token{rest[i:end], ClassStringEscape})
		rest = rest[end:]
	}
	return out
}

// escapeLength returns how many bytes the escape at the start of s has.
func escapeLength(s string) int {
	digits := 0
	switch s[1] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		_, size := utf8.DecodeRuneInString(s[1:])
		return 1 + size
	}
	end := 2
	for end < len(s) && end < 2+digits && strings.IndexByte("0123456789abcdefABCDEF", s[end]) >= 0 {
		end++
	}
	return end
}
