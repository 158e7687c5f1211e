package logs

import (
	"bytes"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// The position of a level or a timestamp in a line identifies it, not the
// product that wrote the line. A head is a sequence of timestamps, numbers,
// names, separators and groups in brackets, and ends where the words of a
// sentence begin. A word is a level only inside the head, and only if nothing
// but the head's own punctuation touches it.

// entryHead is the part of a head that an entry keeps.
type entryHead struct {
	level  Level
	format format
	stamp  stamp.Stamp // its offsets are those in the line
	// status: level was taken from the status of an access log.
	status bool
	// strong: the line starts an entry whatever precedes it, and lines
	// without a head that follow belong to it.
	strong bool
	// json: the line begins a JSON value.
	json bool
	// oops: a kernel reports a fault, and its dump follows.
	oops bool
	// named: the timestamp of the wrapped line writes the month as a name.
	named bool
	// indented: blanks precede the text.
	indented bool
	// margin is the number of blanks between a level from LevelWarning on and
	// the message.
	margin uint8
}

// head is what a line states about itself.
type head struct {
	entryHead
	at int // offset in the line of the text being read
	// rule is the pattern that the text being read matches.
	rule *formatRule
	// lead is the timestamp that the text starts with, and leadLen its
	// length, if the search for a wrapper has parsed it.
	lead    stamp.Stamp
	leadLen int
	holds   contents // of a line that is neither JSON nor in a fixed layout
	// trace is the part of a bare stack trace that the line is.
	trace tracePart
	// message and messageEnd are the offsets in the line of the text after
	// the level. A message of 0 is unknown; a messageEnd of 0 is the end of
	// the line.
	message, messageEnd int
	// continues: the line belongs to the entry before it, whatever else it
	// looks like.
	continues bool
	// announces: another traceback follows.
	announces bool
	// trailing: the line adds its level or timestamp to the entry before
	// it.
	trailing bool
	// emphatic: the level is in capitals or in brackets.
	emphatic bool
	// wrapped: a container runtime or a service put a prefix before the
	// line, as it does before every line.
	wrapped bool
	// framed: the line's own form makes it part of a trace.
	framed bool
	// frame: the line is a frame of a stack trace.
	frame bool
	// diagnosed: the level follows from the message.
	diagnosed bool
	// passed: the line is a passed test in a list of tests.
	passed bool
	// nested: the line is the message of a JSON value.
	nested bool
	blank  bool
}

// takeFuller sets the stamp of the head to s if s is fuller.
func (h *head) takeFuller(s *stamp.Stamp) {
	if s.Fullness() > h.stamp.Fullness() {
		h.setStamp(*s)
	}
}

// readStamp reads the timestamp at i into the head, and returns its length or
// 0.
func (h *head) readStamp(b []byte, i int) int {
	var s stamp.Stamp
	n := stamp.Parse(b[i:], &s)
	if n > 0 {
		s.Shift(i)
		h.setStamp(s)
	}
	return n
}

// setStamp sets the stamp of the head to one from the text being read.
func (h *head) setStamp(s stamp.Stamp) {
	h.stamp = s
	h.stamp.Shift(h.at)
}

// maxHead is the number of bytes of a line that are searched for a level and a
// timestamp.
const maxHead = 220

// prevToken is the kind of token before the current word.
type prevToken uint8

const (
	prevNothing prevToken = iota
	prevStamp
	prevField // a number, a group in brackets or a separator
	prevColon // a name that ends in a colon
	prevLevel // "level:" or the like
	prevName  // an identifier that does not occur in sentences
	prevWord
)

// walk reads a head token by token.
type walk struct {
	line  []byte
	b     []byte // the start of line, to which the head is confined
	i     int
	h     *head
	prev  prevToken
	words int  // plain words so far
	title bool // the last of them is capitalized, as in titles and sentences
	dated bool // the text itself has a timestamp, not only its wrapper
	pairs bool
	stop  bool
}

// text reads a line that is neither JSON nor in a fixed layout.
func (h *head) text(b []byte) {
	w := walk{line: b, b: b[:min(len(b), maxHead)], h: h}
	for range 28 {
		for w.i < len(w.b) && ascii.IsSpace(w.b[w.i]) {
			w.i++
		}
		if w.stop || w.i >= len(w.b) || w.done() {
			break
		}
		w.token()
		if h.message == 0 && h.level != LevelNone {
			h.message = h.at + w.i
		}
	}
	h.strong = h.strong || w.dated
}

// done reports whether the rest of the head can add nothing.
func (w *walk) done() bool {
	if w.h.level == LevelNone || !w.h.stamp.OK {
		return false
	}
	return w.h.stamp.Fullness() == 3 || !ascii.IsDigit(w.b[w.i])
}

func (w *walk) token() {
	switch c := w.b[w.i]; {
	case ascii.IsDigit(c) || c == '@':
		w.digit()
	case ascii.IsLetter(c):
		w.word()
	case c == '[' || c == '<' || c == '(' || c == '{':
		w.group(c)
	case c == '"':
		w.quote()
	case c == '%':
		w.facility()
	case c == '|' || c == '-' || c == ':' || c == ',' || c == ';' || c == '*' || c == '~' || c == '=' || c == '>':
		w.i++
		switch {
		case c == ':' && (w.prev == prevField || w.prev == prevName) && w.next(w.i) == ' ':
			w.prev = prevColon
		case w.prev != prevNothing && w.prev != prevStamp:
			w.prev = prevField
		}
	case c == '#':
		w.heading()
	default:
		w.other()
	}
}

// other skips a token that starts with any other character.
func (w *walk) other() {
	end := w.tokenEnd(w.i + 1)
	if w.skipFileName(w.b[w.i:end]) {
		return
	}
	w.stop = w.i == 0 && hasPrefix(w.b, "+ ") // a command that a shell echoes
	w.i = end
	w.prev = prevName
	if w.b[w.i-1] == ':' {
		w.prev = prevColon
	}
}

// skipFileName skips the name or the number that grep and tail put before a
// line whose head starts with a date.
func (w *walk) skipFileName(tok []byte) bool {
	if w.i > 0 {
		return false
	}
	n := bytes.IndexByte(tok, ':')
	if n < 0 || n+6 > len(tok) || ascii.Digits(tok[n+1:n+6]) != 4 || tok[n+5] != '-' && tok[n+5] != '/' {
		return false
	}
	w.i = n + 1
	return true
}

// tokenEnd returns the end of the token that contains i.
func (w *walk) tokenEnd(i int) int {
	for i < len(w.b) && !endsToken[w.b[i]] {
		i++
	}
	return i
}

var endsToken = func() (t [256]bool) {
	for _, c := range []byte(" \t[]()<>|{}\",;") {
		t[c] = true
	}
	return t
}()

// digit reads a timestamp or a number.
func (w *walk) digit() {
	if w.takeStamp() {
		return
	}
	end := w.tokenEnd(w.i + 1)
	tok := w.b[w.i:end]
	if w.skipFileName(tok) {
		return
	}
	w.i = end
	w.prev = prevName
	switch n := ascii.Digits(tok); {
	case n == len(tok):
		w.prev = prevField
	case tok[len(tok)-1] == ':':
		w.prev = prevColon
	}
}

// takeStamp reads a timestamp that says more than the one already found.
func (w *walk) takeStamp() bool {
	if w.h.stamp.Fullness() == 3 {
		return false
	}
	s, n := w.h.lead, w.h.leadLen
	if w.i > 0 || n == 0 || n > len(w.b) {
		n = stamp.Parse(w.b[w.i:], &s)
	}
	if n == 0 || s.Epoch && !w.mayBeEpoch() || s.Fullness() == 1 && w.prev == prevWord {
		return false
	}
	s.Shift(w.i)
	w.h.takeFuller(&s)
	w.i += n
	w.prev = prevStamp
	w.dated = true
	return true
}

// mayBeEpoch reports whether the number at w.i may be a timestamp: it starts
// the line or fills a column.
func (w *walk) mayBeEpoch() bool {
	if w.prev == prevNothing {
		return true
	}
	end := w.i + ascii.Digits(w.b[w.i:])
	if c := w.b[w.i-1]; isFieldMark(c) {
		return w.next(end) == c
	}
	return w.words == 1 && w.prev == prevWord && w.next(end) == '.'
}

// word reads a token that starts with a letter.
func (w *walk) word() {
	if maybeNamedStamp(w.b[w.i:]) && w.takeStamp() {
		return
	}
	n := ascii.Letters(w.b[w.i:])
	end := w.tokenEnd(w.i + n)
	tok := w.b[w.i:end]
	if w.skipFileName(tok) {
		return
	}
	if w.h.level == LevelNone {
		if w.dated && ascii.IsUpper(tok[0]) && w.next(end) == ' ' && w.next(end+1) == ' ' && detailPhrase.find(tok) != nil {
			w.h.continues, w.stop = true, true
			return
		}
		if l, used := w.levelOf(tok, n); l != LevelNone {
			w.h.level = l
			w.h.emphatic = ascii.IsUpper(tok[n-1])
			w.i += used
			w.prev = prevField
			return
		}
		if w.record(tok, n) {
			return
		}
	}
	w.i = end
	w.passWord(tok, n)
}

// record reads a line if the token shows that it consists of columns or pairs.
func (w *walk) record(tok []byte, n int) bool {
	return !w.pairs && n < len(tok) && pairKey(tok) > 0 && w.readPairs()
}

// passWord records the kind of a token, and stops where a sentence begins.
func (w *walk) passWord(tok []byte, n int) {
	next := w.next(w.i)
	switch {
	case n+1 == len(tok) && tok[n] == ':' && namesLevel(tok[:n]):
		w.prev = prevLevel
	case tok[len(tok)-1] == ':':
		if w.prev == prevColon && w.words > 1 {
			w.stop = true
		}
		w.prev = prevColon
	case n < len(tok) || isFieldMark(next) || next == '[' || next == '(':
		w.prev = prevName
	case w.prev == prevField && string(tok) == "of": // 1 of 3
	case w.prev == prevColon && caseOf(tok) != upperCase, startsSentence(tok):
		w.stop = true
	case w.isZone(tok):
		w.prev = prevField
	default:
		w.words++
		w.title = caseOf(tok) == titleCase
		w.prev = prevWord
		w.stop = w.words > 2
	}
}

// namesLevel reports whether a word is the name of a level field, such as level
// or severity.
func namesLevel(word []byte) bool {
	c := word[0] | 0x20
	return (c == 'l' || c == 's') && jsonKeyOf(word)&keyLevel != 0
}

// isZone reports whether a word is no part of a sentence: a zone after the
// time, or the name that PHP puts before its levels.
func (w *walk) isZone(tok []byte) bool {
	return string(tok) == "PHP" || w.prev == prevStamp && len(tok) < 6 && caseOf(tok) == upperCase
}

// readPairs reads the rest of the line as logfmt.
func (w *walk) readPairs() bool {
	w.pairs = true
	pairs := logfmt(w.line[w.i:], w.i, w.h)
	if w.h.level == LevelNone && (w.prev != prevNothing || pairs < 3) {
		return false
	}
	w.h.strong = true
	if w.prev == prevNothing {
		w.h.format = formatLogfmt
	}
	w.stop = true
	return true
}

// next returns the byte at i, or 0 at the end.
func (w *walk) next(i int) byte {
	if i < len(w.b) {
		return w.b[i]
	}
	return 0
}

// maybeNamedStamp reports whether b starts with the name of a month or weekday.
func maybeNamedStamp(b []byte) bool {
	switch b[0] {
	case 'J', 'F', 'M', 'A', 'S', 'O', 'N', 'D', 'T', 'W':
		return len(b) > 12 && (stamp.Month(b) > 0 || stamp.Weekday(b) > 0)
	}
	return false
}

// startsSentence reports whether a word occurs in sentences but not in heads.
func startsSentence(w []byte) bool {
	if len(w) > 7 {
		return false
	}
	switch string(w) {
	case "a", "an", "and", "are", "as", "at", "be", "by", "can", "cannot", "could", "did", "do", "does", "failed",
		"for", "found", "from", "got", "had", "has", "have", "if", "in", "is", "it", "no", "not", "of", "on", "or",
		"our", "set", "so", "than", "that", "the", "there", "this", "to", "too", "was", "we", "were", "when",
		"while", "will", "with", "without", "you", "your", "An", "In", "No", "On", "The", "This", "Not", "If", "It", "We", "You":
		return true
	}
	return false
}
