package highlight

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"github.com/devkiln/devkiln/internal/language"
)

// languageFile says what is known of languages beyond their lexers.
//
//go:embed languages.json
var languageFile []byte

// A grammar is what is known of some languages beyond their lexers.
type grammar struct {
	// Names are the languages, each with the ending of its scopes in the grammars
	// of VS Code.
	Names map[string]string
	// Lexer is the language whose lexer is better for it than its own.
	Lexer string
	rules
	// Words have their class whatever stands around them.
	Words map[Class]string
	// Scopes are those of a class where they differ from those in classes.json:
	// the ones that most tokens of the class have, read off what shiki 4.1 names.
	Scopes map[Class]string
	// Parts are what stands out in tokens that the lexer leaves whole.
	Parts []part
	// Interpolated is code in strings, its first group, and what is around it. In
	// braces that mean themselves there is no group.
	Interpolated *regexp.Regexp

	words map[string]Class
}

// rules say what the spelling of code tells.
type rules struct {
	CapitalIsClass   bool // names of types begin with a capital
	Escapes          bool // "\n" and '\n' are escapes
	Arrows           bool // => makes a function, from comes before a module
	DataKeys         bool // tags are the keys of data
	StyleSheet       bool // keywords are properties of a style sheet
	Markup           bool // < and > are brackets
	Generics         bool // what looks like a tag is a type in angle brackets
	RawStrings       bool // R"(…)", r#"…"# or #"…"# are strings without escapes
	Flows            bool // {a: 1, b: [x]} is data within a line
	Cpp              bool // -> and ~ as in C++
	Docstrings       bool // a string may be documentation
	Calls            bool // calls of functions look unlike their definitions
	KeywordArguments bool // f(name=value)
	ScopeOperator    bool // name:: is a namespace
	StaticReceivers  bool // Name. is a value of a class
	TypesFollow      bool // name Type
	Elements         bool // <tags> may stand in code
	Commands         bool // words are commands and arguments
	SQL              bool // words in any case
}

// grammarOf returns what is known of a language, the zero grammar for one of
// which nothing is.
func grammarOf(lang string) *grammar {
	name, _ := language.Lookup(lang)
	if g := grammars()[name]; g != nil {
		return g
	}
	return new(grammar)
}

var grammars = sync.OnceValue(func() map[string]*grammar {
	var list []*grammar
	embeddedJSON(languageFile, &list)
	byName := make(map[string]*grammar)
	for _, g := range list {
		g.words = make(map[string]Class)
		for c, words := range g.Words {
			for word := range strings.FieldsSeq(words) {
				g.words[word] = c
			}
		}
		for name := range g.Names {
			byName[name] = g
		}
	}
	return byName
})

// scopes returns the nested scopes of a class in a language, outermost first.
func scopes(c Class, lang string) []string {
	name, _ := language.Lookup(lang)
	g := grammarOf(name)
	text, ok := g.Scopes[c]
	if !ok {
		text = classRows()[c].Scopes
	}
	ending := g.Names[name]
	stack := []string{"source." + ending}
	if ending == "html" {
		stack[0] = "text.html.basic"
	}
	for scope := range strings.FieldsSeq(text) {
		if ending != "" {
			scope += "." + ending
		}
		stack = append(stack, scope)
	}
	return stack
}
