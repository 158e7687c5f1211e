package highlight

import (
	"regexp"
	"strings"
)

// The lexer of YAML does not read flow collections, {a: 1, b: [x, y]}. This file
// does, by chapter 7.4 of YAML 1.2.2, within one line.

// flowStart is a line up to a flow collection that is a value or an item.
var flowStart = regexp.MustCompile(`^[ \t]*(?:- +)*(?:(?:[^\s#'"\[\]{},][^#'"\[\]{},\n]*|'[^'\n]*'|"[^"\n]*"):[ \t]+)?[\[{]`)

// flowParts are the parts of a flow collection.
var flowParts = regexp.MustCompile(`^(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[\[\]{},:?]|\s+|#.*|[^\s\[\]{},:"'](?:[^\[\]{},:\n]|:[^\s\[\]{},])*)`)

var (
	yamlNumber  = regexp.MustCompile(`^[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|\.?\d[\d_]*(?:\.\d*)?(?:[eE][-+]?\d+)?|\.(?:inf|nan))$`)
	timestamp   = regexp.MustCompile(`^\d{4}-\d\d?-\d\d?`)
	yamlBoolean = regexp.MustCompile(`^(?:true|false|null|True|False|Null|TRUE|FALSE|NULL|~)$`)
)

// blockScalar is the end of a line behind which lines that are indented further
// are a string.
var blockScalar = regexp.MustCompile(`(?:^|[:\s-]\s)[|>][-+0-9]{0,2}\s*(?:#.*)?$`)

// flowCollections finds the flow collections of a YAML document.
func flowCollections(text string) []span {
	var spans []span
	offset, scalar := 0, -1 // scalar is the indentation of the key or item that a block scalar belongs to; -1: of none
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\n")
		indentation := len(bare) - len(strings.TrimLeft(bare, " -"))
		if strings.TrimSpace(bare) != "" && indentation <= scalar {
			scalar = -1
		}
		if scalar < 0 {
			if m := flowStart.FindStringIndex(bare); m != nil {
				spans = append(spans, span{offset + m[1] - 1, offset + len(bare), flowTokens(bare[m[1]-1:])})
			}
			if blockScalar.MatchString(bare) {
				scalar = indentation
			}
		}
		offset += len(line)
	}
	return spans
}

// flowTokens splits the rest of a line at a flow collection.
func flowTokens(text string) []Token {
	var out []Token
	for text != "" {
		n := 1 // a quote that is not closed
		if part := flowParts.FindString(text); part != "" {
			n = len(part)
		}
		part := text[:n]
		text = text[n:]
		out = append(out, Token{part, flowClass(part, strings.HasPrefix(strings.TrimLeft(text, " \t"), ":"))})
	}
	return out
}

func flowClass(part string, isKey bool) Class {
	word := strings.TrimSpace(part)
	switch {
	case word == "":
		return ClassText
	case len(word) == 1 && strings.ContainsAny(word, "[]{},:?"):
		return ClassPunctuation
	case word[0] == '#':
		return ClassComment
	case isKey:
		return ClassJSONKey
	case yamlNumber.MatchString(word):
		return ClassNumber
	case yamlBoolean.MatchString(word):
		return ClassBoolean
	case strings.ContainsAny(word[:1], `"'`):
		return ClassString
	default:
		return ClassUnquoted
	}
}
