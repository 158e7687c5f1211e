package logs

// FormatRow is a row of the table of formats, for docs/logs.md.
type FormatRow struct{ Name, Looks, Example string }

// FormatRows returns the table of formats.
func FormatRows() []FormatRow {
	var rows []FormatRow
	for _, row := range formats[1:] {
		rows = append(rows, FormatRow{row.name, row.looks, row.example})
	}
	return rows
}
