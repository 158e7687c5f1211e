package highlight

import (
	"regexp"
	"strings"
)

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
