package logs

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
)

// Compilers, test runners, shells and kernels state no level in the head of a
// line: they write a message. The grammar of a message determines its level,
// never a single word: a verdict in capitals, a number before what it counts,
// the words before a colon, the position in a file that a compiler names, a
// program's name before an error of the operating system. Prose has none of
// these.

// diagnose determines the level of a line whose head states none.
func (h *head) diagnose(b []byte) {
	b = b[:min(len(b), maxHead)]
	switch {
	case h.format == formatAccess || h.format == formatLogfmt:
	case h.level != LevelNone:
		if h.level == LevelInfo && b[0] == '[' && containsAny(b, "] BUILD FAILURE", " FAILURE [", " FAILED ***") {
			h.level = LevelError // the verdicts of Maven and ScalaTest
		}
	case h.strong:
		h.diagnoseEvent(h.messageOf(b))
	case !isSource(b) || openingPhrase.find(b) != nil:
		h.level = h.messageLevel(b)
		h.passed = h.indented && b[0] >= utf8.RuneSelf && passingPhrase.find(b) != nil
		if h.diagnosed && (isSanitizer(b) || hasPrefix(b, "Unhandled exception")) {
			h.trace = crash
		}
	}
}

// diagnoseEvent determines the level of the message of a dated line. The
// messages of daemons in syslog have many failures that are none of the daemon's
// own, so that one counts only if it says both what was not possible and why.
func (h *head) diagnoseEvent(message []byte) {
	h.level = eventLevel(message)
	h.oops = h.level != LevelNone
	switch {
	case h.level != LevelNone || len(message) < 2:
	case h.format == formatSyslog3164 || h.format == formatSyslog5424 || h.stamp.Named && h.stamp.Year == 0:
		if h.level = causeLevel(message); h.level != LevelNone {
			h.level = min(h.level, openingLevel(message))
		}
	case h.stamp.OK && int(h.stamp.Start)-h.at < 2 && message[0] != ')':
		h.holds = contentsOf(message)
		h.level = h.messageLevel(message)
	}
}

func hasPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

func hasSuffix(b []byte, suffix string) bool {
	return len(b) >= len(suffix) && string(b[len(b)-len(suffix):]) == suffix
}

// messageOf returns b without the text before the message of a dated line.
func (h *head) messageOf(b []byte) []byte {
	if end := int(h.stamp.End) - h.at; end > 0 && end < len(b) {
		b = b[end:]
	}
	for len(b) > 0 && (b[0] == ' ' || b[0] == ']' || b[0] == ':' || b[0] == '-') {
		b = b[1:]
	}
	if ascii.At(b, 0) != '[' {
		return b
	}
	end := bytes.IndexByte(b, ']')
	if end < 0 || !isUptime(b[ascii.SkipSpace(b, 1):end]) {
		return b
	}
	return b[ascii.SkipSpace(b, end+1):]
}

// messageRule determines the level of a message without a head.
type messageRule struct {
	needs    contents // the rule applies only to messages with one of these; 0 means all
	indented bool     // the rule applies to indented messages too
	level    func(b []byte) Level
}

var messageRules = [...]messageRule{
	{0, true, signLevel},
	{hasColon, true, placeLevel},
	{hasDigit, true, rowLevel},
	{0, false, firstLevel},
	{hasColon | hasDigit, false, eventLevel},
	{0, false, endingPhrase.level},
	{hasCapitals | hasColon | hasDigit | hasOther, false, wordsLevel},
	{0, false, clausesLevel},
}

// messageLevel returns the level of a message.
func (h *head) messageLevel(b []byte) Level {
	if h.holds&hasOther != 0 && isExempt(b) {
		return LevelNone
	}
	if h.holds&hasDigit != 0 {
		if level, counted := countLevel(b); counted {
			h.diagnosed = level != LevelNone
			return level
		}
	}
	for i := range messageRules {
		rule := &messageRules[i]
		if h.indented && !rule.indented || rule.needs != 0 && rule.needs&h.holds == 0 {
			continue
		}
		if l := rule.level(b); l != LevelNone {
			if h.stamp.OK && severity(b[:ascii.Letters(b)]) == LevelNone && speech.Match(b) {
				return LevelNone
			}
			h.diagnosed = true
			return l
		}
	}
	if !h.indented {
		return LevelNone
	}
	level := clausesLevel(b) // a detail of the entry above, perhaps
	if h.holds&(hasCapitals|hasBar|hasTab|hasOther) != 0 {
		level = max(level, verdictLevel(b))
	}
	return level
}

// speech is what a person says in a chat: the name of the speaker, and a text
// with a pronoun that programs do not use.
var speech = regexp.MustCompile(`^(<[A-Za-z][\w-]*> |[A-Za-z][\w-]*: (.* )?(I|I'm|[Mm]e|[Mm]y|[Ii]t|[Hh]e|[Ss]he|[Hh]er|[Hh]im|[Tt]hem|[Ss]orry)([ ,.!?]|$))`)

// signLevel returns the level of the sign at the start of a message, which a
// name in brackets may precede.
func signLevel(b []byte) Level { return signPhrase.level(b[leadLen(b):]) }

// placeLevel returns the level of "file.go:7:2: message", which is how
// compilers print errors without the word.
func placeLevel(b []byte) Level {
	n := bytes.IndexByte(b, ' ')
	if n < 6 || b[n-1] != ':' && !isRule(b[n+1:]) || ascii.At(b, n+1) == 0 {
		return LevelNone
	}
	file, ok := cutNumber(bytes.TrimSuffix(b[:n], []byte(":")))
	if ok {
		file, ok = cutNumber(file)
	}
	dot := bytes.LastIndexByte(file, '.')
	if !ok || dot < 1 || !ascii.IsLetter(ascii.At(file, dot+1)) || len(file)-dot > 8 || bytes.Contains(file, []byte("://")) {
		return LevelNone
	}
	if code := b[n+1:]; isRule(code) && strings.IndexByte("WCR", code[0]) >= 0 && ascii.IsDigit(code[1]) {
		return LevelWarning // warnings, conventions and refactorings of pylint and flake8
	}
	return LevelError
}

