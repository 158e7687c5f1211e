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
	for _, start := range traceStarts {
		if strings.HasPrefix(s, start) {
			return Text
		}
	}
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
	if entries >= 2 && entries > others {
		return Text
	}
	return ""
}

// traceStarts are first lines of what a program prints when it fails.
var traceStarts = [...]string{"Traceback (most recent call last):", "Exception in thread \"", "panic: ", "thread 'main' panicked", "make: ", "make[", "npm ERR!"}

// startsEntry reports whether a line starts with a timestamp, after up to three
// of the marks that logs put before one, or in another way that a log's do.
func startsEntry(line string) bool {
	if isKernel(line) || isLeveled(line) || isPlace(line) {
		return true
	}
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

// isKernel reports whether s starts with the seconds since a start, as kernels
// write them: [   12.345678].
func isKernel(s string) bool {
	if s[0] != '[' {
		return false
	}
	clock, _, found := strings.Cut(s[1:], "]")
	seconds, fraction, _ := strings.Cut(strings.TrimLeft(clock, " "), ".")
	return found && seconds != "" && len(fraction) == 6 && strings.Trim(seconds+fraction, "0123456789") == ""
}

// logLevels are levels as they start a line: in capitals, or before a colon.
const logLevels = "ERROR WARN WARNING INFO DEBUG TRACE FATAL CRITICAL error: warning: info: fatal: debug: ERROR: WARNING: INFO: DEBUG:"

// isLeveled reports whether s starts with a level, which brackets or a priority
// of syslog may stand around.
func isLeveled(s string) bool {
	if s[0] == '<' {
		return fits(s, "<d>1 dddd") || fits(s, "<dd>1 dddd") || fits(s, "<ddd>1 dddd")
	}
	if s[0] == '[' {
		level, _, found := strings.Cut(s[1:], "]")
		return found && hasWord(logLevels, strings.TrimSpace(level))
	}
	word, rest, _ := strings.Cut(s, " ")
	word, _, _ = strings.Cut(word, "[E") // error[E0308]:
	return rest != "" && (hasWord(logLevels, word) || hasWord(logLevels, word+":") && strings.Contains(s, "]: "))
}

// isPlace reports whether s starts with the place of a compiler's message:
// file.c:12:3: .
func isPlace(s string) bool {
	place, _, found := strings.Cut(s, ": ")
	if !found || strings.ContainsAny(place, " \t\"'") {
		return false
	}
	parts := strings.Split(place, ":")
	return len(parts) == 3 && strings.Contains(parts[0], ".") && isNumber(parts[1]) && isNumber(parts[2])
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// fromSession returns [Text] for what was typed at prompts of a shell, with what
// came of it: the first line has a prompt.
func fromSession(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	if !hasPrompt(first) {
		return ""
	}
	return Text
}

// hasPrompt reports whether a line starts with the prompt of a shell and a
// command: "$ ls", "me@host:~$ ls", "PS C:\\> ls", "C:\\> dir".
func hasPrompt(line string) bool {
	if command, found := strings.CutPrefix(line, "$ "); found {
		return command != ""
	}
	if strings.HasPrefix(line, "PS ") && len(line) > 6 && fits(line[4:], ":\\") {
		return strings.Contains(line, "> ")
	}
	if fits(line[min(1, len(line)):], ":\\") && isLetter(line[0]) {
		path, _, found := strings.Cut(line, ">")
		return found && !strings.ContainsAny(path, "\"'<")
	}
	host, command, found := strings.Cut(line, "$ ")
	if !found {
		host, command, found = strings.Cut(line, "# ")
	}
	at := strings.IndexByte(host, '@')
	return found && command != "" && at > 0 && !strings.ContainsAny(host[:at], " \"'=(") && strings.ContainsAny(host[at:], ":~ ")
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

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
