package logs_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the table of formats in docs/logs.md")

const formatTable = "<!-- formats: written by go test ./share/logs -update -->\n"

// TestFormats_document checks the table in docs/logs.md: a row per format, with
// a line of its log in testdata/cases, which must have that format.
func TestFormats_document(t *testing.T) {
	formats, err := os.ReadFile("internal/head/formats.tsv")
	require.NoError(t, err)
	rows := slices.Sorted(strings.Lines(string(formats)))
	var table strings.Builder
	table.WriteString("| format | what a line looks like | a line |\n|---|---|---|\n")
	for _, row := range rows {
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(cells) < 3 || cells[1] == "" {
			continue
		}
		name, example, looks := cells[0], cells[1], cells[2]
		c := readLogCase(t, "testdata/cases/"+example+".log")
		assert.Equal(t, name, c.format, example)
		line, _, _ := strings.Cut(c.log, "\n")
		line = strings.NewReplacer("|", "\\|", "\t", "⇥", "\x1b", "␛").Replace(line)
		looks = strings.ReplaceAll(looks, "|", "\\|")
		if strings.Contains(looks, "{") {
			looks = "`" + looks + "`"
		}
		fmt.Fprintf(&table, "| %s | %s | `%s` |\n", name, looks, line)
	}
	const path = "../../docs/logs.md"
	doc, err := os.ReadFile(path)
	require.NoError(t, err)
	before, _, ok := strings.Cut(string(doc), formatTable)
	require.True(t, ok)
	want := before + formatTable + table.String()
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
		return
	}
	assert.Equal(t, want, string(doc), "run go test ./share/logs -update")
}
