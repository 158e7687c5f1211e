package logs

import (
	"bytes"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// group reads a group in brackets, and steps over it.
func (w *walk) group(open byte) {
	end := closing(w.b, w.i, open)
	if open == '{' && w.next(w.i+1) == '"' {
		w.stop = true
		return
	}
	if end < 0 {
		w.i++
		w.prev = prevField
		return
	}
	start := ascii.SkipSpace(w.b, w.i+1)
	in := trimEnd(w.b[start:max(start, end)])
	before := w.prev
	w.i = end + 1
	if w.prev == prevWord || w.prev == prevName && w.words > 0 {
		w.prev = prevName
	} else {
		w.prev = prevField
	}
	if len(in) == 0 || open == '<' && before == prevNothing && !w.h.strong && ascii.Letters(in) == len(in) && !ascii.IsDigit(w.next(end+2)) {
		return
	}
	if before == prevNothing && open == '[' && isUptime(in) {
		w.h.strong = true
		return
	}
	if w.h.stamp.Fullness() < 3 && open != '{' && !isElapsed(in) {
		in = w.stampIn(in, start)
	}
	if w.h.level == LevelNone && w.words <= 2 {
		if open != '(' || w.words == 0 || w.dated {
			w.h.level = levelIn(in, open)
		}
		if namesLevels(w.b[end+1:]) {
			w.h.level = LevelNone
		}
		w.h.emphatic = true
	}
}

// isElapsed reports whether a group holds an elapsed time, as progress bars
// write it, and not a clock.
func isElapsed(in []byte) bool {
	return len(in) == 8 && hasPrefix(in, "00:00:")
}

// isUptime reports whether a group is the kernel's clock: seconds since the
// machine started, with a fraction.
func isUptime(in []byte) bool {
	n := ascii.Digits(in)
	return n > 0 && n < 9 && n+2 < len(in) && in[n] == '.' && ascii.Digits(in[n+1:]) == len(in)-n-1
}

// closing returns the index of the bracket that closes the one at i, or -1.
func closing(b []byte, i int, open byte) int {
	closer := open + 2
	if open == '(' {
		closer = ')'
	}
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case open:
			depth++
		case closer:
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// stampIn takes the timestamp at the start of a group, or after its first word
// or a comma, and returns the rest of the group.
func (w *walk) stampIn(in []byte, at int) []byte {
	if n := w.stampAt(in, at); n > 0 {
		return bytes.TrimLeft(in[n:], " :,|-")
	}
	n := ascii.Letters(in)
	if n == 0 {
		return in
	}
	i := n
	for i < len(in) && (in[i] == ' ' || in[i] == ':') {
		i++
	}
	if i > n && n <= level.MaxWord && w.stampAt(in[i:], at+i) > 0 {
		if n == 1 {
			w.h.level = level.Letter[in[0]]
		}
		return in[:n]
	}
	if i = bytes.IndexByte(in, ','); i > 0 {
		w.stampAt(in[i+1:], at+i+1)
	}
	return in
}

// stampAt takes the timestamp at the start of b, which is at offset at of the
// text, and returns its length.
func (w *walk) stampAt(b []byte, at int) int {
	var s stamp.Stamp
	n := stamp.Parse(b, &s)
	if n == 0 {
		return 0
	}
	s.Shift(at)
	w.h.takeFuller(&s)
	w.dated = true
	return n
}

// levelIn returns the level that a group states: its only word, in any case, or
// its first or last, in capitals or with a colon.
func levelIn(in []byte, open byte) Level {
	n := ascii.Letters(in)
	switch {
	case n == len(in) && n == 1:
		if open == '[' && in[0] != 'A' && in[0] != 'C' && in[0] != 'N' {
			return level.Letter[in[0]]
		}
		return LevelNone
	case n == len(in) && open == '(' && n == 2 && in[0] == in[1]:
		return level.Letter[in[0]]
	case n == len(in):
		return level.Of(in).Level
	case open == '(' || open == '{':
		return LevelNone
	}
	if n > 1 && (in[n] == ' ' || in[n] == ':' || in[n] == ',' || in[n] == '/') {
		if lw := level.Of(in[:n]); lw.Level != LevelNone && (caseOf(in[:n]) == upperCase || in[n] == ':' && !lw.Ambiguous) {
			return lw.Level
		}
	}
	for i := n; i < len(in); {
		for i < len(in) && !ascii.IsLetter(in[i]) {
			i++
		}
		m := ascii.Letters(in[i:])
		if l := innerLevel(in, i, i+m); l != LevelNone {
			return l
		}
		i += m
	}
	return LevelNone
}

// innerLevel returns the level of the word from i to end, which follows other
// text in a group: the last word, in capitals, or a word after a colon.
func innerLevel(in []byte, i, end int) Level {
	lw := level.Of(in[i:end])
	if lw.Level == LevelNone {
		return LevelNone
	}
	last := end == len(in)
	upper := caseOf(in[i:end]) == upperCase
	switch in[i-1] {
	case ':':
		if !lw.Ambiguous && (last || in[end] == ',' || upper && in[end] == ':') {
			return lw.Level
		}
	case '/', ' ', ',', '|':
		if last && upper {
			return lw.Level
		}
	}
	return LevelNone
}

// stringEnd returns the index of the quote that ends the string whose text
// starts at i, or len(b).
func stringEnd(b []byte, i int) int {
	for i < len(b) {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return len(b)
		}
		i += n
		slashes := 0
		for k := i - 1; k >= 0 && b[k] == '\\'; k-- {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
		i++
	}
	return len(b)
}

// quote steps over quoted text, which may hold a timestamp or a level.
func (w *walk) quote() {
	end := min(stringEnd(w.line, w.i+1), len(w.line))
	in := w.line[w.i+1 : end]
	if !w.h.stamp.OK {
		w.stampIn(in, w.i+1)
	} else if w.h.level == LevelNone && w.words == 0 && len(in) <= level.MaxWord && ascii.Letters(in) == len(in) {
		w.h.level = level.Of(in).Level
	}
	w.i = min(end+1, len(w.b))
	w.prev = prevName
}

// facility reads Cisco's %FACILITY-SEVERITY-MNEMONIC.
func (w *walk) facility() {
	end := w.tokenEnd(w.i + 1)
	tok := w.b[w.i:end]
	w.i = end
	w.prev = prevName
	if len(tok) < 5 || !ascii.IsUpper(tok[1]) || w.h.level != LevelNone {
		return
	}
	for i := 2; i+2 < len(tok); i++ {
		if tok[i] == '-' && ascii.IsDigit(tok[i+1]) && tok[i+2] == '-' {
			w.h.level = level.Syslog(int(tok[i+1] - '0'))
			w.h.strong = true
			return
		}
	}
}

// heading steps over the signs of a heading.
func (w *walk) heading() {
	for w.i < len(w.b) && w.b[w.i] == '#' {
		w.i++
	}
	if w.next(w.i) == ' ' {
		w.prev, w.words = prevWord, w.words+1
	}
}
