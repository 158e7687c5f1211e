package language_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/language"
)

func TestDetect_cases(t *testing.T) {
	type detection struct{ Filename, Code, Want string }
	for _, c := range decode[detection](t, "testdata/detect.json") {
		assert.Equal(t, c.Want, language.Detect(c.Code, c.Filename), "%q %q", c.Filename, c.Code)
	}
}

func TestResolve_cases(t *testing.T) {
	type resolution struct{ Name, Code, Filename, Want string }
	for _, c := range decode[resolution](t, "testdata/resolve.json") {
		assert.Equal(t, c.Want, language.Resolve(c.Name, c.Code, c.Filename), "%q", c.Name)
	}
}

func TestGuess_rules(t *testing.T) {
	for _, s := range snippets(t, "rules") {
		name, confidence := language.Guess(s.code)
		if s.language == "none" {
			assert.Less(t, confidence, 1.0, "%v: %s", s, name)
			continue
		}
		assert.Equal(t, s.language, name, s)
		assert.InDelta(t, 1, confidence, 0, s)
	}
}

// TestGuess_logs reads the logs of share/logs: nearly all are text or JSON, and
// at most one is taken for Markdown.
func TestGuess_logs(t *testing.T) {
	paths, err := filepath.Glob("../../share/logs/testdata/cases/*.log")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var wrong, markdown []string
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		var log strings.Builder
		for line := range strings.Lines(string(data)) {
			if _, text, labelled := strings.Cut(line, "\t"); labelled {
				log.WriteString(strings.ReplaceAll(text, "␛", "\x1b"))
			}
		}
		switch name, _ := language.Guess(log.String()); name {
		case language.Text, "json":
		case "markdown":
			markdown = append(markdown, filepath.Base(path))
		default:
			wrong = append(wrong, filepath.Base(path)+" "+name)
		}
	}
	assert.LessOrEqual(t, len(wrong), 3, wrong)
	assert.LessOrEqual(t, len(markdown), 1, markdown)
}

func TestGuess_rulesWithCRLF(t *testing.T) {
	for _, s := range snippets(t, "rules") {
		want, _ := language.Guess(s.code)
		got, _ := language.Guess(strings.ReplaceAll(s.code, "\n", "\r\n"))
		assert.Equal(t, want, got, s)
	}
}

func TestGuess_cutJSON(t *testing.T) {
	long := `[` + strings.Repeat(`{"key": "value \" with \\ escapes", "n": [1, -2.5, true, null]}, `, 400) + `{}]`
	for cut := range 80 {
		name, _ := language.Guess(strings.Repeat(" ", cut) + long)
		assert.Equal(t, "json", name, "shifted by %d", cut)
	}
	name, _ := language.Guess(long[:language.MaxRead+2000])
	assert.Equal(t, "json", name)
	_, confidence := language.Guess(strings.Replace(long, "true", "True", 1))
	assert.Less(t, confidence, 1.0)
}

func FuzzDetect(f *testing.F) {
	for _, dir := range []string{"rules", "snippets"} {
		for _, s := range snippets(f, dir) {
			f.Add(s.code, "")
		}
	}
	f.Add("x", "dir/Dockerfile.dev")
	f.Add("x", `C:\a\b.H++~`)
	f.Fuzz(func(t *testing.T, code, filename string) {
		name, confidence := language.Guess(code)
		if !(confidence >= 0 && confidence <= 1) {
			t.Errorf("confidence %v of %q", confidence, name)
		}
		for _, name := range []string{name, language.Detect(code, filename)} {
			if canonical, ok := language.Lookup(name); !ok || canonical != name {
				t.Errorf("%q is not a canonical name", name)
			}
		}
	})
}
