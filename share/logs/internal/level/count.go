package level

import (
	"bytes"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

// OfCount returns the level of a summary such as "3 failed, 12 passed", "Found 2
// errors in 1 file" or "failed=1", and reports whether b is one. A summary
// without errors has the level None.
func OfCount(b []byte) (level Level, counted bool) {
	for i := 0; i < len(b); i++ {
		if !ascii.IsDigit(b[i]) {
			continue
		}
		n := ascii.Digits(b[i:])
		if l := countedLevel(b, i, i+n); l != None {
			counted = true
			if len(bytes.Trim(b[i:i+n], "0")) > 0 {
				level = max(level, l)
			}
		}
		i += n
	}
	return level, counted
}

var beforeCount = ascii.SetOf(" (=\t")

// countedLevel returns the level of the noun that the number from i to end
// counts: the word after it, if the number starts a clause and the word ends it,
// or in a tally that before it.
func countedLevel(b []byte, i, end int) Level {
	if i > 0 && !beforeCount.Has(b[i-1]) {
		return None
	}
	label := bytes.TrimRight(b[:i], " \t")
	if ascii.At(b, end) == ' ' {
		noun := b[end+1:]
		n := ascii.Letters(noun)
		if l := countedNoun(noun[:n]); l != None && startsClause(label) && !ascii.HasPrefix(noun[n:], "  ") && endsClause(bytes.TrimPrefix(noun[n:], []byte("(s)"))) {
			return l
		}
	}
	if name := bytes.TrimRight(label, ":="); len(name) < len(label) && countedNoun(lastWord(name)) == Error && isTally(b) {
		return Error
	}
	return None
}

// startsClause reports whether a number after a label starts a clause.
func startsClause(label []byte) bool {
	return len(label) == 0 || !isWordRune(rune(label[len(label)-1])) || classes[string(lastWord(label))]&counting != 0
}

func lastWord(b []byte) []byte { return b[bytes.LastIndexAny(b, " ,(")+1:] }

// countedNoun returns the level of what is counted.
func countedNoun(noun []byte) Level {
	switch c := classes[string(noun)]; {
	case c&failure != 0:
		return Error
	case c&warning != 0:
		return Warning
	}
	return None
}

// isTally reports whether a line counts tests or tasks by name: "Tests run: 3,
// Failures: 1", "ok=3 changed=1 failed=0".
func isTally(b []byte) bool {
	return ascii.ContainsAny(b, "ests run:", "Assertions: ", "Fail:  ", "ok=", "Passed: ", "Total: ", "FAILED (")
}
