package logs

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
)

// countLevel returns the level of a summary such as "3 failed, 12 passed",
// "Found 2 errors in 1 file" or "failed=1", and reports whether b is one. A
// summary without errors has LevelNone.
func countLevel(b []byte) (level Level, counted bool) {
	for i := 0; i < len(b); {
		if !ascii.IsDigit(b[i]) || i > 0 && strings.IndexByte(" (=\t", b[i-1]) < 0 {
			i++
			continue
		}
		n := ascii.Digits(b[i:])
		zero := len(bytes.Trim(b[i:i+n], "0")) == 0
		l := countedWord(b[i+n:])
		switch {
		case isCountRow(b[:i], b[i+n:]):
			l = LevelError
		case i > 1 && (b[i-1] == '=' || hasSuffix(bytes.TrimRight(b[:i], " "), ":")) && isTally(b):
			l = countedKey(b[:i])
		case l != LevelNone && !startsCount(b[:i]):
			l = LevelNone
		}
		if l != LevelNone {
			counted = true
			if !zero {
				level = max(level, l)
			}
		}
		i += n
	}
	return level, counted
}

// startsCount reports whether a number after this text is the first word of a
// clause: nothing, a sign, a label or another count precedes it.
func startsCount(before []byte) bool {
	if hasSuffix(before, "  ") {
		return true // a column
	}
	before = bytes.TrimRight(before, " \t")
	if len(before) == 0 {
		return true
	}
	last := before[len(before)-1]
	if last >= 0x80 || strings.IndexByte(",;:(=*!>|", last) >= 0 {
		return true
	}
	word := string(before[bytes.LastIndexByte(before, ' ')+1:])
	return word == "Found" || word == "found" || word == "FOUND" || word == "with" || word == "With" || string(before) == "There was" || string(before) == "There were"
}

// countedWord returns the level of the noun at the start of b, which a number
// precedes, if the clause ends after it.
func countedWord(b []byte) Level {
	if ascii.At(b, 0) != ' ' {
		return LevelNone
	}
	b = b[1:]
	n := ascii.Letters(b)
	level := LevelNone
	switch string(b[:n]) {
	case "error", "errors", "ERROR", "ERRORS", "fail", "failed", "failing", "failure", "failures", "Error", "Errors", "Failed", "FAILED", "offense", "offenses":
		level = LevelError
	case "warning", "warnings", "Warning", "Warnings", "WARNING", "WARNINGS":
		level = LevelWarning
	}
	rest := bytes.TrimPrefix(b[n:], []byte("(s)"))
	if level == LevelNone || !endsPredicate(rest) || hasPrefix(b, "error  ") { // npm numbers its lines: 321 error  text
		return LevelNone
	}
	return level
}

// isTally reports whether a line counts tests or tasks by name: "Tests run: 3,
// Failures: 1", "ok=3 changed=1 failed=0".
func isTally(b []byte) bool {
	return hasPrefix(b, "Tests: ") && containsAny(b, "Assertions: ") || containsAny(b, "ests run:") || containsAny(b, "Fail:  ") || bytes.Contains(b, []byte("ok=")) && bytes.Contains(b, []byte("failed=")) ||
		containsAny(b, "Passed: ", "Total: ") && containsAny(b, "Failed: ") || hasPrefix(b, "FAILED (")
}

// isCountRow reports whether a line counts failed tests by their name before
// the number, with nothing but lines drawn around it: "── Failed Tests 3 ──".
func isCountRow(before, after []byte) bool {
	const drawn = " ─│⎯"
	before = bytes.TrimRight(before, " ")
	start, ok := bytes.CutSuffix(before, []byte("Failed Tests"))
	if !ok {
		start, ok = bytes.CutSuffix(before, []byte("Failing:"))
	}
	return ok && len(bytes.Trim(start, drawn)) == 0 && len(bytes.Trim(after, drawn)) == 0
}

// countedKey returns the level of the name before a number: "Failures: ".
func countedKey(b []byte) Level {
	b = bytes.TrimRight(b, ":= ")
	n := len(b)
	for n > 0 && ascii.IsLetter(b[n-1]) {
		n--
	}
	switch string(b[n:]) {
	case "Fail", "Failures", "Errors", "Failed", "failed", "failures", "errors", "unreachable":
		return LevelError
	}
	return LevelNone
}

// isExempt reports whether b is a result in the Test Anything Protocol (TAP)
// with a directive, TODO or SKIP, so that it is no failure.
func isExempt(b []byte) bool {
	return (hasPrefix(b, "not ok ") || hasPrefix(b, "ok ")) && containsAny(b, " # TODO", " # SKIP", " # todo", " # skip")
}

