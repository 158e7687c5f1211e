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

	"github.com/devkiln/devkiln/share/logs"
)

var update = flag.Bool("update", false, "write the table of formats in docs/logs.md")

const formatTable = "<!-- formats: written by go test ./share/logs -update -->\n"

// TestFormats_document checks the table in docs/logs.md: a row per format, with
// a line of its log in testdata/cases, which must have that format.
func TestFormats_document(t *testing.T) {
	rows := logs.FormatRows()
	slices.SortFunc(rows, func(a, b logs.FormatRow) int { return strings.Compare(a.Name, b.Name) })
	var table strings.Builder
	table.WriteString("| format | what a line looks like | a line |\n|---|---|---|\n")
	for _, row := range rows {
		c := readLogCase(t, "testdata/cases/"+row.Example+".log")
		assert.Equal(t, row.Name, c.format, row.Example)
		line, _, _ := strings.Cut(c.log, "\n")
		line = strings.NewReplacer("|", "\\|", "\t", "⇥", "\x1b", "␛").Replace(line)
		looks := strings.ReplaceAll(row.Looks, "|", "\\|")
		if strings.Contains(looks, "{") {
			looks = "`" + looks + "`"
		}
		fmt.Fprintf(&table, "| %s | %s | `%s` |\n", row.Name, looks, line)
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
