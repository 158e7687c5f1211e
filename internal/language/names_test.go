package language_test

import (
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/language"
)

func TestLookup_names(t *testing.T) {
	type named struct{ Name, Canonical, Extension string }
	for _, c := range decode[named](t, "testdata/names.json") {
		canonical, ok := language.Lookup(c.Name)
		assert.Equal(t, c.Canonical, canonical, "%q", c.Name)
		assert.Equal(t, c.Canonical != "", ok, "%q", c.Name)
		assert.Equal(t, c.Extension, language.Extension(c.Name), "%q", c.Name)
	}
}

func TestLookup_everyNameOfChroma(t *testing.T) {
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
			assert.Same(t, lexers.Get(strings.ToLower(name)).Config(), lexers.Get(language.Display(written)).Config(), written)
		}
	}
}

func TestLookup_distinctNames(t *testing.T) {
	seen := map[string]string{}
	for _, l := range lexers.GlobalLexerRegistry.Lexers {
		chromas := l.Config().Name
		canonical, ok := language.Lookup(chromas)
		require.True(t, ok, chromas)
		assert.Empty(t, seen[canonical], "%s is also %s", canonical, chromas)
		seen[canonical] = chromas
	}
}

func TestExtension_leadsBack(t *testing.T) {
	for _, name := range []string{
		"javascript", "typescript", "python", "java", "c", "c++", "c#", "go", "rust", "ruby", "php", "swift", "kotlin", "scala", "bash", "powershell", "perl", "r", "lua",
		"haskell", "elixir", "dart", "julia", "zig", "sql", "html", "css", "json", "yaml", "toml", "xml", "markdown", "dockerfile", "makefile", "diff", "text",
	} {
		assert.Equal(t, name, language.Detect("", "file"+language.Extension(name)))
	}
}

func TestDisplay_unknownName(t *testing.T) {
	for _, name := range []string{"", "auto", "klingon", "text", strings.Repeat("go", 1000)} {
		assert.Equal(t, "plaintext", language.Display(name), "%q", name)
	}
}

func BenchmarkLookup(b *testing.B) {
	for b.Loop() {
		if _, ok := language.Lookup("TypeScript"); !ok {
			b.Fatal("not found")
		}
	}
}