// verdictLevel returns LevelError if b contains FAILED, FAILURE or FAIL in
// capitals, the verdicts of test runners and build tools.
func verdictLevel(b []byte) Level {
	for i := 0; i < len(b); {
		n := ascii.Letters(b[i:])
		if n == 0 {
			i++
			continue
		}
		if isVerdict(b, i, i+n) {
			return LevelError
		}
		i += n
	}
	return LevelNone
}

// isVerdict reports whether the word from i to end is a verdict.
func isVerdict(b []byte, i, end int) bool {
	switch string(b[i:end]) {
	case "FAILED":
		if i > 1 && b[i-1] == '_' && ascii.IsUpper(b[i-2]) && !isJoined(b, end, end) {
			return true // CREATE_FAILED
		}
	case "FAILURE", "FAIL", "FAULTED":
	case "Failed":
		return i > 2 && string(b[i-3:i]) == "***"
	default:
		return false
	}
	if isJoined(b, i, end) {
		return false
	}
	rest := bytes.TrimLeft(b[end:], ": ")
	return end == len(b) || b[end] != ':' || !ascii.IsDigit(ascii.At(rest, 0))
}

// isJoined reports whether a word is part of a path, a name or an option.
func isJoined(b []byte, i, end int) bool {
	const joins = `/._-=\@#$&+'"|` + "`"
	if i > 0 && strings.IndexByte(joins, b[i-1]) >= 0 && (i < 2 || b[i-2] != b[i-1]) {
		return true
	}
	c := ascii.At(b, end)
	return c != '.' && c != 0 && strings.IndexByte(joins, c) >= 0 || c == '.' && end+1 < len(b) && b[end+1] != ' '
}

// maxLead is the maximum number of words before a word that a colon follows.
const maxLead = 5

// wordsLevel returns the level of the first word of a message that gives one.
func wordsLevel(b []byte) Level {
	start := 0
	for end := range len(b) + 1 {
		if ascii.IsLetter(ascii.At(b, end)) {
			continue
		}
		if end-start > 3 {
			if l := wordLevel(b, start, end); l != LevelNone {
				return l
			}
		}
		start = end + 1
	}
	return LevelNone
}

// wordLevel returns the level that the word from i to end gives its message.
func wordLevel(b []byte, i, end int) Level {
	found := false
	switch b[i] {
	case 'F':
		found = isVerdict(b, i, end)
	case 'c', 'e', 's', 'w':
		found = isExit(b[:i], b[i:end]) && isFailure(b[end:])
	}
	if found || isQualifiedError(b, i, end) {
		return LevelError
	}
	if ascii.At(b, end) == ':' {
		return colonLevel(b, i, end)
	}
	return LevelNone
}

// canPrecedeLevel reports whether the text may precede a word that names the
// kind of a message: since its start or last colon, it has at most maxLead
// words, which do not form a sentence.
func canPrecedeLevel(before []byte) bool {
	words := 0
	for word := range bytes.FieldsSeq(before[bytes.LastIndex(before, []byte(": "))+1:]) {
		if words++; words > maxLead || startsSentence(word) {
			return false
		}
	}
	return true
}

// isExit reports whether a word and the text before it announce the exit code
// of a process.
func isExit(before, word []byte) bool {
	switch string(word) {
	case "exited":
		return true
	case "code", "status", "with":
		return hasSuffix(before, "xit ") || hasSuffix(before, "xit with ") || hasSuffix(before, "xited ") || hasSuffix(before, "xited with ")
	}
	return false
}

// isFailure reports whether b starts with an exit code other than 0.
func isFailure(b []byte) bool {
	b = bytes.TrimLeft(b, ": (")
	n := ascii.Digits(b)
	return n > 0 && len(bytes.Trim(b[:n], "0")) > 0
}

// isQualifiedError reports whether a line ends with the class of an exception
// in parentheses, as Ruby prints it.
func isQualifiedError(b []byte, i, end int) bool {
	return end+1 == len(b) && b[end] == ')' && i > 0 && (b[i-1] == '(' || b[i-1] == ':') && isErrorName(b[i:end])
}

// isErrorName reports whether a name is that of an exception, such as
// SomeError.
func isErrorName(name []byte) bool {
	return len(name) > 5 && (hasSuffix(name, "Error") || hasSuffix(name, "Exception"))
}

