package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

func TestLists_areComplete(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{"themes": highlight.AllThemes(), "languages": language.Names(), "formats": export.FormatNames()} {
		stdout, _, err := command(t, none, name)
		require.NoError(t, err)
		var first []string
		for line := range strings.Lines(stdout) {
			first = append(first, strings.Fields(line)[0])
		}
		assert.Equal(t, want, first, name)
	}
}

func TestScreenshot_print(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.go")
	require.NoError(t, os.WriteFile(file, []byte("package a // \x1b]0;x\a\n\nvar s = \"é\"\n"), 0o600))
	stdout, stderr, err := command(t, none, "screenshot", "--print", "-t", "monokai", "-l", "go", "--highlight=3-9,500", "--first-line=2", file)
	require.NoError(t, err)
	assert.Equal(t, 3, strings.Count(stdout, "\n"))
	assert.Contains(t, stdout, "\x1b[48;2;39;40;34m")
	assert.Contains(t, stdout, "é")
	assert.NotContains(t, stdout, "\x1b]0;x", "escapes of the code do not reach the terminal")
	assert.Equal(t, "--highlight 500 marks nothing: the lines of the code are 2 to 4\n", stderr)
	assert.NoFileExists(t, strings.TrimSuffix(file, ".go")+".png")
}

// Code in colours as files: a page that needs no style sheet, and text for a
// terminal.
func TestScreenshot_textFormats(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, page, ansi := filepath.Join(dir, "a.go"), filepath.Join(dir, "x.html"), filepath.Join(dir, "a.ansi")
	require.NoError(t, os.WriteFile(file, []byte("package a // <b>\n"), 0o600))
	stdout, _, err := command(t, none, "screenshot", file, "-o", page, "--theme=dracula")
	require.NoError(t, err)
	assert.Equal(t, page+"\n", stdout)
	written, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Contains(t, string(written), "<title>a.go</title>\n<pre style=\"background:#282a36;")
	assert.Contains(t, string(written), "&lt;b&gt;</span>")
	stdout, _, err = command(t, none, "screenshot", file, "-o", "ansi")
	require.NoError(t, err)
	assert.Equal(t, ansi+"\n", stdout)
	written, err = os.ReadFile(ansi)
	require.NoError(t, err)
	printed, _, err := command(t, none, "screenshot", file, "--print")
	require.NoError(t, err)
	assert.Equal(t, printed, string(written))
}

// The first program for the clipboard that is installed gets the picture.
func TestScreenshot_copy(t *testing.T) {
	if testing.Short() {
		t.Skip("draws pictures, which package screenshot does under the race detector")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	file := filepath.Join(dir, "a.go")
	require.NoError(t, os.WriteFile(file, []byte("package a\n"), 0o600))
	_, _, err := command(t, none, "screenshot", "--copy", file)
	require.ErrorContains(t, err, "no program for the clipboard was found")

	script := "#!/bin/sh\n{ echo \"$@\"; while read -r line; do echo \"$line\"; done; } >" + dir + "/copied\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "pbcopy"), []byte(script), 0o700))
	_, _, err = command(t, none, "screenshot", "--copy", file)
	require.ErrorContains(t, err, "no program for the clipboard was found", "pbcopy takes only text")
	_, stderr, err := command(t, none, "screenshot", "--copy", "-o", "json", file)
	require.NoError(t, err)
	assert.Equal(t, "The JSON is on the clipboard.\n", stderr)
	copied, err := os.ReadFile(filepath.Join(dir, "copied"))
	require.NoError(t, err)
	assert.Contains(t, string(copied), `"code": "package a`)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "xclip"), []byte(script), 0o700))
	_, _, err = command(t, none, "screenshot", "--copy", file)
	require.NoError(t, err)
	copied, err = os.ReadFile(filepath.Join(dir, "copied"))
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(copied), "-selection clipboard -t image/png\n\x89PNG"), "%.60q", copied)
}
