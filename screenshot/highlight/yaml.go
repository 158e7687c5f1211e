package highlight

import (
	"regexp"
	"strings"
)

// The lexer of YAML does not parse flow collections, {a: 1, b: [x, y]}. This
// file does, within one line, by section 7.4 of YAML 1.2.2.

// flowStart matches a line up to a flow collection that is a value or an item,
// with its tag and its anchor.
var flowStart = regexp.MustCompile(`^[ \t]*(?:- +)*(?:(?:[^\s#'"\[\]{},][^#'"\[\]{},\n]*|'[^'\n]*'|"[^"\n]*"):[ \t]+)?(?:[&!][^\s\[\]{},]*[ \t]+)*[\[{]`)

// flowParts matches the next part of a flow collection.
var flowParts = regexp.MustCompile(`^(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[\[\]{},:?]|\s+|#.*|[^\s\[\]{},:"'](?:[^\[\]{},:\n]|:[^\s\[\]{},])*)`)

var (
	yamlNumber  = regexp.MustCompile(`^[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|\.?\d[\d_]*(?:\.\d*)?(?:[eE][-+]?\d+)?|\.(?:inf|nan))$`)
	yamlBoolean = regexp.MustCompile(`^(?:true|false|null|True|False|Null|TRUE|FALSE|NULL|~)$`)
)

// blockScalar matches the end of a line that begins a block scalar: the
// following lines with a larger indentation are a string.
var blockScalar = regexp.MustCompile(`(?:^|[:\s-]\s)[|>][-+0-9]{0,2}\s*(?:#.*)?$`)

// flowCollections finds the flow collections of a YAML document.
func flowCollections(text string) []span {
	var spans []span
	offset, scalar := 0, -1 // scalar is the indentation of the key or item of the current block scalar, -1 for none
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

// flowTokens splits the rest of a line from a flow collection on.
func flowTokens(text string) []Token {
	var out []Token
	for text != "" {
		n := 1 // an unclosed quote
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
