package logs

import "strings"

// Remembered returns the number of failures that are known by name at the end
// of a log.
func Remembered(log string) int {
	r := newReportReader()
	for line := range strings.Lines(log) {
		r.add([]byte(strings.TrimSuffix(line, "\n")), false)
	}
	return len(r.named)
}
