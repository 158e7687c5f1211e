package language

import "strings"

// Logs are text: a highlighter finds nothing in them, and their words come from
// anywhere. The start of their lines identifies them.
//
// Package share/logs knows far more formats of logs, and more of each. Here a
// few beginnings suffice, and a package of names and detection need not import
// it. The test reads the logs of share/logs, so that both agree.

// maxLogLines is the number of lines that fromLog examines.
const maxLogLines = 40

// fromLog returns [Text] if at least two lines of a text, and most of those
// that are not indented, start like those of a log.
func fromLog(s string) string {
	entries, others := 0, 0
	for line := range strings.SplitSeq(s, "\n") {
		switch line = strings.TrimRight(line, " \t"); {
		case line == "" || line[0] == ' ' || line[0] == '\t':
		case known().entry.MatchString(line):
			entries++
		default:
			others++
		}
		if entries+others == maxLogLines {
			break
		}
	}
	if entries >= 2 && entries > others {
		return Text
	}
	return ""
}
