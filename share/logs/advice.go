package logs

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
)

// adviceTable holds what to do about failures whose cause is certain.
//
//go:embed advice.tsv
var adviceTable string

const (
	maxAdvice  = 3
	maxAdvised = 2000 // lines of failures that are looked at
)

// adviceRow is a row of advice.tsv, which describes the columns.
type adviceRow struct {
	text     string
	pattern  *regexp.Regexp // nil if the text is enough
	sentence string
}

var adviceRows = func() (rows []adviceRow) {
	for line := range strings.Lines(adviceTable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(line, "\t")
		row := adviceRow{text: columns[0], sentence: columns[2]}
		if columns[1] != "" {
			row.pattern = regexp.MustCompile(columns[1])
		}
		rows = append(rows, row)
	}
	return rows
}()

// advise adds the advice for a line of a failure.
func (r *Report) advise(line []byte) {
	if len(r.Advice) == maxAdvice {
		return
	}
	text := string(line)
	for _, row := range adviceRows {
		if !strings.Contains(text, row.text) {
			continue
		}
		sentence := row.sentence
		if row.pattern != nil {
			m := row.pattern.FindStringSubmatchIndex(text)
			if m == nil {
				continue
			}
			sentence = string(row.pattern.ExpandString(nil, sentence, text, m))
		}
		if !slices.Contains(r.Advice, sentence) {
			r.Advice = append(r.Advice, sentence)
		}
		return
	}
}
