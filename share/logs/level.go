package logs

import (
	"bytes"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
)

// levelOf returns the level that a token states, and how many bytes of the
// token state it. The first n bytes of tok are letters.
func (w *walk) levelOf(tok []byte, n int) (Level, int) {
	if n == len(tok) {
		if n == 1 {
			return w.letter(tok[0]), n
		}
		return w.bare(tok, w.next(w.i+n)), n
	}
	switch c := tok[n]; {
	case c == ':':
		return w.withColon(tok, n)
	case c == '.':
		return w.withDot(tok), len(tok)
	case c == '/' && n == 1 && (w.next(ascii.SkipSpace(w.b, w.i+len(tok))) == '(' || w.dated && tok[len(tok)-1] == ':'):
		return level.Letter[tok[0]], len(tok)
	case c == '/' && tok[len(tok)-1] == ':' && w.words == 0 && bytes.IndexByte(tok, '.') < 0:
		return level.Of(tok[:n]).Level, len(tok)
	case ascii.IsDigit(c):
		return w.withNumber(tok, n), len(tok)
	case c == '*':
		return w.bare(tok[:n], ' '), n
	}
	return LevelNone, 0
}

// withColon returns the level of LEVEL:…, name:LEVEL:… and name::LEVEL::… .
func (w *walk) withColon(tok []byte, n int) (Level, int) {
	if n+1 < len(tok) && tok[n+1] == ':' {
		if l, m := capitalLevel(tok[n+2:]); l != LevelNone {
			return l, n + 2 + m
		}
		return w.qualified(tok), len(tok)
	}
	if l := w.bare(tok[:n], ':'); l != LevelNone {
		return l, n + 1
	}
	if l, m := capitalLevel(tok[n+1:]); l != LevelNone {
		return l, n + 1 + m
	}
	return w.exception(tok[:n]), len(tok)
}

// withNumber returns the level of DEBUG1:, as PostgreSQL and Slurm write it, and
// of VMware's I125: after a bar.
func (w *walk) withNumber(tok []byte, n int) Level {
	d := ascii.Digits(tok[n:])
	colon := n+d+1 == len(tok) && tok[n+d] == ':'
	switch {
	case !colon && n+d < len(tok):
	case d == 1 && (colon || caseOf(tok[:n]) == upperCase):
		if l := level.Of(tok[:n]).Level; l == LevelDebug || l == LevelTrace {
			return l
		}
	}
	return LevelNone
}

// place describes what surrounds a word.
type place struct {
	next    byte // byte after the word, or the bar or colon after blanks
	end     int  // index after the word
	isField bool // field separators enclose the word
	dated   bool // a timestamp or a wrapper precedes the word
	inHead  bool // no plain word precedes the word
}

// bare returns the level of an isolated word that is followed by next.
func (w *walk) bare(word []byte, next byte) Level {
	lw := level.Of(word)
	if string(word) == "SUCCESS" && w.h.stamp.OK && w.placeOf(word, next).isField {
		return LevelInfo // Loguru
	}
	if lw.Level != LevelNone && next == ',' && namesLevels(w.b[w.i+len(word)+1:]) {
		w.stop = true // a list of levels
		return LevelNone
	}
	if lw.Level == LevelNone || w.isCounted(w.i+len(word)) || lw.Level >= LevelError && w.isDenied(w.i+len(word)) {
		return LevelNone
	}
	if !w.accepts(word, lw, w.placeOf(word, next)) {
		return LevelNone
	}
	return lw.Level
}

// placeOf describes what surrounds the word at w.i.
func (w *walk) placeOf(word []byte, next byte) place {
	p := place{
		next:   next,
		end:    w.i + len(word),
		dated:  w.h.stamp.OK || w.h.strong,
		inHead: w.prev != prevWord && w.words == 0,
	}
	if c := w.next(ascii.SkipSpace(w.b, p.end)); next == ' ' && (c == '|' || c == ':' && w.next(p.end+1) == c) {
		p.next = c
	}
	before := byte('|')
	if w.i > 0 {
		before = w.b[w.i-1]
	}
	if before == ' ' && w.i > 1 {
		before = w.b[w.i-2]
	}
	p.isField = isFieldMark(before) && isFieldMark(p.next)
	return p
}

