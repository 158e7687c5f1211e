package highlight

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// Lexers leave many identifiers without a class where the grammars of editors
// distinguish calls, types and constants. This file classifies them by their
// neighbours and spelling, and finds the escapes in strings.

// refine assigns more precise classes to the tokens of a text.
func refine(text string, tokens []Token, lang string, limit time.Duration) []Token {
	g := grammarOf(lang)
	if g.Flows {
		tokens = overlay(tokens, flowCollections(text))
	}
	tokens = overlay(tokens, interpolations(tokens, g, lang, limit))
	tokens = overlay(tokens, literals(text, tokens, g))
	r := refiner{grammar: g, language: g, out: make([]Token, 0, len(tokens)+len(tokens)/4), types: declaredTypes(tokens)}
	rest := text
	for _, t := range tokens {
		rest = rest[len(t.Text):]
		r.add(t, strings.TrimLeft(rest, " \t"))
	}
	switch {
	case g.Commands:
		r.out = shellWords(r.out)
	case g.Elements && (strings.Contains(text, "</") || strings.Contains(text, "/>")):
		r.out = jsxElements(r.out)
	}
	return delimit(r.out)
}

// A refiner processes the tokens of a text in one pass.
type refiner struct {
	*grammar           // of the language at this place
	language  *grammar // of the text
	out       []Token
	types     map[string]bool // names that the text declares as types
	previous  Token           // the last token that is not blank
	before    Token           // the token before previous
	blank     bool            // whether a blank follows previous
	newline   bool            // whether a newline follows previous
	apart     bool            // whether a blank precedes previous
	signature bool            // between func and {
	brackets  []Class         // open brackets, by the class of what precedes them
	inherits  bool            // between extends and {
	inPattern bool            // between const and =
	imports   bool            // between import and from
	doc       string          // quote of the open docstring
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
	r.imports = r.isImport(t)
	t.Class = r.class(t, next)
	if of := r.count(t, next); t.Text == "(" || t.Text == ")" {
		t.Class = r.parenthesis(of, t.Class)
	}
	r.before, r.previous, r.apart, r.blank, r.newline = r.previous, Token{strings.TrimSpace(t.Text), t.Class}, r.blank, false, strings.HasSuffix(t.Text, "\n")
	r.out = append(r.out, r.parts(t)...)
}

// isImport reports whether a token belongs to an import of a script or of Go.
func (r *refiner) isImport(t Token) bool {
	switch {
	case t.Text == "import":
		return r.Arrows || r.TypesFollow
	case t.Text == "from", t.Text == ";", t.Text == ")", r.Arrows && t.Class == ClassString, r.TypesFollow && r.newline && len(r.brackets) == 0:
		return false
	default:
		return r.imports
	}
}

