package logs

import "strings"

// FormatRow is a row of the table of formats, for docs/logs.md.
type FormatRow struct{ Name, Looks, Example string }

// FormatRows returns the table of formats.
func FormatRows() []FormatRow {
	var rows []FormatRow
	for _, row := range formats {
		rows = append(rows, FormatRow{row.name, row.looks, row.example})
	}
	return rows
}

// Remembered returns the number of failures that are known by name at the end
// of a log.
func Remembered(log string) int {
	r := newReportReader()
	for line := range strings.Lines(log) {
		r.add([]byte(strings.TrimSuffix(line, "\n")))
	}
	return len(r.named)
}