// isRule reports whether b starts with the code of a linter's rule: capitals and a
// number, as in MD013/line-length.
func isRule(b []byte) bool {
	n := ascii.Letters(b)
	return n > 0 && n < 5 && caseOf(b[:n]) == upperCase && ascii.Digits(b[n:]) > 2
}

// isCode reports whether b continues like the message of a compiler: "
// CS0103:", " 26 [unused-var]:", or " error:" after fatal.
func isCode(b []byte) bool {
	if hasPrefix(b, " error:") {
		return true
	}
	if ascii.At(b, 0) != ' ' || ascii.IsLower(ascii.At(b, 1)) {
		return false
	}
	number := 1 + ascii.Letters(b[1:])
	end := number + ascii.Digits(b[number:])
	if end > number && hasPrefix(b[end:], " [") {
		end += bytes.IndexByte(b[end:], ']') + 1
	}
	return end > number && ascii.At(b, end) == ':' && ascii.At(b, end+1) <= ' '
}

// cutNumber cuts ":12" off the end of b.
func cutNumber(b []byte) ([]byte, bool) {
	i := bytes.LastIndexByte(b, ':')
	if i < 0 || i+1 == len(b) || ascii.Digits(b[i+1:]) != len(b)-i-1 {
		return b, false
	}
	return b[:i], true
}

// isNote reports whether a line is a compiler's note on its previous message:
// "file.c:7:2: note: …".
func isNote(b []byte) bool {
	i := bytes.Index(b[:min(len(b), maxHead)], []byte(": note: "))
	if i < 3 {
		return false
	}
	file, ok := cutNumber(b[:i])
	return ok && bytes.IndexByte(file, ' ') < 0
}

// isSource reports whether a line shows source code, as compilers do below a
// message: "12 | code", and shells before they run it: "+ code". It reports true
// for headings too, which are no messages either.
func isSource(b []byte) bool {
	return b[0] == '|' || b[0] == '#' || hasPrefix(b, "+ ") || isNumbered(b, "|")
}

// rowLevel returns the level of lines that start with numbers: the tests in a
// list of failed ones, the signs of linters after a position, and what kubectl
// lists behind its age.
func rowLevel(b []byte) Level {
	n := ascii.Digits(b)
	switch {
	case n > 0 && hasPrefix(b[n:], ") ") && isTest(b[n+2:]):
		return LevelError
	case n > 0 && n < 6 && ascii.At(b, n) == ':' && ascii.IsDigit(ascii.At(b, n+1)):
		i := n + 1 + ascii.Digits(b[n+1:])
		j := ascii.SkipSpace(b, i)
		if j < i+2 {
			return LevelNone
		}
		return signPhrase.level(b[j:])
	case n > 0 && strings.IndexByte("smhd", ascii.At(b, n)) >= 0:
		_, event, _ := bytes.Cut(b, []byte(" ")) // behind its age, as kubectl lists them
		return signPhrase.level(bytes.TrimLeft(event, " "))
	}
	return LevelNone
}

// isTest reports whether b is the name of a test in a numbered list of failed
// tests.
func isTest(b []byte) bool {
	return hasPrefix(b, "test ") || containsAny(b, "::test", " › ", "#test") || string(b) == "Failure:" || string(b) == "Error:"
}

func isHex(c byte) bool { return ascii.IsDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

// lowerLevel returns the level of the lower-case word at the start of b.
func lowerLevel(b []byte) Level {
	word := b[:ascii.Letters(b)]
	if caseOf(word) != lowerCase {
		return LevelNone
	}
	return level.Of(word).Level
}

// firstLevel returns the level of a line by how it begins.
func firstLevel(b []byte) Level {
	switch c := b[0]; {
	case c == '!' && ascii.At(b, 1) == ' ' && ascii.IsUpper(ascii.At(b, 2)):
		return LevelError // TeX
	case c == 'e' || c == 'w' || c == 'i':
		if l := yarnLevel(b); l != LevelNone {
			return l
		}
	}
	return openingPhrase.level(b)
}

// yarnLevel returns the level of a lower-case word at the start of a line, if
// the text after it starts like a message: with a capital, a quote, or the name
// of a file or a package.
func yarnLevel(b []byte) Level {
	n := ascii.Letters(b)
	if n < 4 || ascii.At(b, n) != ' ' {
		return LevelNone
	}
	rest := b[n+1:]
	next, _, more := bytes.Cut(rest, []byte(" "))
	if !more || !ascii.IsUpper(ascii.At(rest, 0)) && ascii.At(rest, 0) != '"' && !bytes.ContainsAny(next, "@.") {
		return LevelNone
	}
	return lowerLevel(b)
}

// eventLevel returns the level of a message after a timestamp and a head
// without a level. Only what kernels, init systems and runtimes write about
// crashes and faults counts, at the start of the message or after the name of
// the program.
func eventLevel(b []byte) Level {
	for range 3 {
		if l := eventPhrase.level(b); l != LevelNone {
			return l
		}
		n := bytes.IndexByte(b, ':')
		if n < 0 || ascii.At(b, n+1) != ' ' {
			break
		}
		if hasSuffix(b[:n], " invoked oom-killer") {
			return LevelError
		}
		b = b[n+2:]
	}
	return LevelNone
}
