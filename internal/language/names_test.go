package language_test

import (
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/language"
)

func TestNames(t *testing.T) {
	type named struct{ Name, Canonical, Extension string }
	for _, c := range decode[named](t, "testdata/names.json") {
		canonical, ok := language.Lookup(c.Name)
		assert.Equal(t, c.Canonical, canonical, "%q", c.Name)
		assert.Equal(t, c.Canonical != "", ok, "%q", c.Name)
		assert.Equal(t, c.Extension, language.Extension(c.Name), "%q", c.Name)
	}
}

func TestEveryNameOfChromaIsKnown(t *testing.T) {
	names := lexers.Names(true)
	require.Greater(t, len(names), 600)
	for _, name := range names {
		for _, written := range []string{name, strings.ToLower(name), strings.ToUpper(name)} {
			canonical, ok := language.Lookup(written)
			require.True(t, ok, written)
			again, _ := language.Lookup(canonical)
			assert.Equal(t, canonical, again, written)
			assert.Equal(t, strings.ToLower(canonical), canonical)
			assert.NotContains(t, canonical, " ")
			assert.Same(t, lexers.Get(strings.ToLower(name)).Config(), language.Lexer(written).Config(), written)
		}
	}
}

func TestCanonicalNamesAreDistinct(t *testing.T) {
	seen := map[string]string{}
	for _, l := range lexers.GlobalLexerRegistry.Lexers {
		chromas := l.Config().Name
		canonical, ok := language.Lookup(chromas)
		require.True(t, ok, chromas)
		assert.Empty(t, seen[canonical], "%s is also %s", canonical, chromas)
		seen[canonical] = chromas
	}
}

func TestExtensionsLeadBack(t *testing.T) {
	for _, name := range []string{
		"javascript", "typescript", "python", "java", "c", "c++", "c#", "go", "rust", "ruby", "php", "swift", "kotlin", "scala", "bash", "powershell", "perl", "r", "lua",
		"haskell", "elixir", "dart", "julia", "zig", "sql", "html", "css", "json", "yaml", "toml", "xml", "markdown", "dockerfile", "makefile", "diff", "text",
	} {
		assert.Equal(t, name, language.Detect("", "file"+language.Extension(name)))
	}
}

func TestLexerOfAnUnknownNameIsPlainText(t *testing.T) {
	for _, name := range []string{"", "auto", "klingon", "text", strings.Repeat("go", 1000)} {
		lexer := language.Lexer(name)
		require.NotNil(t, lexer, "%q", name)
		assert.Equal(t, "plaintext", lexer.Config().Name)
	}
}

func TestLexerKeepsTheText(t *testing.T) {
	code := "package main\n\n// one\n// two\nfunc main() { println(\"x\", 1+2) }\n"
	tokens, err := chroma.Tokenise(language.Lexer("golang"), nil, code)
	require.NoError(t, err)
	var joined strings.Builder
	for _, token := range tokens {
		joined.WriteString(token.Value)
	}
	assert.Equal(t, code, joined.String())
	assert.Greater(t, len(tokens), 10)
}

func BenchmarkLookup(b *testing.B) {
	for b.Loop() {
		if _, ok := language.Lookup("TypeScript"); !ok {
			b.Fatal("not found")
		}
	}
}
