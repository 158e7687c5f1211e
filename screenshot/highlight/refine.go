package highlight

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/language"
)

// Lexers leave many identifiers without a class, where the grammars of editors
// see calls, types and constants. This file tells those apart by their
// neighbours and their spelling, and finds the escapes in strings.

// spelling says what the spelling of code in a language tells.
type spelling uint16

const (
	capitalIsClass spelling = 1 << iota // Names of types begin with a capital
	escapes                             // "\n" and '\n' are escapes
	arrows                              // => makes a function, from comes before a module
	dataKeys                            // tags are the keys of data
	styleSheet                          // keywords are properties of a style sheet
	markup                              // < and > are brackets
	generics                            // what looks like a tag is a type in angle brackets
	rawStrings                          // R"(…)", r#"…"# or #"…"# are strings without escapes
	flows                               // {a: 1, b: [x]} is data within a line
	modernCpp                           // newKeywords are keywords
)

func spellingOf(lang string) spelling {
	name, _ := language.Lookup(lang)
	switch name {
	case "typescript":
		return capitalIsClass | escapes | arrows | generics
	case "javascript", "jsx", "tsx", "vue", "svelte":
		return capitalIsClass | escapes | arrows
	case "java", "c#", "kotlin", "dart", "scala", "groovy":
		return capitalIsClass | escapes
	case "rust", "swift":
		return capitalIsClass | escapes | rawStrings
	case "c++":
		return capitalIsClass | escapes | rawStrings | modernCpp
	case "python", "ruby", "php", "haskell", "elixir":
		return capitalIsClass
	case "go", "c", "zig", "lua":
		return escapes
	case "json":
		return dataKeys | escapes
	case "yaml":
		return dataKeys | flows
	case "toml":
		return dataKeys
	case "css", "scss", "sass", "less", "stylus":
		return styleSheet
	case "html", "xml", "markdown":
		return markup
	default:
		return 0
	}
}

