package highlight

import (
	"regexp"
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
	g := grammarOf(lang)
	if g.Flows {
		tokens = overlay(tokens, flowCollections(text))
	}
	tokens = overlay(tokens, literals(text, tokens, g))
	r := refiner{grammar: g, language: g, out: make([]Token, 0, len(tokens)+len(tokens)/4), types: declaredTypes(tokens)}
	for i, t := range tokens {
		r.add(t, following(tokens[i+1:]))
	}
	switch {
	case g.Commands:
		r.out = shellWords(r.out)
	case g.Elements && (strings.Contains(text, "</") || strings.Contains(text, "/>")):
		r.out = jsxElements(r.out)
	}
	return delimit(r.out)
}

// A refiner goes through the tokens of a text once.
type refiner struct {
	*grammar           // of the language here
	language  *grammar // of the text
	out       []Token
	types     map[string]bool // names that the text declares as types
	previous  Token           // that is not blank
	before    Token           // previous
	blank     bool            // stands between previous and the token
	newline   bool            // does
	apart     bool            // previous has a blank before it
	signature bool            // between func and {
	brackets  []Class         // that are open: what stands before them
	inherits  bool            // between extends and {
	inPattern bool            // between const and =
	doc       string          // quote of the docstring that is open
}

func (r *refiner) add(t Token, next string) {
	if t.Class == ClassText && strings.TrimSpace(t.Text) == "" {
		r.out, r.blank, r.newline = append(r.out, t), true, r.newline || strings.Contains(t.Text, "\n")
		return
	}
	r.embed(t, next)
	switch {
	case t.Text == "extends" || t.Text == "implements" || t.Text == "permits":
		r.inherits = true
	case strings.ContainsAny(t.Text, "{>;)"):
		r.inherits = false
	}
	r.signature = t.Text == "func" || r.signature && t.Text != "{" && !r.newline
	if r.inPattern = (r.inPattern || r.previous.Text == "const") && !strings.Contains(t.Text, "="); !r.Arrows {
		r.inPattern = false
	}
	t.Class = r.class(t, next)
	if of := r.count(t); t.Text == "(" || t.Text == ")" {
		t.Class = r.parenthesis(of, t.Class)
	}
	r.before, r.previous, r.apart, r.blank, r.newline = r.previous, t, r.blank, false, strings.HasSuffix(t.Text, "\n")
	switch {
	case t.Class == ClassPreprocessor && r.ScopeOperator && !r.Cpp:
		r.out = appendTypes(r.out, t)
	case t.Class != ClassString:
		r.out = append(r.out, t)
	case r.Escapes && strings.Contains(t.Text, `\`) && r.rawString(t.Text) == 0:
		r.out = appendEscapes(r.out, t)
	default:
		r.out = append(r.out, t)
	}
}

// embed switches to the language of a style sheet or a script within markup, and
// back.
func (r *refiner) embed(t Token, next string) {
	switch {
	case !r.language.Markup:
	case t.Class == ClassTag && r.previous.Text == "<" && t.Text == "style":
		r.grammar = grammarOf("css")
	case t.Class == ClassTag && r.previous.Text == "<" && t.Text == "script":
		r.grammar = grammarOf("javascript")
	case strings.HasSuffix(t.Text, "<") && strings.HasPrefix(next, "/"):
		r.grammar = r.language
	}
}

// count follows round brackets, and in scripts the braces of objects. It returns
// what the last ones were of that t begins or ends.
func (r *refiner) count(t Token) (of Class) {
	if t.Class != ClassPunctuation && t.Class != ClassOperator && t.Class != ClassInterpolation {
		return ClassText
	}
	behind := r.previous.Text
	for i, b := range []byte(t.Text) {
		switch {
		case (b == ')' || b == '}' && r.Arrows) && len(r.brackets) > 0:
			of, r.brackets = r.within(), r.brackets[:len(r.brackets)-1]
		case len(r.brackets) == maxElements:
		case b == '(':
			of = r.beforeBracket()
			r.brackets = append(r.brackets, of)
		case b == '{' && r.Arrows:
			r.brackets = append(r.brackets, r.beforeBrace(behind))
		}
		behind = t.Text[i : i+1]
	}
	return of
}

// parenthesis returns the class of a round bracket of class c.
func (r *refiner) parenthesis(of, c Class) Class {
	if of == ClassParameter || r.StaticReceivers && (of == ClassFunction || of == ClassProperty) {
		return ClassParenthesis
	}
	return c
}

// beforeBracket returns what the round brackets that begin here are of.
func (r *refiner) beforeBracket() Class {
	switch {
	case slices.Contains(beforeFunction[:], r.before.Text):
		return ClassParameter
	case r.before.Text == "class":
		return ClassInherited
	case r.previous.Text == "const":
		return ClassConstant
	case r.StaticReceivers && r.before.Text == ".":
		return ClassProperty
	default:
		return r.previous.Class
	}
}

// beforeBrace returns ClassJSONKey for the braces of an object behind a word or a
// sign, ClassParameter for those among parameters.
func (r *refiner) beforeBrace(behind string) Class {
	switch {
	case r.within() == ClassParameter:
		return ClassParameter
	case behind == "return", behind == "=" && r.before.Class != ClassClass, behind != "" && strings.ContainsRune("(,:[?", rune(behind[len(behind)-1])),
		strings.HasSuffix(behind, "{") && r.within() == ClassJSONKey:
		return ClassJSONKey
	default:
		return ClassText
	}
}

// within returns what stands before the innermost brackets, ClassParameter for
// those of a function's definition, ClassInherited for those of a class's,
// ClassConstant for those of constants, ClassJSONKey for those of an object.
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
	g := r.grammar
	if class, ok := r.word(t, next); ok {
		return class
	}
	switch t.Class {
	case ClassName:
		return r.name(t.Text, next)
	case ClassFunction:
		if g.Docstrings && strings.HasPrefix(t.Text, "__") {
			return ClassBuiltin
		}
		if next == "" || strings.HasPrefix(next, "(") || strings.HasPrefix(next, "!") {
			return g.called(r.previous, t.Text)
		}
	case ClassAttribute, ClassTag:
		return r.markup(t, next)
	case ClassBuiltin:
		return builtin(t.Text, next)
	case ClassKeyword, ClassKeywordDeclaration:
		if r.previous.Text == "." && strings.HasPrefix(next, "(") {
			return g.called(r.previous, t.Text)
		}
		return g.keyword(t)
	case ClassText:
		switch {
		case strings.Trim(t.Text, ":-> ") != "":
		case g.Flows:
			return ClassPunctuation
		case g.CapitalIsClass || g.Escapes:
			return ClassOperator
		}
	case ClassPunctuation, ClassOperator:
		return r.sign(t)
	case ClassDocComment:
		if g.Flows {
			return ClassUnquoted // a block scalar
		}
	case ClassString:
		switch {
		case g.Docstrings && r.isDocstring(t):
			return ClassDocComment
		case g.Commands && unquotedHeredoc.MatchString(t.Text):
			return ClassUnquoted
		}
	case ClassStringEscape:
		if g.RawStrings && t.Text[0] == '{' {
			return ClassInterpolation
		}
	default:
	}
	return t.Class
}

var unquotedHeredoc = regexp.MustCompile(`^<<-?\s*\w`)

// markup returns the class of a token that is a tag or an attribute to the lexer.
func (r *refiner) markup(t Token, next string) Class {
	switch {
	case t.Class == ClassTag && r.DataKeys:
		return ClassJSONKey
	case t.Class == ClassTag && r.StyleSheet && strings.HasSuffix(r.previous.Text, "("):
		return ClassCSSProperty
	case r.Generics && !r.language.Markup:
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
	g := r.grammar
	switch {
	case t.Text == "=>" && g.Arrows:
		return ClassKeywordDeclaration
	case (g.Docstrings || g.Cpp) && slices.Contains([]string{".", ":", "->"}, t.Text),
		g.Commands && strings.Trim(t.Text, "(){}[]") == "":
		return ClassPunctuation
	case t.Text == "." && g.ScopeOperator:
		return ClassOperator
	case r.language.Markup && (g.Markup || r.previous.Class == ClassTag || r.previous.Class == ClassString) && strings.Trim(t.Text, "</>") == "":
		return ClassTagDelimiter
	case t.Text == "=" && g.Markup:
		return ClassAssignment
	case r.language.Markup && !g.Arrows && strings.Trim(t.Text, "=,():-") == "":
		return ClassPunctuation
	case !r.blank && strings.Trim(t.Text, "<>") == "" && g.CapitalIsClass && (r.previous.Class == ClassClass || r.previous.Class == ClassType):
		return ClassPunctuation
	case slices.Contains(assignments[:], t.Text) && !g.Markup:
		return ClassAssignment
	case strings.Trim(t.Text, "=<>!+-*/%&|^~") == "" && !g.Markup:
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

// wordClasses are what lexers take words for.
var wordClasses = [...]Class{ClassName, ClassKeyword, ClassKeywordDeclaration, ClassFunction, ClassBuiltin, ClassType, ClassBoolean, ClassDecorator}

// word returns the class of a token by its word alone.
func (r *refiner) word(t Token, next string) (Class, bool) {
	word := t.Text
	if r.SQL {
		word = strings.ToLower(word)
	}
	class, ok := r.words[word]
	switch {
	case !slices.Contains(wordClasses[:], t.Class) || r.previous.Text == ".":
		return 0, false
	case ok && (class != ClassModifier || t.Class != ClassName) && (class != ClassBuiltin || !r.SQL || strings.HasPrefix(next, "(")):
		return class, true
	case r.Commands && strings.HasSuffix(t.Text, "=") && len(t.Text) > 1:
		return ClassProperty, true
	case r.SQL:
		return r.sqlWord(t, next)
	}
	return 0, false
}

// sqlWord returns the class of a word of SQL.
func (r *refiner) sqlWord(t Token, next string) (Class, bool) {
	switch {
	case t.Class == ClassBuiltin, t.Class == ClassConstant:
		return ClassType, true
	case t.Class == ClassName && createsSQL.MatchString(r.before.Text+" "+r.previous.Text):
		return ClassFunction, true
	case t.Class == ClassName && strings.HasPrefix(next, "."):
		return ClassNamespace, true
	case t.Class == ClassName && shouted(t.Text):
		return ClassKeyword, true
	}
	return 0, false
}

// createsSQL are two words before the name of what SQL makes.
var createsSQL = regexp.MustCompile(`(?i)^(create|replace|unique) (table|index|view|type|function|procedure|trigger|schema|database|domain|sequence|role|user)$`)

// generic returns the class of a word that the lexer took for markup.
func (g *grammar) generic(previous, t Token, next string) Class {
	switch {
	case t.Text == "extends" || t.Text == "keyof":
		return ClassKeyword
	case commonWord(t.Text) == ClassType || commonWord(t.Text) == ClassBoolean:
		return commonWord(t.Text)
	case strings.HasPrefix(next, "("):
		return g.called(previous, t.Text)
	case capitalised(t.Text), len(t.Text) == 1:
		return ClassClass
	default:
		return ClassName
	}
}

// name returns the class of a name.
func (r *refiner) name(text, next string) Class {
	g, previous := r.grammar, r.previous
	switch {
	case r.inherits && capitalised(text):
		return ClassInherited
	case g.StaticReceivers && previous.Text == "new" && strings.HasPrefix(next, "("):
		return ClassFunction
	case slices.Contains(beforeClass[:], previous.Text), r.types[text] && previous.Text != ".":
		return ClassClass
	case previous.Text == "package" || previous.Text == "namespace" || g.ScopeOperator && strings.HasPrefix(next, "::") && (g.Cpp || !capitalised(text)):
		return ClassNamespace
	case g.Arrows && text == "from" && next != "" && strings.ContainsAny(next[:1], "\"'`"):
		return ClassKeyword
	case slices.Contains(beforeFunction[:], previous.Text), g.Cpp && previous.Text == "~":
		return ClassFunction
	case strings.HasPrefix(next, "("):
		return g.called(previous, text)
	case g.Docstrings && r.within() == ClassInherited && !strings.HasPrefix(next, "="):
		return ClassInherited
	case g.KeywordArguments && r.inCall() && strings.HasPrefix(next, "=") && !strings.HasPrefix(next, "=="):
		return ClassAttribute
	case (g.Docstrings || g.Arrows) && r.within() == ClassParameter && slices.Contains(beforeParameter[:], previous.Text):
		return ClassParameter
	case g.Cpp && strings.HasSuffix(text, "_t"):
		return ClassType
	case g.Cpp && previous.Text == ":" && r.before.Text == ":" && next != "" && (isLetter(next[0]) || strings.ContainsAny(next[:1], "<>&*")):
		return ClassClass
	case (g.Cpp || g.StaticReceivers) && r.within() == ClassFunction && next != "" && strings.ContainsAny(next[:1], ",)=") && r.isTyped():
		return ClassParameter
	case g.TypesFollow && strings.HasPrefix(next, "=") && (previous.Text == "const" || r.within() == ClassConstant && r.newline):
		return ClassConstant
	case g.TypesFollow && len(r.brackets) == 0 && next != "" && isLetter(next[0]) && !isKeyword(previous):
		return ClassAttribute
	case g.TypesFollow && r.isGoType():
		return ClassClass
	case g.TypesFollow && len(r.brackets) > 0 && next != "" && (isLetter(next[0]) || next == "*" && r.signature):
		return ClassParameter
	case g.Arrows && r.within() == ClassJSONKey && strings.HasPrefix(next, ":") && strings.Trim(previous.Text, "{(,") == "":
		return ClassJSONKey
	case shouted(text) && (!g.StaticReceivers || r.isTyped()):
		return ClassConstant
	case g.StaticReceivers && (strings.HasPrefix(next, ".") || previous.Class == ClassClass || previous.Class == ClassType) && previous.Text != ".":
		return ClassVariable
	case g.Arrows && capitalised(text) && (strings.HasPrefix(next, ".") || previous.Text == "import"):
		return ClassName
	case g.Arrows && (previous.Text == "const" || r.inPattern):
		return ClassConstant
	case g.CapitalIsClass && (capitalised(text) || len(text) == 1 && text[0] >= 'A' && text[0] <= 'Z'):
		return ClassClass
	case strings.HasSuffix(previous.Text, ".") && previous.Class != ClassString:
		return ClassProperty
	case (g.KeywordArguments || g.StaticReceivers) && r.inCall():
		return ClassArgument
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
func (r *refiner) isGoType() bool {
	switch {
	case r.previous.Text == ".":
		return r.before.Class == ClassClass
	case r.blank && !r.newline && (r.previous.Class == ClassName || r.previous.Class == ClassParameter || r.previous.Class == ClassProperty):
		return true
	case r.previous.Text == "*" || r.previous.Text == "[]" || r.previous.Text == "]" || r.previous.Text == "[]*":
		return !r.blank && (r.before.Class == ClassPunctuation || r.before.Class == ClassParenthesis || r.before.Class == ClassKeywordDeclaration || (r.apart || r.previous.Text != "*") && slices.Contains([]Class{ClassName, ClassParameter, ClassType}, r.before.Class))
	case r.previous.Text == "chan" || r.previous.Text == "&":
		return true
	}
	return false
}

// called returns the class of a name before a parenthesis.
func (g *grammar) called(previous Token, text string) Class {
	switch {
	case g.ScopeOperator && !g.Cpp && capitalised(text):
		return ClassCall
	case g.CapitalIsClass && !g.StaticReceivers && !g.Cpp && capitalised(text) && previous.Text != ".":
		return ClassClass
	case g.Calls && !slices.Contains(beforeFunction[:], previous.Text):
		return ClassCall
	default:
		return ClassFunction
	}
}

// beforeFunction are the words that stand before the name of a function.
var beforeFunction = [...]string{"func", "function", "fn", "def", "fun", "sub", "proc"}

// beforeParameter are the signs that stand before a parameter.
var beforeParameter = [...]string{"(", ",", "*", "**", "{", "({", "..."}

// beforeClass are the words that stand before the name of a type.
var beforeClass = [...]string{"class", "struct", "interface", "enum", "trait", "type", "extends", "implements", "new", "impl", "protocol"}

// commonWord returns the class of a word that practically all languages have, or
// ClassText.
func commonWord(word string) Class { return grammars()["*"].words[word] }

func builtin(text, next string) Class {
	common := commonWord(text)
	switch {
	case common == ClassBoolean:
		return ClassBoolean
	case strings.HasPrefix(next, "["):
		return ClassName
	case capitalised(text), !strings.HasPrefix(next, "(") && common == ClassType:
		return ClassType
	default:
		return ClassBuiltin
	}
}

func (g *grammar) keyword(t Token) Class {
	common := commonWord(t.Text)
	switch {
	case common == ClassLanguageVariable, common == ClassBoolean, common == ClassKeywordDeclaration && !g.StyleSheet:
		return common
	case strings.HasPrefix(t.Text, "@"):
		return ClassDecorator
	case g.StyleSheet && t.Class == ClassKeyword:
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

// appendTypes appends an attribute cut at the types that it names.
func appendTypes(out []Token, t Token) []Token {
	for rest := t.Text; rest != ""; {
		name := typeName.FindStringIndex(rest)
		if name == nil {
			return append(out, Token{rest, t.Class})
		}
		out = append(out, Token{rest[:name[0]], t.Class}, Token{rest[name[0]:name[1]], ClassClass})
		rest = rest[name[1]:]
	}
	return out
}

var typeName = regexp.MustCompile(`\b[A-Z]\w*`)

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
