package highlight

import (
	"regexp"
	"slices"
	"strings"
)

// Some lexers split numbers and raw strings. This file finds these in the text
// again, by the grammar that languages share, and replaces the tokens.

// A span is a range of a text with the tokens to use for it.
type span struct {
	start, end int // offsets in the text
	tokens     []Token
}

// overlay replaces the tokens in the ranges of spans, which are in order and do
// not overlap.
func overlay(tokens []Token, spans []span) []Token {
	if len(spans) == 0 {
		return tokens
	}
	out := make([]Token, 0, len(tokens)+len(spans))
	offset := 0
	for _, t := range tokens {
		for t.Text != "" {
			if len(spans) == 0 || offset+len(t.Text) <= spans[0].start {
				out = append(out, t)
				offset += len(t.Text)
				break
			}
			if head := spans[0].start - offset; head > 0 {
				out = append(out, Token{t.Text[:head], t.Class})
				t.Text, offset = t.Text[head:], offset+head
				continue
			} else if head == 0 {
				out = append(out, spans[0].tokens...)
			}
			covered := min(len(t.Text), spans[0].end-offset)
			t.Text, offset = t.Text[covered:], offset+covered
			if offset == spans[0].end {
				spans = spans[1:]
			}
		}
	}
	return out
}

var (
	// number matches a number of C-like languages, with digits grouped by _ or
	// ' and a suffix for the type.
	number = regexp.MustCompile(`^(?:0[xX][0-9a-fA-F_']+(?:\.[0-9a-fA-F]+)?(?:[pP][+-]?\d+)?|(?:\d[\d_']*)?\.?\d[\d_']*(?:[eE][+-]?\d[\d_]*)?)\w*`)

	// operator matches an operator of several characters, which some lexers
	// split.
	operator = regexp.MustCompile(`^(?:\.\.\.|[=!]==?|[-=]>|[<>]=|&&|\|\||\?\?|[-+*/%&|^]=|<<=)`)

	// regexpLiteral matches a regular expression of JavaScript. beforeRegexp
	// has the characters that may precede one on its line.
	regexpLiteral = regexp.MustCompile(`^/(?:[^/*\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])*/[a-z]*`)
	beforeRegexp  = "(,=:[!&|?{;"

	rawCpp   = regexp.MustCompile(`^(?:u8|[uUL])?R"([^()\\\s"]{0,16})\(`)
	rawRust  = regexp.MustCompile(`^(?:br|cr|r)(#*)"`)
	rawSwift = regexp.MustCompile(`^(#+)"`)
)

// literals finds the numbers and raw strings that begin at the start of a
// token.
func literals(text string, tokens []Token, g *grammar) []span {
	if !g.Escapes && !g.RawStrings && !g.Docstrings {
		return nil
	}
	var spans []span
	offset, end := 0, 0
	for i, t := range tokens {
		if offset >= end {
			n, class := g.literal(text[offset:], t, before(tokens[:i]))
			if g.Arrows && n == 0 && startsRegexp(text[:offset], t) {
				n, class = len(regexpLiteral.FindString(text[offset:min(len(text), offset+lookAhead)])), ClassRegexp
			}
			if n > len(t.Text) || n > 0 && class != t.Class {
				end = offset + n
				spans = append(spans, span{offset, end, []Token{{text[offset:end], class}}})
			}
		}
		offset += len(t.Text)
	}
	return spans
}

// startsRegexp reports whether a regular expression may begin with token t
// after text.
func startsRegexp(text string, t Token) bool {
	text = strings.TrimRight(text, " ")
	return t.Text[0] == '/' && t.Class != ClassComment && t.Class != ClassDocComment && text != "" && strings.ContainsAny(text[len(text)-1:], beforeRegexp)
}

// before returns the last token, or the zero token if there is none.
func before(tokens []Token) Token {
	if len(tokens) == 0 {
		return Token{}
	}
	return tokens[len(tokens)-1]
}

// literal returns the length and the class of the literal at the beginning of
// text, whose first token according to the lexer is t. The length is 0 if there
// is none.
func (g *grammar) literal(text string, t, previous Token) (n int, class Class) {
	switch t.Class {
	case ClassComment, ClassDocComment, ClassRegexp, ClassStringEscape:
		return 0, 0
	case ClassString:
		if isStringPart(previous.Class) {
			return 0, 0
		}
	case ClassOperator, ClassPunctuation:
		if n := len(operator.FindString(text)); n > 0 {
			return n, ClassOperator
		}
	default:
	}
	if n := g.rawString(text); n > 0 {
		return n, ClassString
	}
	if t.Class == ClassString || !g.Escapes || !startsNumber(text, previous) {
		return 0, 0
	}
	return len(number.FindString(text)), ClassNumber
}

// startsNumber reports whether a number may begin here: not within a name, and
// not after the dot of a range or of a tuple's index.
func startsNumber(text string, previous Token) bool {
	if text[0] == '.' {
		return len(text) > 1 && isDigit(text[1]) && slices.Contains([]Class{ClassText, ClassOperator, ClassPunctuation}, previous.Class) &&
			!strings.HasSuffix(previous.Text, ".") && !strings.HasSuffix(previous.Text, ")") && !strings.HasSuffix(previous.Text, "]")
	}
	return isDigit(text[0]) && !strings.HasSuffix(previous.Text, ".")
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// rawString returns the length of the raw string at the beginning of text. An
// unclosed one runs to the end.
func (g *grammar) rawString(text string) int {
	if !g.RawStrings || !strings.ContainsAny(text[:1], "#bcruULR") {
		return 0
	}
	for _, raw := range []struct {
		opening       *regexp.Regexp
		close, behind string // around the delimiter from the opening
	}{{rawCpp, ")", `"`}, {rawRust, `"`, ""}, {rawSwift, `"`, ""}} {
		m := raw.opening.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		start := len(m[0])
		i := strings.Index(text[start:], raw.close+m[1]+raw.behind)
		if i < 0 {
			return len(text)
		}
		return start + i + len(raw.close+m[1]+raw.behind)
	}
	return 0
}