// parts splits a token at escapes and other parts with classes of their own.
func (r *refiner) parts(t Token) []Token {
	tokens := []Token{t}
	if r.Escapes && t.Class == ClassString && strings.ContainsAny(t.Text[:1], `"'\`) && r.rawString(t.Text) == 0 {
		tokens = escapes.split(tokens)
	}
	for _, p := range r.Parts {
		tokens = p.split(tokens)
	}
	return tokens
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

// class returns the class of a token, given what follows it on its line.
func (r *refiner) class(t Token, next string) Class {
	if class, ok := r.word(t, next); ok {
		return class
	}
	switch t.Class {
	case ClassName:
		return r.name(t.Text, next)
	case ClassFunction:
		return r.functionName(t, next)
	case ClassAttribute, ClassTag:
		return r.markup(t, next)
	case ClassBuiltin:
		return r.builtin(t.Text, next)
	case ClassKeyword, ClassKeywordDeclaration:
		return r.keyword(t, next)
	case ClassPunctuation, ClassOperator:
		return r.sign(t)
	default:
		return r.other(t, next)
	}
}

// functionName returns the class of a token that the lexer takes for the name
// of a function.
func (r *refiner) functionName(t Token, next string) Class {
	switch {
	case r.Docstrings && strings.HasPrefix(t.Text, "__"):
		return ClassBuiltin
	case next == "" || strings.HasPrefix(next, "(") || strings.HasPrefix(next, "!"):
		return r.called(r.previous, t.Text)
	default:
		return ClassFunction
	}
}

// other returns the class of a token that the lexer takes for neither a word
// nor an operator.
func (r *refiner) other(t Token, next string) Class {
	switch c := t.Class; {
	case c == ClassText && strings.Trim(t.Text, ":-> ") == "" && r.Flows:
		return ClassPunctuation
	case c == ClassText && strings.Trim(t.Text, ":-> ") == "" && (r.CapitalIsClass || r.Escapes):
		return r.sign(Token{t.Text, ClassOperator})
	case c == ClassPreprocessor && r.StyleSheet: // !important
		return ClassKeyword
	case c == ClassDocComment && r.Flows, c == ClassString && r.Commands && unquotedHeredoc.MatchString(t.Text):
		return ClassUnquoted
	case c == ClassClass && slices.Contains(declaresType[:], r.previous.Text):
		return ClassClassName
	case c == ClassLanguageVariable && r.CapitalIsClass && commonWord(t.Text) != c && r.words[t.Text] != c: // the functions of Swift
		return r.name(t.Text, next)
	case c == ClassLanguageVariable && r.Docstrings && r.within() == ClassParameter:
		return ClassParameter
	case c == ClassType && r.Arrows && (capitalised(t.Text) || len(t.Text) == 1):
		return ClassClass
	case c == ClassNumber && r.Flows && timestamp.MatchString(t.Text):
		return ClassConstant
	case c == ClassNumber && r.Flows && next != "" && !strings.ContainsAny(next[:1], "\n#,]}"):
		return ClassUnquoted
	case c == ClassString && r.TypesFollow && r.imports:
		return ClassImportPath
	case c == ClassString && r.Docstrings && r.isDocstring(t):
		return ClassDocComment
	case c == ClassStringEscape && r.RawStrings && t.Text[0] == '{':
		return ClassInterpolation
	default:
		return c
	}
}

var unquotedHeredoc = regexp.MustCompile(`^<<-?\s*\w`)

// markup returns the class of a token that the lexer takes for a tag or an
// attribute.
func (r *refiner) markup(t Token, next string) Class {
	switch {
	case t.Class == ClassTag && r.DataKeys:
		return ClassJSONKey
	case t.Class == ClassTag && r.StyleSheet && strings.HasSuffix(r.previous.Text, "("):
		return ClassCSSProperty
	case r.Generics && !r.language.Markup:
		return r.generic(t, next)
	case t.Class == ClassAttribute && r.previous.Text == ".":
		return r.name(t.Text, next)
	default:
		return t.Class
	}
}

// assignments are the operators that assign.
var assignments = [...]string{"=", ":=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "??="}

// sign returns the class of an operator or punctuation token.
func (r *refiner) sign(t Token) Class {
	g := r.grammar
	t.Text = strings.TrimSpace(t.Text)
	switch {
	case t.Text == "=>" && g.Arrows:
		return ClassKeywordDeclaration
	case (g.Docstrings || g.Cpp) && slices.Contains([]string{".", ":", "->"}, t.Text),
		g.Commands && strings.Trim(t.Text, "(){}[]") == "":
		return ClassPunctuation
	case t.Text == ":" && g.Arrows && r.previous.Class == ClassJSONKey:
		return ClassPunctuation
	case g.StaticReceivers && r.blank && (t.Text == ":" || t.Text == "?"):
		return ClassKeyword // of a conditional expression
	case t.Text == "." && g.ScopeOperator:
		return ClassOperator
	case r.language.Markup && (g.Markup || slices.Contains([]Class{ClassTag, ClassAttribute, ClassString}, r.previous.Class)) && strings.Trim(t.Text, "</>") == "":
		return ClassTagDelimiter
	case t.Text == "=" && g.Markup:
		return ClassAssignment
	case r.language.Markup && !g.Arrows && strings.Trim(t.Text, "=,():-") == "":
		return ClassPunctuation
	case strings.Trim(t.Text, "<>") == "" && g.CapitalIsClass && (r.previous.Text == "template" || !r.blank && r.isTypeName()):
		return ClassPunctuation
	case slices.Contains(assignments[:], t.Text) && !g.Markup:
		return ClassAssignment
	case strings.Trim(t.Text, "=<>!+-*/%&|^~") == "" && !g.Markup:
		return ClassOperator
	}
	return t.Class
}

// wordClasses are the classes that lexers give to words.
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
	case r.previous.Text == "new" && strings.HasPrefix(next, "(") && (r.Arrows || r.StaticReceivers):
		return ClassFunction, true
	case ok && (class != ClassModifier || t.Class != ClassName) && (class != ClassBuiltin || !r.SQL || strings.HasPrefix(next, "(")):
		return class, true
	case r.Commands && strings.HasSuffix(t.Text, "=") && len(t.Text) > 1:
		return ClassProperty, true
	case r.SQL:
		return r.sqlWord(t, next)
	}
	return 0, false
}

// commonWord returns the class of a word that practically all languages share,
// or ClassText.
func commonWord(word string) Class { return grammars()["*"].words[word] }

func (g *grammar) builtin(text, next string) Class {
	common := commonWord(text)
	switch {
	case common == ClassBoolean:
		return ClassBoolean
	case strings.HasPrefix(next, "["), g.Arrows && strings.HasPrefix(next, "."):
		return ClassName
	case capitalised(text), common == ClassType && (g.Docstrings || !strings.HasPrefix(next, "(")):
		return ClassType
	default:
		return ClassBuiltin
	}
}

func (r *refiner) keyword(t Token, next string) Class {
	common := commonWord(t.Text)
	switch {
	case r.StyleSheet && r.previous.Text == "@":
		return ClassKeyword
	case r.previous.Text == "." && strings.HasPrefix(next, "("):
		return r.called(r.previous, t.Text)
	case common == ClassLanguageVariable, common == ClassBoolean, common == ClassKeywordDeclaration && !r.StyleSheet:
		return common
	case strings.HasPrefix(t.Text, "@"):
		return ClassDecorator
	case r.StyleSheet && t.Class == ClassKeyword:
		return ClassCSSProperty
	default:
		return t.Class
	}
}
