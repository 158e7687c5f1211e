package highlight

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// This file finds the quotes around strings and the escapes in them.

var (
	openingQuote = regexp.MustCompile("^[a-zA-Z]{0,2}(?:\"\"\"|'''|[\"'`])")
	closingQuote = regexp.MustCompile("(?:\"\"\"|'''|[\"'`])$")
)

// delimit splits off the quotes around strings and gives them their own class.
func delimit(tokens []Token) []Token {
	out := make([]Token, 0, len(tokens)+len(tokens)/4)
	affixed := false // the last token was the prefix of a string
	for i, t := range tokens {
		if t.Class != classString && t.Class != classImportPath {
			out = append(out, t)
			continue
		}
		opens := affixed || i == 0 || !isStringPart(tokens[i-1].Class)
		if affixed = opens && isAffix(tokens[i:]); affixed {
			out = append(out, Token{t.Text, classKeywordDeclaration})
			continue
		}
		if opens {
			quote := openingQuote.FindString(t.Text)
			out, t.Text = append(out, Token{quote, classStringDelimiter}), t.Text[len(quote):]
		}
		quote := ""
		if i+1 == len(tokens) || !isStringPart(tokens[i+1].Class) {
			quote = closingQuote.FindString(t.Text)
		}
		out = append(out, Token{strings.TrimSuffix(t.Text, quote), t.Class}, Token{quote, classStringDelimiter})
	}
	return out
}

// isAffix reports whether tokens begin with the prefix of a string, such as the
// r of r"…".
func isAffix(tokens []Token) bool {
	return len(tokens) > 1 && affix.MatchString(tokens[0].Text) && tokens[1].Class == classString && strings.ContainsAny(tokens[1].Text[:1], `"'`)
}

var affix = regexp.MustCompile(`^[a-zA-Z]{1,2}$`)

func isStringPart(c Class) bool {
	return c == classString || c == classStringEscape || c == classInterpolation
}

// A part describes parts of tokens of a class that have a class of their own.
type part struct {
	Of      Class
	Pattern *regexp.Regexp // its last group is the part
	Class   Class
}

// split splits tokens at the parts in them.
func (p part) split(tokens []Token) []Token {
	var out []Token
	for _, t := range tokens {
		at := 0
		if t.Class == p.Of {
			for _, m := range p.Pattern.FindAllStringSubmatchIndex(t.Text, -1) {
				start, end := m[len(m)-2], m[len(m)-1]
				out = append(out, Token{t.Text[at:start], t.Class}, Token{t.Text[start:end], p.Class})
				at = end
			}
		}
		out = append(out, Token{t.Text[at:], t.Class})
	}
	return out
}

// interpolations finds the code in strings that the lexer does not split. It
// lexes all of it as one text, one line per piece of code, so that a single
// limit applies.
func interpolations(tokens []Token, g *grammar, lang string, limit time.Duration) []span {
	if g.Interpolated == nil {
		return nil
	}
	var spans []span
	var code []string
	offset := 0
	for _, t := range tokens {
		if isStringPart(t.Class) {
			for _, m := range g.Interpolated.FindAllStringSubmatchIndex(t.Text, -1) {
				if m[2] >= 0 {
					spans = append(spans, span{offset + m[0], offset + m[1], []Token{{t.Text[m[0]:m[2]], classInterpolation}, {t.Text[m[3]:m[1]], classInterpolation}}})
					code = append(code, t.Text[m[2]:m[3]])
				}
			}
		}
		offset += len(t.Text)
	}
	lines := strings.Join(code, "\n")
	inner, _ := lex(lines, lang, limit)
	for i, line := range splitLines(lines, inner)[:len(spans)] {
		spans[i].tokens = slices.Insert(spans[i].tokens, 1, line...)
	}
	return spans
}

// escapes matches the escapes of C-like languages.
var escapes = part{classString, regexp.MustCompile(`\\(?:x[[:xdigit:]]{0,2}|u[[:xdigit:]]{0,4}|U[[:xdigit:]]{0,8}|(?s:.))`), classStringEscape}
