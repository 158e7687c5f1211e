package highlight

import (
	"cmp"
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"

	"github.com/devkiln/devkiln/internal/language"
)

// languageFile describes languages beyond what their lexers know.
//
//go:embed languages.json
var languageFile []byte

// A grammar describes some languages beyond what their lexers know.
type grammar struct {
	// Names maps each language to the suffix of its scopes in VS Code grammars.
	Names map[string]string
	// Lexer is the language whose lexer to use instead of its own.
	Lexer string
	// Sets are the sets of rows in rules.tsv that classify its tokens, in the
	// order in which they are tried.
	Sets string
	// Escapes: "\n" and '\n' are escapes.
	Escapes bool
	// IgnoreCase: words are case-insensitive.
	IgnoreCase bool
	// Embedded are the languages of elements of markup, by tag.
	Embedded map[string]string
	// Tokens lists token types of the lexer by their class, where it is not
	// that of classes.json.
	Tokens map[Class][]chroma.TokenType
	// Words lists words by their class, which does not depend on their context.
	Words map[Class]string
	// Scopes holds the scopes of classes that differ from those in
	// classes.json: the scopes that shiki 4.1 gives most tokens of the class.
	Scopes map[Class]string
	// Parts are parts with their own class in tokens that the lexer does not
	// split.
	Parts []part
	// Interpolated matches interpolated code, its first group, and the
	// delimiters around it. The group is absent for escaped braces.
	Interpolated *regexp.Regexp

	tokens map[chroma.TokenType]Class
	words  map[string]Class
	rules  func() *ruleset
}

// grammarOf returns the grammar of a language, or that of all others.
func grammarOf(lang string) *grammar {
	name, _ := language.Lookup(lang)
	if g := grammars()[name]; g != nil {
		return g
	}
	return grammars()["*"]
}

var grammars = sync.OnceValue(func() map[string]*grammar {
	var list []*grammar
	embeddedJSON(languageFile, &list)
	byName := make(map[string]*grammar)
	for _, g := range list {
		g.rules = sync.OnceValue(func() *ruleset { return rulesOf(strings.Fields(g.Sets)) })
		g.tokens = make(map[chroma.TokenType]Class)
		for c, types := range g.Tokens {
			for _, t := range types {
				g.tokens[t] = c
			}
		}
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

// roots are the outermost scopes of languages of which it is not "source".
var roots = map[string]string{"html": "text.html.basic", "markdown": "text.html.markdown"}

// scopes returns the nested scopes of a class in a language, outermost first.
func scopes(c Class, lang string) []string {
	name, _ := language.Lookup(lang)
	g := grammarOf(name)
	text, ok := g.Scopes[c]
	if !ok {
		text = classRows()[c].Scopes
	}
	ending := g.Names[name]
	stack := []string{cmp.Or(roots[ending], "source."+ending)}
	for scope := range strings.FieldsSeq(text) {
		if ending != "" {
			scope += "." + ending
		}
		stack = append(stack, scope)
	}
	return stack
}
