package language

import "strings"

// Logs are text: a highlighter finds nothing in them, and their words come from
// everywhere. What tells them is the start of their lines.
//
// Package share/logs knows the formats of logs, and far more of each; here a few
// beginnings are enough, and a package of names and detection need not import
// it. The test reads the logs of share/logs, so that both agree.

// maxLogLines is how many lines fromLog judges by.
const maxLogLines = 40

// fromLog returns [Text] if at least two lines of a text, and most of those that
// are not indented, start the way a log's do.
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