// refine gives the tokens of a text better classes.
func refine(text string, tokens []Token, lang string) []Token {
	s := spellingOf(lang)
	if s&flows != 0 {
		tokens = overlay(tokens, flowCollections(text))
	}
	tokens = overlay(tokens, literals(text, tokens, s))
	out := make([]Token, 0, len(tokens)+len(tokens)/8)
	var previous Token // that is not blank
	for i, t := range tokens {
		if t.Class == ClassText && strings.TrimSpace(t.Text) == "" {
			out = append(out, t)
			continue
		}
		t.Class = s.class(previous, t, following(tokens[i+1:]))
		previous = t
		if t.Class == ClassString && s&escapes != 0 && strings.Contains(t.Text, `\`) && s.rawString(t.Text) == 0 {
			out = appendEscapes(out, t)
		} else {
			out = append(out, t)
		}
	}
	return out
}

// following returns the beginning of the next token that is not blank, as far
// as it stands on the same line.
func following(tokens []Token) string {
	for _, t := range tokens[:min(len(tokens), 3)] {
		if text := strings.TrimLeft(t.Text, " \t"); text != "" {
			return text
		}
	}
	return ""
}

func (s spelling) class(previous, t Token, next string) Class {
	if s&modernCpp != 0 && slices.Contains(newKeywords[:], t.Text) {
		return ClassKeyword
	}
	switch t.Class {
	case ClassName:
		return s.name(previous, t.Text, next)
	case ClassAttribute:
		if s&generics != 0 {
			return s.generic(previous, t, next)
		}
		if previous.Text == "." {
			return s.name(previous, t.Text, next)
		}
	case ClassBuiltin:
		return builtin(t.Text, next)
	case ClassKeyword, ClassKeywordDeclaration:
		if previous.Text == "." && strings.HasPrefix(next, "(") {
			return ClassFunction
		}
		return s.keyword(t)
	case ClassPunctuation, ClassOperator:
		if t.Text == "=>" && s&arrows != 0 {
			return ClassKeywordDeclaration
		}
		if strings.Trim(t.Text, "=<>!+-*/%&|^~") == "" && s&markup == 0 {
			return ClassOperator
		}
	case ClassDocComment:
		if s&flows != 0 {
			return ClassString // a block scalar
		}
	case ClassTag:
		if s&dataKeys != 0 {
			return ClassJSONKey
		}
		if s&generics != 0 {
			return s.generic(previous, t, next)
		}
	default:
	}
	return t.Class
}

// generic returns the class of a word that the lexer took for markup.
func (s spelling) generic(previous, t Token, next string) Class {
	switch {
	case t.Text == "extends" || t.Text == "keyof":
		return ClassKeyword
	case slices.Contains(builtinTypes[:], t.Text):
		return ClassType
	case slices.Contains([]string{"null", "undefined", "true", "false"}, t.Text):
		return ClassBoolean
	case capitalised(t.Text), len(t.Text) == 1:
		return ClassClass
	default:
		return s.name(previous, t.Text, next)
	}
}

func (s spelling) name(previous Token, text, next string) Class {
	switch {
	case slices.Contains(beforeClass[:], previous.Text):
		return ClassClass
	case s&arrows != 0 && text == "from" && next != "" && strings.ContainsAny(next[:1], "\"'`"):
		return ClassKeyword
	case strings.HasPrefix(next, "("):
		if s&capitalIsClass != 0 && capitalised(text) && previous.Text != "." {
			return ClassClass
		}
		return ClassFunction
	case shouted(text):
		return ClassConstant
	case s&capitalIsClass != 0 && capitalised(text):
		return ClassClass
	case strings.HasSuffix(previous.Text, ".") && previous.Class != ClassString:
		return ClassProperty
	default:
		return ClassName
	}
}

// newKeywords are those of C++ since 2011 that the lexer does not know.
var newKeywords = [...]string{"constexpr", "consteval", "constinit", "concept", "requires", "co_await", "co_return", "co_yield"}

// beforeClass are the words that stand before the name of a type.
var beforeClass = [...]string{"class", "struct", "interface", "enum", "trait", "type", "extends", "implements", "new", "impl", "protocol"}

func builtin(text, next string) Class {
	switch {
	case slices.Contains([]string{"true", "false", "nil", "null", "None"}, text):
		return ClassBoolean
	case capitalised(text), !strings.HasPrefix(next, "(") && slices.Contains(builtinTypes[:], text):
		return ClassType
	default:
		return ClassBuiltin
	}
}

// builtinTypes are types that are called like functions to convert to them.
var builtinTypes = [...]string{
	"int", "str", "float", "bool", "list", "dict", "tuple", "set", "frozenset", "bytes", "object", "complex",
	"string", "number", "boolean", "error", "byte", "rune", "char", "double", "void", "any",
}

func (s spelling) keyword(t Token) Class {
	switch t.Text {
	case "this", "self", "super":
		return ClassLanguageVariable
	case "null", "nullptr", "nil", "true", "false", "undefined", "None", "NaN":
		return ClassBoolean
	case "class", "struct", "interface", "enum", "trait", "type", "function", "func", "fn", "def", "let", "const", "var",
		"val", "static", "namespace", "typedef", "impl", "lambda", "union":
		if s&styleSheet == 0 {
			return ClassKeywordDeclaration
		}
	}
	switch {
	case strings.HasPrefix(t.Text, "@"):
		return ClassDecorator
	case s&styleSheet != 0 && t.Class == ClassKeyword:
		return ClassCSSProperty
	default:
		return t.Class
	}
}

func capitalised(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) && strings.ContainsFunc(s[size:], unicode.IsLower)
}

// shouted reports whether s is a name like MAX_SIZE.
func shouted(s string) bool {
	return len(s) > 2 && strings.ContainsFunc(s, unicode.IsUpper) && !strings.ContainsFunc(s, unicode.IsLower)
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