// accepts reports whether the name of a level states a level in its place.
func (w *walk) accepts(word []byte, lw level.Meaning, p place) bool {
	c := caseOf(word)
	switch {
	case w.prev == prevLevel:
		return true
	case p.dated && w.isColumn(p.end-len(word), p.end):
		return true
	case p.isField && (c == upperCase || p.dated && !lw.Ambiguous || ascii.Digits(w.b[min(p.end+1, len(w.b)):]) == 4 || w.prev == prevNothing && ascii.IsDigit(w.next(p.end+1))):
		return true
	case c == upperCase:
		return w.acceptsCapitals(word, lw, p)
	case c == mixedCase:
		return false
	}
	rest := w.b[p.end:]
	switch {
	case p.next == ':' && lw.Ambiguous:
		return p.inHead && opensMessage(word)
	case p.next == ':':
		return p.inHead || w.prev == prevColon
	case p.next == '[':
		return w.prev == prevNothing && c == lowerCase
	case lw.Level == LevelFatal && p.inHead && hasPrefix(rest, " error:"):
		return true
	case lw.Level >= LevelWarning && (w.canStartMessage() || w.prev == prevNothing && !lw.Ambiguous) && isCode(rest):
		w.h.diagnosed = true
		return true
	case lw.Ambiguous || !w.dated:
		return false
	case c == titleCase:
		return p.inHead && w.isSetApart(p.end)
	case p.inHead:
		return w.prev != prevColon && !namesHandling(rest)
	}
	return w.words == 1 && hasPrefix(rest, "  ")
}

// acceptsCapitals is accepts for a word in capitals.
func (w *walk) acceptsCapitals(word []byte, lw level.Meaning, p place) bool {
	switch {
	case string(word) == "FAILED":
		return w.prev == prevNothing && !p.dated
	case hasPrefix(w.b[p.end:], " SUMMARY"):
		return false
	case lw.Ambiguous:
		return p.next == ':' && w.prev != prevWord || p.dated && p.inHead && p.next != '-'
	case w.prev != prevWord:
		return true
	case p.dated && (!w.title || p.next == ':'):
		return true
	}
	return p.next == ':' && w.words == 1 && ascii.IsUpper(w.b[w.i-2])
}

// isCounted reports whether the text at i makes the word before it the name of a
// number or a variable: "Errors: 0", "DEBUG = 1".
func (w *walk) isCounted(i int) bool {
	if w.next(i) == ':' {
		i++
	}
	i = ascii.SkipSpace(w.b, i)
	if w.next(i) == '=' && w.next(i+1) == ' ' {
		return true
	}
	n := ascii.Digits(w.b[min(i, len(w.b)):])
	end := w.next(i + n)
	return n > 0 && !w.dated && (end == 0 || end == ',' || end == ')') && w.b[i-1] == ' ' && !hasPrefix(w.b[i+n:], ", Severity")
}

// isDenied reports whether the text at i denies the error that the word before
// it names: "error: none".
func (w *walk) isDenied(i int) bool {
	rest := w.b[i:]
	return !w.dated && hasPrefix(rest, ": ") && ascii.IsLetter(ascii.At(rest, 2)) && deniesError(rest[2:])
}

// namesLevels reports whether b starts with a blank, the name of a level and a
// comma, as lists and legends of levels do.
func namesLevels(b []byte) bool {
	if ascii.At(b, 0) != ' ' {
		return false
	}
	n := ascii.Letters(b[1:])
	return ascii.At(b, 1+n) == ',' && level.Of(b[1:1+n]).Level != LevelNone
}

// opensMessage reports whether an ambiguous word, in any case, starts a message
// if a colon follows it.
func opensMessage(word []byte) bool {
	switch word[0] | 0x20 {
	case 'n', 'a', 'p':
		return true
	}
	return string(word) == "fail"
}

