package language

import "strings"

// Logs are text: a highlighter finds nothing in them, and their words come from
// everywhere. What tells them is the start of their lines.

// maxLogLines is how many lines looksLikeLog judges by.
const maxLogLines = 40

// looksLikeLog reports whether at least two lines of a text, and most of those
// that are not indented, start the way a log's do: with a date or a time.
func looksLikeLog(s string) bool {
	entries, others := 0, 0
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimRight(line, " \t\r")
		switch {
		case line == "" || line[0] == ' ' || line[0] == '\t':
		case startsEntry(line):
			entries++
		default:
			others++
		}
		if entries+others == maxLogLines {
			break
		}
	}
	return entries >= 2 && entries > others
}

// startsEntry reports whether a line starts with a timestamp, after up to three
// of the marks that logs put before one.
func startsEntry(line string) bool {
	for range 3 {
		rest, found := strings.CutPrefix(line, "[")
		if !found {
			break
		}
		line = rest
	}
	for _, key := range []string{"ts=", "time=\"", "time="} {
		line = strings.TrimPrefix(line, key)
	}
	return isDate(line) || isClock(line) || isSyslogDate(line) || isGlog(line) || isAccess(line)
}

// isDate reports whether s starts with a date from the year down, and a time
// or blank after it: 2026-01-02T, 2026/01/02 10:00.
func isDate(s string) bool {
	return fits(s, "dddd-dd-dd") && len(s) > 10 && strings.IndexByte("T t,:", s[10]) >= 0 && fits(s[11:], "dd:dd") ||
		fits(s, "dddd/dd/dd dd:dd") || fits(s, "dddd.dd.dd dd:dd") || fits(s, "dd-dd dd:dd:dd")
}

// isClock reports whether s starts with a time of day to the second.
func isClock(s string) bool { return fits(s, "dd:dd:dd") }

// isSyslogDate reports whether s starts as RFC 3164 has it: Jan  2 10:00:01.
func isSyslogDate(s string) bool {
	const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
	return len(s) > 15 && hasWord(months, s[:3]) &&
		s[3] == ' ' && fits(s[6:], " dd:dd:dd") && (s[4] == ' ' || isDigit(s[4])) && isDigit(s[5])
}

// isGlog reports whether s starts with a level and a date as glog writes them:
// I0102 10:00:01.
func isGlog(s string) bool {
	return s != "" && strings.IndexByte("IWEF", s[0]) >= 0 && fits(s[1:], "dddd dd:dd:dd")
}

// isAccess reports whether s is a line of a web server's access log: an address
// and a date in brackets soon after.
func isAccess(s string) bool {
	address, rest, found := strings.Cut(s, " ")
	if !found || strings.Trim(address, "0123456789abcdef.:") != "" {
		return false
	}
	at := strings.IndexByte(rest[:min(len(rest), 80)], '[')
	return at >= 0 && at+3 < len(rest) && fits(rest[at+1:], "dd/")
}

// fits reports whether s starts with pattern, in which d stands for a digit.
func fits(s, pattern string) bool {
	if len(s) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		if pattern[i] == 'd' && isDigit(s[i]) || pattern[i] == s[i] && s[i] != 'd' {
			continue
		}
		return false
	}
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
