package highlight

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lexers leave many identifiers without a class, where the grammars of editors
// see calls, types and constants. This file tells those apart by their
// neighbours and their spelling, and finds the escapes in strings.

// refine gives the tokens of a text better classes.
func refine(text string, tokens []Token, lang string) []Token {
	s := spellingOf(lang)
	if s&flows != 0 {
		tokens = overlay(tokens, flowCollections(text))
	}
	tokens = overlay(tokens, literals(text, tokens, s))
	r := refiner{spelling: s, language: s, out: make([]Token, 0, len(tokens)+len(tokens)/4), types: declaredTypes(tokens)}
	for i, t := range tokens {
		r.add(t, following(tokens[i+1:]))
	}
	switch {
	case s&commands != 0:
		r.out = shellWords(r.out)
	case s&elements != 0 && (strings.Contains(text, "</") || strings.Contains(text, "/>")):
		r.out = jsxElements(r.out)
	}
	return delimit(r.out)
}

// A refiner goes through the tokens of a text once.
type refiner struct {
	spelling           // of the language here
	language  spelling // of the text
	out       []Token
	types     map[string]bool // names that the text declares as types
	previous  Token           // that is not blank
	before    Token           // previous
	blank     bool            // stands between previous and the token
	brackets  []Class         // round ones that are open: what stands before them
	inherits  bool            // between extends and {
	inPattern bool            // between const and =
	doc       string          // quote of the docstring that is open
}

