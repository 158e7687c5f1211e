package logs_test

import (
	"io/fs"
	"iter"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs"
)

// inParts yields a log in parts of size bytes.
func inParts(log string, size int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for at := 0; at < len(log); at += size {
			if !yield(log[at:min(at+size, len(log))]) {
				return
			}
		}
	}
}

// TestSummarizeParts_isSummarize reads every log under testdata in parts that
// end anywhere.
func TestSummarizeParts_isSummarize(t *testing.T) {
	read := 0
	require.NoError(t, fs.WalkDir(os.DirFS("testdata"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile("testdata/" + name)
		log := string(text)
		want := logs.Summarize(log, logs.Options{})
		assert.Equal(t, want, logs.SummarizeParts(inParts(log, 61), logs.Options{}), name)
		assert.Equal(t, logs.AnalyzeString(log, logs.Options{}), want.Analysis, name)
		assert.Equal(t, logs.Histogram(log, 60, logs.Options{}), logs.SummarizeParts(inParts(log, 61), logs.Options{Bars: 60}).Bars, name)
		read++
		return err
	}))
	require.Greater(t, read, 50)
}

func TestSummarizeParts_ofALineLongerThanAPart(t *testing.T) {
	log := "INFO up\nERROR " + strings.Repeat("x", 1<<20) + "\nINFO down\n"
	s := logs.SummarizeParts(inParts(log, 1<<17), logs.Options{})
	require.Equal(t, logs.Summarize(log, logs.Options{}), s)
	require.Equal(t, 3, s.Analysis.Lines)
	require.Equal(t, 2, s.FirstError.Line)
}
