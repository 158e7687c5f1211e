package highlight

import "strings"

// Some lexers split numbers, operators and raw strings. This file finds these
// in the text again, by the rows for literals, and replaces the tokens.

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

// literals finds the literals that begin at the start of a token.
func (r *refiner) literals(text string, tokens []Token) []span {
	var spans []span
	var previous, before Token // before is the last token that is not blank
	offset, end := 0, 0
	for _, t := range tokens {
		continues := t.Class == classString && isStringPart(previous.Class)
		if offset >= end && !continues {
			n, class := r.literal(text[offset:], t, before)
			if n > len(t.Text) || n > 0 && class != t.Class {
				end = offset + n
				spans = append(spans, span{offset, end, []Token{{text[offset:end], class}}})
			}
		}
		offset += len(t.Text)
		if previous = t; strings.TrimSpace(t.Text) != "" {
			before = t
		}
	}
	return spans
}

// literal returns the length and the class of the literal at the beginning of
// text, whose first token according to the lexer is t. The length is 0 if there
// is none.
func (r *refiner) literal(text string, t, before Token) (n int, class Class) {
	for _, l := range r.rules().literals {
		if !l.at.has(t.Class) || !l.before.matches(r, before, before.Text) {
			continue
		}
		if n := l.length(text); n > 0 {
			return n, l.class
		}
	}
	return 0, 0
}

// length returns the length of the literal at the beginning of text. One that
// is not closed runs to the end.
func (l literal) length(text string) int {
	if l.end == "" {
		return len(l.text.FindString(text[:min(len(text), lookAhead)]))
	}
	m := l.text.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	end := strings.ReplaceAll(l.end, "$1", m[1])
	i := strings.Index(text[len(m[0]):], end)
	if i < 0 {
		return len(text)
	}
	return len(m[0]) + i + len(end)
}
