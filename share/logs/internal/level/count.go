package level

import (
	"bytes"
	"strings"

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

// countedLevel returns the level of the noun that the number from i to end
// counts: the word after it, if the number starts a clause and the word ends it,
// or in a tally that before it.
func countedLevel(b []byte, i, end int) Level {
	if i > 0 && strings.IndexByte(" (=\t", b[i-1]) < 0 {
		return None
	}
	label := bytes.TrimRight(b[:i], " \t")
	key := label[bytes.LastIndexAny(label, " ,(")+1:]
	starts := len(label) == 0 || !isWordRune(rune(label[len(label)-1])) || classes[string(key)]&counting != 0
	if ascii.At(b, end) == ' ' && starts {
		noun := b[end+1:]
		n := ascii.Letters(noun)
		if l := countedNoun(noun[:n]); l != None && !ascii.HasPrefix(noun[n:], "  ") && endsClause(bytes.TrimPrefix(noun[n:], []byte("(s)"))) {
			return l
		}
	}
	name := bytes.TrimRight(key, ":=")
	if l := countedNoun(name); l == Error && len(name) < len(key) && isTally(b) {
		return l
	}
	return None
}

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
