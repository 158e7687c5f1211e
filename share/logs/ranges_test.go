package logs_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs"
)

// readBlocks returns the blocks between blank lines in a file of testdata,
// without its header.
func readBlocks(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	text := strings.NewReplacer("␛", "\x1b", "␍", "\r").Replace(string(data))
	for strings.HasPrefix(text, "# ") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n\n")
}

func TestLines_frames(t *testing.T) {
	for _, block := range readBlocks(t, "testdata/frames.txt") {
		var log, got strings.Builder
		for line := range strings.Lines(block) {
			log.WriteString(line[1:])
		}
		for line := range logs.Lines(log.String()) {
			mark := " "
			if line.Frame {
				mark = ">"
			}
			got.WriteString(mark + line.Text + "\n")
		}
		assert.Equal(t, block, strings.TrimSuffix(got.String(), "\n"))
	}
}

func TestSections_marks(t *testing.T) {
	for _, block := range readBlocks(t, "testdata/sections.txt") {
		var want []string
		for strings.HasPrefix(block, "=") {
			row, rest, _ := strings.Cut(block[1:], "\n")
			want, block = append(want, row), rest
		}
		var got []string
		for _, s := range logs.Sections(block, logs.Options{}) {
			got = append(got, fmt.Sprintf("%d %d %d %v %v %s", s.Start, s.End, s.Depth, s.Level, s.Duration, s.Title))
		}
		assert.Equal(t, want, got, block)
	}
}

func TestSections_deep(t *testing.T) {
	const depth = 40
	log := strings.Repeat("::group::deeper\n", depth) + "x\n" + strings.Repeat("::endgroup::\n", depth)
	sections := logs.Sections(log, logs.Options{})
	require.Len(t, sections, 16)
	assert.Equal(t, 15, sections[15].Depth)
	assert.Equal(t, 2*depth+1, sections[0].End)
	assert.Equal(t, 2*depth+1-15, sections[15].End)
}