// isFieldMark reports whether c separates the fields of a line of columns.
func isFieldMark(c byte) bool { return c == ',' || c == '|' || c == ';' || c == '\t' }

// isColumn reports whether at least two blanks precede and follow a word.
func (w *walk) isColumn(start, end int) bool {
	return start > 1 && w.b[start-1] == ' ' && w.b[start-2] == ' ' && w.next(end) == ' ' && w.next(end+1) == ' '
}

// isSetApart reports whether the text at i separates the word before it from a
// sentence.
func (w *walk) isSetApart(i int) bool {
	switch w.next(i) {
	case 0, '\t', '[', '|', ']', '>', ')':
		return true
	case ' ':
		c := w.next(i + 1)
		if c == ' ' || c == '|' || c == '[' || c == '(' || c == '-' || c == '\t' {
			return true
		}
		end := w.tokenEnd(i + 1)
		return end > i+1 && w.b[end-1] == ':'
	}
	return false
}

// canStartMessage reports whether a compiler's message may follow the text
// before the word.
func (w *walk) canStartMessage() bool {
	return w.prev == prevColon || w.prev == prevField && !w.dated
}

// letter returns the level of a single letter. A letter counts only after the
// timestamp and before a name, a number or a group.
func (w *walk) letter(c byte) Level {
	if !w.h.stamp.OK {
		return LevelNone
	}
	i := w.i + 1
	for w.next(i) == ' ' {
		i++
	}
	if i > w.i+2 && w.i > 2 && w.b[w.i-1] == ' ' && w.b[w.i-2] == ' ' && c != 'A' {
		return level.Letter[c]
	}
	if w.words > 0 {
		return LevelNone
	}
	next := w.next(i)
	if (c == 'A' || c == 'C' || c == 'N') && next != '|' {
		return LevelNone
	}
	if w.prev == prevStamp && c != 'I' && ascii.IsLetter(next) {
		return level.Letter[c]
	}
	end := w.tokenEnd(i)
	switch {
	case ascii.IsDigit(next) || ascii.IsUpper(next) || next == '[' || next == '|' || next == '(' || next == '-':
		return level.Letter[c]
	case end > i && (w.b[end-1] == ':' || bytes.IndexByte(w.b[i:end], ':') > 0 || bytes.IndexByte(w.b[i:end], '.') > 0):
		return level.Letter[c]
	}
	return LevelNone
}

// capitalLevel returns the level in capitals at the start of b, up to the next
// colon, and its length including colons.
func capitalLevel(b []byte) (Level, int) {
	n := ascii.Letters(b)
	if n == 0 || caseOf(b[:n]) != upperCase || n < len(b) && b[n] != ':' {
		return LevelNone, 0
	}
	for n < len(b) && b[n] == ':' {
		n++
	}
	return level.Of(bytes.TrimRight(b[:n], ":")).Level, n
}

// withDot returns the level of channel.LEVEL: as Monolog writes it, of
// facility.severity, and of the name of an exception.
func (w *walk) withDot(tok []byte) Level {
	name := bytes.TrimSuffix(tok, []byte(":"))
	dot := bytes.LastIndexByte(name, '.')
	last := name[dot+1:]
	if len(last) == 0 || ascii.Letters(last) != len(last) {
		return LevelNone
	}
	if len(name) < len(tok) && w.prev != prevWord && caseOf(last) == upperCase {
		return level.Of(last).Level
	}
	if len(name) < len(tok) || w.i+len(tok) == len(w.b) {
		return w.exception(name)
	}
	return LevelNone
}

// letterCase is the case of a run of letters.
type letterCase uint8

const (
	mixedCase letterCase = iota
	upperCase
	lowerCase
	titleCase
)

func caseOf(w []byte) letterCase {
	upper := 0
	for _, c := range w {
		if c < 'a' {
			upper++
		}
	}
	switch {
	case upper == len(w):
		return upperCase
	case upper == 0:
		return lowerCase
	case upper == 1 && w[0] < 'a':
		return titleCase
	}
	return mixedCase
}
