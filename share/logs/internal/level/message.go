package level

import (
	"bytes"
	"cmp"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

// Compilers, test runners, shells and kernels state no level in the head of a
// line: they write a message. The place of a phrase in the message determines
// its level, never a word alone. A clause, either the first or one after labels
// and colons, opens with what could not be done ("tool: x: cannot open y") or
// with what is wrong ("invalid argument"), or it states what happened to its
// subject ("the test of x failed with 2", "x not found"). That counts only in
// the main clause: not after "if" or "no", in quotes, or in a name ("failed
// jobs: 3"). The phrases and words are in phrases.tsv.

// OfMessage returns the level of a message that has no head, or None.
func OfMessage(b []byte, indented bool) Level {
	if l, counted := OfCount(b); counted {
		return l
	}
	p := Opening.Find(b)
	if n := leadLen(b); n > 0 && p == nil {
		p = Opening.Find(b[n:])
	}
	if p = cmp.Or(p, Ending.Find(b)); p != nil {
		return p.Level
	}
	m := read(b, indented)
	if m.handled && !m.sure {
		return min(m.level, Warning)
	}
	return m.level
}

// OfReport returns the level of a message of a daemon: that of an event, which
// kernels, init systems and runtimes write about crashes and faults, or of a
// failure if the message says both what was not possible and why.
func OfReport(b []byte) Level {
	m := read(b, false)
	return ascii.If(m.event || m.failed > 1, m.level)
}

// reading is what the clauses of a message say.
type reading struct {
	level   Level // of the first phrase that has one
	event   bool  // a phrase is an event
	failed  int   // the number of clauses that open with a failure
	handled bool  // the message says that the failure does no harm
	sure    bool  // a verdict, an exit or a word before a colon says that it does

	label, clause int  // the starts of the words since the last colon, and since the last sign
	opens         bool // the word is the first of a clause
}

var clauseEnds = ascii.SetOf(":;,.")

// read reads a message word by word. In an indented one, no word before a colon
// counts.
func read(b []byte, indented bool) (m reading) {
	m.opens = true
	shouts := bytes.IndexByte(b, 'F') >= 0 && bytes.Contains(b, []byte("FAIL"))
	for i := 0; i < len(b); {
		if m.opens && !ascii.IsLetter(b[i]) && Clause.Find(b[i:]) == nil {
			i += leadLen(b[i:])
		}
		word := b[i : i+wordLen(b[i:])]
		colon := ascii.HasSuffix(word, ":")
		if long, short := phrases.at(b[i:]); long|short > 0 || shouts || colon { // few words
			m.word(b, i, word, indented)
		}
		i = ascii.SkipSpace(b, i+len(word))
		if m.opens = colon; colon {
			m.label = i
		}
		if len(word) > 1 && clauseEnds.Has(word[len(word)-1]) {
			m.clause = i
		}
	}
	return m
}

// word reads the word at i of a message.
func (m *reading) word(b []byte, i int, word []byte, indented bool) {
	rest := b[i:]
	if p := findClause(rest, m.opens, b[m.clause:i]); p != nil && !isEnclosed(b[:i]) {
		m.event = cmp.Or(m.event, p.Trace == "event")
		m.level = cmp.Or(m.level, p.Level)
		m.failed += ascii.If(m.opens, 1)
		return
	}
	if p := Inside.Find(rest); p != nil && p.Trace == "" {
		m.handled = true
	} else if IsVerdict(word) || p != nil && isNonzero(rest[len(p.Text):]) {
		m.level, m.sure = cmp.Or(m.level, Error), true
	} else if l := severity(word); l != None && !indented && !Denies(rest[len(word):]) && classOf(b[m.label:i])&sentence == 0 {
		m.level, m.sure = cmp.Or(m.level, l), true
	}
}

// findClause returns the phrase at the start of b that states a failure, or nil.
// A word that opens no clause has a clause before it, which is its subject.
func findClause(b []byte, opens bool, before []byte) *Phrase {
	if opens {
		return cmp.Or(Clause.Find(b), Noun.Find(b))
	}
	p := Predicate.Find(b)
	return ascii.If(p != nil && len(before) > 0 && classOf(before)&condition == 0 && classes[string(lastWord(bytes.TrimRight(before, " \t")))]&attributive == 0, p)
}

// wordLen returns the length of the word at the start of b.
func wordLen(b []byte) (n int) {
	for n < len(b) && !ascii.IsSpace(b[n]) {
		n++
	}
	return n
}

// leadLen returns the length of a sign or a name in brackets, and the blanks after
// it, before a message.
func leadLen(b []byte) int {
	if len(b) > 0 && ascii.IsLetter(b[0]) {
		return 0
	}
	n := wordLen(b)
	switch {
	case ascii.HasPrefix(b, "["):
		n = bytes.IndexByte(b, ']') + 1
	case ascii.HasPrefix(b, "("):
		n = bytes.IndexByte(b, ')') + 1
	case !ascii.HasSuffix(b[:n], "==") && bytes.ContainsFunc(b[:n], isWordRune):
		return 0
	}
	return ascii.If(ascii.At(b, n) == ' ', ascii.SkipSpace(b, n))
}

// IsVerdict reports whether a word is FAILED, FAILURE or FAIL in capitals, the
// verdicts of test runners and build tools.
func IsVerdict(word []byte) bool {
	return len(word) > 3 && bytes.Contains(word, []byte("FAIL")) && (classes[string(bytes.Trim(word, "[]()<>*.,;:!"))]&verdict != 0 || ascii.HasSuffix(word, "_FAILED"))
}

// isNonzero reports whether b starts with the number of an exit code that is not
// 0.
func isNonzero(b []byte) bool {
	b = bytes.TrimLeft(b, ": (")
	return len(bytes.Trim(b[:ascii.Digits(b)], "0")) > 0
}

// severity returns the level of a word that ends with a colon.
func severity(word []byte) Level {
	word, colon := bytes.CutSuffix(word, []byte(":"))
	if !colon {
		return None
	}
	word = word[bytes.LastIndexAny(word, "([<:=")+1:]
	m := Of(word)
	switch {
	case m.Level >= Warning && !m.Ambiguous:
		return m.Level
	case IsErrorName(word) && ascii.IsUpper(word[0]) && ascii.Letters(word) == len(word):
		return Error
	case ascii.HasSuffix(word, "Warning"):
		return Warning
	}
	return None
}

// IsErrorName reports whether a name is that of an exception, such as
// SomeError.
func IsErrorName(name []byte) bool {
	return len(name) > 5 && (ascii.HasSuffix(name, "Error") || ascii.HasSuffix(name, "Exception"))
}

// isEnclosed reports whether before ends inside quotes or parentheses.
func isEnclosed(before []byte) bool {
	return bytes.Count(before, []byte(`"`))%2 != 0 || bytes.LastIndexByte(before, '(') > bytes.LastIndexByte(before, ')')
}

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
	named := ascii.HasSuffix(label, ":") || ascii.HasSuffix(label, "=")
	return ascii.If(named && countedNoun(lastWord(bytes.TrimRight(label, ":="))) == Error && ascii.ContainsAny(b, tallies...), Error)
}

// startsClause reports whether a number after a label starts a clause.
func startsClause(label []byte) bool {
	return len(label) == 0 || !isWordRune(rune(label[len(label)-1])) || classes[string(lastWord(label))]&counting != 0
}

func lastWord(b []byte) []byte { return b[bytes.LastIndexAny(b, " \t,(")+1:] }

// countedNoun returns the level of what is counted.
func countedNoun(noun []byte) Level {
	c := classes[string(noun)]
	return max(ascii.If(c&failure != 0, Error), ascii.If(c&warning != 0, Warning))
}

// tallies are in lines that count tests or tasks by name: "Tests run: 3,
// Failures: 1", "ok=3 changed=1 failed=0".
var tallies = []string{"ests run:", "Assertions: ", "Fail:  ", "ok=", "Passed: ", "Total: ", "FAILED ("}
