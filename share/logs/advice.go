package logs

import (
	_ "embed"
	"regexp"
	"slices"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

// adviceTable holds what to do about failures whose cause is certain.
//
//go:embed advice.tsv
var adviceTable string

const maxAdvice = 3

// adviceRow is a row of advice.tsv, which describes the columns.
type adviceRow struct {
	pattern  *regexp.Regexp
	sentence string
}

var adviceRows, adviceIndex = func() (rows []adviceRow, index textIndex) {
	for columns := range ascii.Rows(adviceTable) {
		index.add(len(rows), columns[0])
		rows = append(rows, adviceRow{regexp.MustCompile(columns[1]), columns[2]})
	}
	return rows, index
}()

// advise adds the advice for a line of a failure.
func (r *Report) advise(line []byte) {
	if len(r.Advice) == maxAdvice || len(line) == 0 {
		return
	}
	for i := range adviceIndex.find(line).all() {
		row := adviceRows[i]
		if m := row.pattern.FindSubmatchIndex(line); m != nil {
			sentence := string(row.pattern.Expand(nil, []byte(row.sentence), line, m))
			if !slices.Contains(r.Advice, sentence) {
				r.Advice = append(r.Advice, sentence)
			}
			return
		}
	}
}