// colonLevel returns the level of the word before a colon, which may be the
// name of an exception or a warning.
func colonLevel(b []byte, i, end int) Level {
	word := b[i:end]
	level := severity(word)
	if level == LevelNone || isJoined(b, i, end) || !canPrecedeLevel(b[:i]) {
		return LevelNone
	}
	rest := b[end:]
	if rest[0] != ':' || len(rest) > 1 && rest[1] != ' ' || deniesError(bytes.TrimLeft(rest[1:], " ")) {
		return LevelNone
	}
	return level
}

// severity returns the level of a word before a colon.
func severity(word []byte) Level {
	lw := level.Of(word)
	switch {
	case lw.Level >= LevelWarning && !lw.Ambiguous:
		return lw.Level
	case string(word) == "exception", isErrorName(word) && ascii.IsUpper(word[0]):
		return LevelError
	case string(word) == "Deprecated", len(word) > 7 && ascii.IsUpper(word[0]) && hasSuffix(word, "Warning"):
		return LevelWarning
	}
	return LevelNone
}

// deniesError reports whether a value denies an error: a number, or a word that
// ends its clause, unlike "none of the packages" or "no such file".
func deniesError(b []byte) bool {
	if n := ascii.Digits(b); n > 0 {
		return ascii.At(b, n) != ':' || ascii.At(b, n+1) != ' '
	}
	n := ascii.Letters(b)
	switch string(b[:n]) {
	case "no", "No":
		if hasPrefix(b[n:], " error") {
			return true
		}
	case "none", "null", "nil", "false", "ok", "n", "None", "False", "OK", "N":
	default:
		return false
	}
	return n == len(b) || strings.IndexByte(",;.)|", b[n]) >= 0
}

// namesHandling reports whether b continues "error" to a name for dealing with
// errors: "error handler".
func namesHandling(b []byte) bool {
	return ascii.At(b, 0) == ' ' && handlingWords[string(b[1:1+ascii.Letters(b[1:])])]
}

// continuesError reports whether b continues a message after "Error".
func continuesError(b []byte) bool {
	if ascii.At(b, 0) != ' ' || namesHandling(b) {
		return false
	}
	word := string(b[1 : 1+ascii.Letters(b[1:])])
	switch {
	case errorContexts[word], len(word) > len("ing") && strings.HasSuffix(word, "ing") && ascii.IsLower(word[0]):
		return true
	}
	return ascii.At(b, 1) == '(' || hasPrefix(b, " - ") || hasPrefix(b, " [ERR_") || ascii.IsDigit(ascii.At(b, 1)) && bytes.Contains(b[:min(len(b), 16)], []byte(" ("))
}

// maxErrorGap is the number of lines that may lie between errors of one chain,
// and maxHeading the number that may lie between a heading and what it
// announces.
const (
	maxErrorGap = 100
	maxHeading  = 10
)

// errorChain finds the first error in the latest chain of errors that lie close
// together, or in the chain that led to the first failure of the log. It prefers
// what a heading announces to the heading. A heading with a stated level does
// not start a chain, since the test runner that logs it has logged what failed.
type errorChain struct {
	cause  Excerpt
	vague  bool // cause is a heading, or the exit of a process
	failed bool // the log has stated a failure
	ended  bool // the failure is the exit of a process
	last   int  // line of the last error
}

func (c *errorChain) add(e *entryText, excerpt Excerpt, vague bool) {
	if c.ended {
		return
	}
	c.ended = reportsExit(e.message)
	apart := e.line > c.last+maxErrorGap && (!vague || c.ended || !e.stated)
	if c.last == 0 || apart && !c.failed || c.vague && !vague && e.line <= c.cause.Line+maxHeading {
		c.cause, c.vague = excerpt, vague
	}
	c.failed = c.failed || isConclusion(e)
	c.last = e.line
}

// reportsExit reports whether a message says that a process has failed, and no
// more.
func reportsExit(message string) bool {
	return strings.Contains(message, "exit code ") || strings.Contains(message, "exit status ") || strings.Contains(message, "exited with ")
}

// isHeading reports whether a message does not say what is wrong: it counts
// failures, has no other words than those of headings, or is that of Ninja
// above a failed command.
func isHeading(message string) bool {
	if strings.HasPrefix(message, "FAILED: ") {
		return true
	}
	for word := range strings.FieldsFuncSeq(message, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if !headingWords[strings.ToLower(word)] {
			_, counted := countLevel([]byte(message))
			return counted
		}
	}
	return true
}

// headingWords are the words of headings and of results that name nothing.
var headingWords = wordSet(`error errors warning warnings fatal failed failing failure failures fail exception compilation compile compiler build test tests
	problem problems there was were is are has have the following these a an with in of from summary report result results occurred found total all
	list details collected encountered aborted rake`)
