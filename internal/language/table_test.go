package language_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/language"
)

var update = flag.Bool("update", false, "write languages.tsv")

// TestTable_chroma compares languages.tsv with the lexers of chroma. After an
// update of chroma, run it with -update.
func TestTable_chroma(t *testing.T) {
	var table strings.Builder
	winners := patternWinners()
	for _, l := range lexers.GlobalLexerRegistry.Lexers {
		c := l.Config()
		var patterns []string
		for _, pattern := range c.Filenames {
			if winners[pattern] == c && !slices.Contains(patterns, pattern) {
				patterns = append(patterns, pattern)
			}
		}
		row := []string{canonical(c), c.Name, extension(c), strings.Join(c.Aliases, ","), strings.Join(patterns, ",")}
		for _, cell := range append(slices.Clone(c.Aliases), patterns...) {
			require.NotContains(t, cell, ",")
		}
		table.WriteString(strings.Join(row, "\t") + "\n")
	}
	if *update {
		require.NoError(t, os.WriteFile("languages.tsv", []byte(table.String()), 0o644))
		return
	}
	file, err := os.ReadFile("languages.tsv")
	require.NoError(t, err)
	assert.Equal(t, table.String(), string(file), "run go test ./internal/language -run TestTable -update")
}

// patternWinners maps each file name pattern to the lexer with the highest
// priority, the first one among equals.
func patternWinners() map[string]*chroma.Config {
	winners := map[string]*chroma.Config{}
	for _, l := range lexers.GlobalLexerRegistry.Lexers {
		c := l.Config()
		for _, pattern := range c.Filenames {
			if before := winners[pattern]; before == nil || c.Priority > before.Priority {
				winners[pattern] = c
			}
		}
	}
	return winners
}

// renamed maps chroma's names, in lower case, to better known ones.
var renamed = [...]struct{ chroma, name string }{
	{"docker", "dockerfile"},
	{"plaintext", language.Text},
	{"react", "jsx"},
	{"protocol buffer", "protobuf"},
	{"viml", "vim"},
	{"batchfile", "batch"},
	{"emacslisp", "emacs-lisp"},
	{"nginx configuration file", "nginx"},
}

// canonical returns our name for a lexer: chroma's in lower case, or its first
// alias if that name has blanks or slashes.
func canonical(c *chroma.Config) string {
	name := strings.ToLower(c.Name)
	for _, r := range renamed {
		if r.chroma == name {
			return r.name
		}
	}
	if !strings.ContainsAny(name, " /()") {
		return name
	}
	for _, alias := range c.Aliases {
		if !strings.ContainsAny(alias, " /()") {
			return strings.ToLower(alias)
		}
	}
	return strings.ReplaceAll(name, " ", "-")
}

// extensions holds the extensions that differ from the first one in chroma.
var extensions = map[string]string{
	"cobol": ".cob", "dockerfile": ".dockerfile", "makefile": ".mk", "objectpascal": ".pas", "ocaml": ".ml", "postgresql": ".sql",
	"plpgsql": ".sql", "transact-sql": ".sql", "prolog": ".pl", "r": ".R", "bash-session": ".sh-session",
}

// extension returns the usual extension of a language with its dot, or "".
func extension(c *chroma.Config) string {
	if ext := extensions[canonical(c)]; ext != "" {
		return ext
	}
	for _, glob := range c.Filenames {
		if ext := filepath.Ext(glob); "*"+ext == glob && len(ext) > 1 && !strings.ContainsAny(ext[1:], "*?[]\\") {
			return ext
		}
	}
	return ""
}