func (r *refiner) add(t Token, next string) {
	if t.Class == ClassText && strings.TrimSpace(t.Text) == "" {
		r.out, r.blank = append(r.out, t), true
		return
	}
	r.embed(t, next)
	switch {
	case t.Text == "extends" || t.Text == "implements" || t.Text == "permits":
		r.inherits = true
	case strings.ContainsAny(t.Text, "{>;)"):
		r.inherits = false
	}
	if r.inPattern = (r.inPattern || r.previous.Text == "const") && !strings.Contains(t.Text, "="); r.spelling&arrows == 0 {
		r.inPattern = false
	}
	t.Class = r.class(t, next)
	r.count(t)
	r.before, r.previous, r.blank = r.previous, t, false
	switch {
	case t.Class != ClassString:
		r.out = append(r.out, t)
	case r.spelling&escapes != 0 && strings.Contains(t.Text, `\`) && r.rawString(t.Text) == 0:
		r.out = appendEscapes(r.out, t)
	default:
		r.out = append(r.out, t)
	}
}

// embed switches to the language of a style sheet or a script within markup, and
// back.
func (r *refiner) embed(t Token, next string) {
	switch {
	case r.language&markup == 0:
	case t.Class == ClassTag && r.previous.Text == "<" && t.Text == "style":
		r.spelling = spellingOf("css")
	case t.Class == ClassTag && r.previous.Text == "<" && t.Text == "script":
		r.spelling = spellingOf("javascript")
	case strings.HasSuffix(t.Text, "<") && strings.HasPrefix(next, "/"):
		r.spelling = r.language
	}
}

// count follows round brackets.
func (r *refiner) count(t Token) {
	if t.Class != ClassPunctuation && t.Class != ClassOperator {
		return
	}
	for _, b := range []byte(t.Text) {
		switch {
		case b == '(' && len(r.brackets) < maxElements && slices.Contains(beforeFunction[:], r.before.Text):
			r.brackets = append(r.brackets, ClassParameter)
		case b == '(' && len(r.brackets) < maxElements && r.before.Text == "class":
			r.brackets = append(r.brackets, ClassInherited)
		case b == '(' && len(r.brackets) < maxElements:
			r.brackets = append(r.brackets, r.previous.Class)
		case b == ')' && len(r.brackets) > 0:
			r.brackets = r.brackets[:len(r.brackets)-1]
		}
	}
}

// within returns what stands before the innermost round brackets, ClassParameter
// for those of a function's definition, ClassInherited for those of a class's.
func (r *refiner) within() Class {
	if len(r.brackets) == 0 {
		return ClassText
	}
	return r.brackets[len(r.brackets)-1]
}

// inCall reports whether the innermost round brackets are those of a call.
func (r *refiner) inCall() bool {
	switch r.within() {
	case ClassCall, ClassBuiltin, ClassClass, ClassFunction, ClassDecorator:
		return true
	default:
		return false
	}
}

// declaredTypes returns the names that stand where a text declares types.
func declaredTypes(tokens []Token) map[string]bool {
	types := make(map[string]bool)
	var previous Token
	for _, t := range tokens {
		if strings.TrimSpace(t.Text) == "" {
			continue
		}
		if isKeyword(previous) && slices.Contains(declaresType[:], previous.Text) && isLetter(t.Text[0]) {
			types[t.Text] = true
		}
		previous = t
	}
	return types
}

func isKeyword(t Token) bool {
	return t.Class == ClassKeyword || t.Class == ClassKeywordDeclaration
}

// declaresType are the words behind which the name of a new type stands.
var declaresType = [...]string{"class", "struct", "interface", "enum", "trait", "type", "record", "union"}

// following returns the beginning of the next token that is not blank, as far
// as it stands on the same line; "::" even if that is two.
func following(tokens []Token) string {
	for i, t := range tokens[:min(len(tokens), 3)] {
		if text := strings.TrimLeft(t.Text, " \t"); text == ":" && i+1 < len(tokens) && strings.HasPrefix(tokens[i+1].Text, ":") {
			return "::"
		} else if text != "" {
			return text
		}
	}
	return ""
}

// class returns the class of a token with what follows it on its line.
func (r *refiner) class(t Token, next string) Class {
	s := r.spelling
	if class, ok := r.word(t, next); ok {
		return class
	}
	switch t.Class {
	case ClassName:
		return r.name(t.Text, next)
	case ClassFunction:
		if next == "" || strings.HasPrefix(next, "(") || strings.HasPrefix(next, "!") {
			return s.called(r.previous, t.Text)
		}
	case ClassAttribute, ClassTag:
		return r.markup(t, next)
	case ClassBuiltin:
		return builtin(t.Text, next)
	case ClassKeyword, ClassKeywordDeclaration:
		if r.previous.Text == "." && strings.HasPrefix(next, "(") {
			return s.called(r.previous, t.Text)
		}
		return s.keyword(t)
	case ClassText:
		if strings.Trim(t.Text, ":->") == "" && s&(capitalIsClass|escapes) != 0 {
			return ClassOperator
		}
	case ClassPunctuation, ClassOperator:
		return r.sign(t)
	case ClassDocComment:
		if s&flows != 0 {
			return ClassString // a block scalar
		}
	case ClassString:
		if s&docstrings != 0 && r.isDocstring(t) {
			return ClassDocComment
		}
	case ClassDecorator:
		if s&docstrings != 0 && slices.Contains([]string{"@property", "@staticmethod", "@classmethod"}, t.Text) {
			return ClassType
		}
	case ClassStringEscape:
		if s&rawStrings != 0 && t.Text[0] == '{' {
			return ClassInterpolation
		}
	default:
	}
	return t.Class
}

// markup returns the class of a token that is a tag or an attribute to the lexer.
func (r *refiner) markup(t Token, next string) Class {
	switch {
	case t.Class == ClassTag && r.spelling&dataKeys != 0:
		return ClassJSONKey
	case t.Class == ClassTag && r.spelling&styleSheet != 0 && strings.HasSuffix(r.previous.Text, "("):
		return ClassCSSProperty
	case r.spelling&generics != 0:
		return r.generic(r.previous, t, next)
	case t.Class == ClassAttribute && r.previous.Text == ".":
		return r.name(t.Text, next)
	default:
		return t.Class
	}
}

// assignments are the operators that assign.
var assignments = [...]string{"=", ":=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "??="}

// sign returns the class of a token of signs.
func (r *refiner) sign(t Token) Class {
	s := r.spelling
	switch {
	case t.Text == "=>" && s&arrows != 0:
		return ClassKeywordDeclaration
	case s&(docstrings|modernCpp) != 0 && slices.Contains([]string{".", ":", "->"}, t.Text),
		s&commands != 0 && strings.Trim(t.Text, "(){}[]") == "":
		return ClassPunctuation
	case t.Text == "." && s&scopeOperator != 0:
		return ClassOperator
	case r.language&markup != 0 && (s&markup != 0 || r.previous.Class == ClassTag || r.previous.Class == ClassString) && strings.Trim(t.Text, "</>") == "":
		return ClassTagDelimiter
	case t.Text == "=" && s&markup != 0:
		return ClassAssignment
	case r.language&markup != 0 && s&arrows == 0 && strings.Trim(t.Text, "=,():-") == "":
		return ClassPunctuation
	case !r.blank && strings.Trim(t.Text, "<>") == "" && s&capitalIsClass != 0 && (r.previous.Class == ClassClass || r.previous.Class == ClassType):
		return ClassPunctuation
	case slices.Contains(assignments[:], t.Text) && s&markup == 0:
		return ClassAssignment
	case strings.Trim(t.Text, "=<>!+-*/%&|^~") == "" && s&markup == 0:
		return ClassOperator
	}
	return t.Class
}

// isDocstring reports whether a token of a string is a part of one that stands
// alone at the beginning of a module or a block of Python.
func (r *refiner) isDocstring(t Token) bool {
	opens := false
	if r.doc == "" {
		quote := t.Text[:min(3, len(t.Text))]
		alone := r.previous.Text == "" || strings.HasSuffix(r.previous.Text, ":") && !r.inCall() || r.previous.Class == ClassComment
		if !alone || quote != `"""` && quote != "'''" {
			return false
		}
		r.doc, opens = quote, true
	}
	if strings.HasSuffix(t.Text, r.doc) && (!opens || len(t.Text) >= 6) {
		r.doc = ""
	}
	return true
}

// word returns the class of a token by its word alone.
func (r *refiner) word(t Token, next string) (Class, bool) {
	s := r.spelling
	isWord := t.Class == ClassName || t.Class == ClassKeyword || t.Class == ClassKeywordDeclaration || t.Class == ClassFunction || t.Class == ClassBuiltin || t.Class == ClassType || t.Class == ClassBoolean
	switch {
	case !isWord || r.previous.Text == ".":
		return 0, false
	case s&modernCpp != 0 && slices.Contains(newKeywords[:], t.Text):
		return ClassKeyword, true
	case s&modernCpp != 0 && slices.Contains(wordOperators[:], t.Text):
		return ClassBuiltin, true
	case s&modernCpp != 0 && t.Text == "const":
		return ClassModifier, true
	case s&modernCpp != 0 && t.Text == "auto":
		return ClassType, true
	case s&modernCpp != 0 && slices.Contains([]string{"template", "typename", "public", "private", "protected", "final"}, t.Text):
		return ClassKeywordDeclaration, true
	case s&modifiers != 0 && slices.Contains(modifierWords[:], t.Text) && t.Class != ClassName:
		return ClassModifier, true
	case s&commands != 0 && strings.HasSuffix(t.Text, "=") && len(t.Text) > 1:
		return ClassProperty, true
	case s&sql != 0:
		return sqlWord(t, next)
	}
	return 0, false
}

// modifierWords stand before a declaration and change its meaning.
var modifierWords = [...]string{
	"public", "private", "protected", "static", "final", "abstract", "readonly", "volatile", "synchronized", "transient", "native", "sealed",
	"permits", "override", "virtual", "explicit", "mut", "pub", "extends", "implements", "throws", "inline",
}

// sqlWord returns the class of a word of SQL.
func sqlWord(t Token, next string) (Class, bool) {
	word := strings.ToLower(t.Text)
	switch {
	case slices.Contains([]string{"sum", "count", "avg", "min", "max", "coalesce"}, word) && strings.HasPrefix(next, "("):
		return ClassBuiltin, true
	case slices.Contains([]string{"primary", "key", "default", "references", "unique", "foreign", "constraint", "check"}, word):
		return ClassModifier, true
	case t.Class == ClassBuiltin, t.Class == ClassConstant:
		return ClassType, true
	case t.Class == ClassName && strings.HasPrefix(next, "."):
		return ClassNamespace, true
	case t.Class == ClassName && shouted(t.Text):
		return ClassKeyword, true
	}
	return 0, false
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
	case strings.HasPrefix(next, "("):
		return s.called(previous, t.Text)
	case capitalised(t.Text), len(t.Text) == 1:
		return ClassClass
	default:
		return ClassName
	}
}

// name returns the class of a name.
func (r *refiner) name(text, next string) Class {
	s, previous := r.spelling, r.previous
	switch {
	case r.inherits && capitalised(text):
		return ClassInherited
	case s&staticReceivers != 0 && previous.Text == "new" && strings.HasPrefix(next, "("):
		return ClassFunction
	case slices.Contains(beforeClass[:], previous.Text), r.types[text] && previous.Text != ".":
		return ClassClass
	case previous.Text == "package" || previous.Text == "namespace" || s&scopeOperator != 0 && strings.HasPrefix(next, "::") && !capitalised(text):
		return ClassNamespace
	case s&arrows != 0 && text == "from" && next != "" && strings.ContainsAny(next[:1], "\"'`"):
		return ClassKeyword
	case slices.Contains(beforeFunction[:], previous.Text), s&modernCpp != 0 && previous.Text == "~":
		return ClassFunction
	case strings.HasPrefix(next, "("):
		return s.called(previous, text)
	case s&docstrings != 0 && r.within() == ClassInherited && !strings.HasPrefix(next, "="):
		return ClassInherited
	case s&keywordArguments != 0 && r.inCall() && strings.HasPrefix(next, "=") && !strings.HasPrefix(next, "=="):
		return ClassAttribute
	case s&(docstrings|arrows) != 0 && r.within() == ClassParameter && slices.Contains(beforeParameter[:], previous.Text):
		return ClassParameter
	case s&modernCpp != 0 && strings.HasSuffix(text, "_t"):
		return ClassType
	case s&modernCpp != 0 && previous.Text == ":" && r.before.Text == ":" && next != "" && (isLetter(next[0]) || strings.ContainsAny(next[:1], "<>&*")):
		return ClassClass
	case s&(modernCpp|staticReceivers) != 0 && r.within() == ClassFunction && next != "" && strings.ContainsAny(next[:1], ",)=") && r.isTyped():
		return ClassParameter
	case s&typesFollow != 0 && len(r.brackets) == 0 && next != "" && isLetter(next[0]) && !isKeyword(previous):
		return ClassAttribute
	case s&typesFollow != 0 && r.isGoType(text):
		return ClassClass
	case s&typesFollow != 0 && len(r.brackets) > 0 && next != "" && (isLetter(next[0]) || next == "*" && (previous.Text == "(" || previous.Text == ",")):
		return ClassParameter
	case shouted(text):
		return ClassConstant
	case s&staticReceivers != 0 && (strings.HasPrefix(next, ".") || previous.Class == ClassClass || previous.Class == ClassType) && previous.Text != ".":
		return ClassVariable
	case s&arrows != 0 && capitalised(text) && (strings.HasPrefix(next, ".") || previous.Text == "import"):
		return ClassName
	case s&arrows != 0 && (previous.Text == "const" || r.inPattern):
		return ClassConstant
	case s&capitalIsClass != 0 && (capitalised(text) || len(text) == 1 && text[0] >= 'A' && text[0] <= 'Z'):
		return ClassClass
	case strings.HasSuffix(previous.Text, ".") && previous.Class != ClassString:
		return ClassProperty
	case s&keywordArguments != 0 && r.inCall():
		return ClassVariable
	default:
		return ClassName
	}
}

// isTyped reports whether a type stands before the token.
func (r *refiner) isTyped() bool {
	return r.previous.Class == ClassType || r.previous.Class == ClassClass || slices.Contains([]string{"&", "&&", "*", ">"}, r.previous.Text)
}

// isGoType reports whether a name stands where Go has types: behind the name of
// what it is the type of, behind * or [] there, and behind the dot of a package
// in such a place.
func (r *refiner) isGoType(text string) bool {
	switch {
	case r.previous.Text == ".":
		return r.before.Class == ClassClass
	case r.blank && (r.previous.Class == ClassName || r.previous.Class == ClassParameter || r.previous.Class == ClassProperty):
		return true
	case r.previous.Text == "*" || r.previous.Text == "[]" || r.previous.Text == "]" || r.previous.Text == "[]*":
		return !r.blank && (r.before.Class == ClassName || r.before.Class == ClassParameter || r.before.Class == ClassType || r.before.Class == ClassPunctuation || r.before.Class == ClassKeywordDeclaration) && text != ""
	case r.previous.Text == "chan" || r.previous.Text == "&":
		return true
	}
	return false
}

// called returns the class of a name before a parenthesis.
func (s spelling) called(previous Token, text string) Class {
	switch {
	case s&scopeOperator != 0 && s&modernCpp == 0 && capitalised(text):
		return ClassCall
	case s&capitalIsClass != 0 && s&staticReceivers == 0 && capitalised(text) && previous.Text != ".":
		return ClassClass
	case s&calls != 0 && !slices.Contains(beforeFunction[:], previous.Text):
		return ClassCall
	default:
		return ClassFunction
	}
}

// newKeywords are those of C++ since 2011 that the lexer does not know.
var newKeywords = [...]string{"constexpr", "consteval", "constinit", "concept", "requires", "co_await", "co_return", "co_yield"}

// wordOperators are the words of C++ that are operators.
var wordOperators = [...]string{"new", "delete", "sizeof", "alignof", "typeid", "noexcept", "static_cast", "dynamic_cast", "const_cast", "reinterpret_cast"}

// beforeFunction are the words that stand before the name of a function.
var beforeFunction = [...]string{"func", "function", "fn", "def", "fun", "sub", "proc"}

// beforeParameter are the signs that stand before a parameter.
var beforeParameter = [...]string{"(", ",", "*", "**", "{", "({", "..."}

// beforeClass are the words that stand before the name of a type.
var beforeClass = [...]string{"class", "struct", "interface", "enum", "trait", "type", "extends", "implements", "new", "impl", "protocol"}

func builtin(text, next string) Class {
	switch {
	case slices.Contains([]string{"true", "false", "nil", "null", "None"}, text):
		return ClassBoolean
	case strings.HasPrefix(next, "["):
		return ClassName
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
