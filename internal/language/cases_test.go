package language_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// decode reads a file of cases and fails on keys that a case does not have.
func decode[T any](t *testing.T, path string) []T {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var cases []T
	require.NoError(t, d.Decode(&cases), path)
	require.NotEmpty(t, cases, path)
	return cases
}

// snippet is one piece of code in a file of snippets. The name of the file is
// the expected language; a line "=== name" starts each piece.
type snippet struct {
	language, name, code string
}

func (s snippet) String() string { return s.language + "/" + s.name }

// snippets reads every file of a directory below testdata.
func snippets(t testing.TB, dir string) []snippet {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", dir, "*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var all []snippet
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		language := strings.TrimSuffix(filepath.Base(path), ".txt")
		head, rest, _ := strings.Cut("\n"+string(data), "\n=== ")
		require.Empty(t, head, "%s must start with a line of ===", path)
		for piece := range strings.SplitSeq(rest, "\n=== ") {
			name, code, _ := strings.Cut(piece, "\n")
			all = append(all, snippet{language, name, code})
		}
	}
	return all
}
