package head

import (
	"bytes"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// group reads a group in brackets, and steps over it.
func (w *walk) group(open byte) {
	closer := open + 2 // as in ASCII, but for parentheses
	if open == '(' {
		closer = ')'
	}
	end := w.i + bytes.IndexByte(w.b[w.i:], closer)
	if end < w.i {
		w.i++
		w.prev = prevField
		return
	}
	start := ascii.SkipSpace(w.b, w.i+1)
	in := trimEnd(w.b[start:max(start, end)])
	w.i = end + 1
	w.prev = prevField
	if w.h.Stamp.Fullness() < 3 {
		in = w.stampIn(in, start)
	}
	if w.h.Level == level.None && (open != '(' || w.words == 0 || w.dated) {
		w.h.Level = levelIn(in, open)
		w.h.Emphatic = true
	}
}

// stampIn takes the timestamp at the start of a group or after its first word,
// and returns the rest of the group.
func (w *walk) stampIn(in []byte, at int) []byte {
	if n := w.stampAt(in, at); n > 0 {
		return bytes.TrimLeft(in[n:], " :,|-")
	}
	n := ascii.Letters(in)
	i := len(in) - len(bytes.TrimLeft(in[n:], " :"))
	if n > 0 && i > n && n <= level.MaxWord && w.stampAt(in[i:], at+i) > 0 {
		return in[:n]
	}
	return in
}

// stampAt takes the timestamp at the start of b, which is at offset at of the
// text, and returns its length.
func (w *walk) stampAt(b []byte, at int) int {
	var s stamp.Stamp
	n := stamp.Parse(b, &s)
	if n == 0 || ascii.HasPrefix(b, "00:00:") { // the elapsed time of a progress bar
		return 0
	}
	s.Shift(at)
	w.h.takeFuller(s)
	w.dated = true
	return n
}

// levelIn returns the level that a group states: its only word, in any case, or
// its first or last, in capitals.
func levelIn(in []byte, open byte) level.Level {
	n := ascii.Letters(in)
	switch {
	case n == 1 && len(in) == 1 && open == '[' && strings.IndexByte("ACN", in[0]) < 0:
		return level.Letter[in[0]]
	case n == len(in):
		return level.Of(in).Level
	case isListed(in[n:]):
		return level.None
	case n > 1 && ascii.IsCapitals(in[:n]) && strings.IndexByte(" :,/", in[n]) >= 0:
		if l := level.Of(in[:n]).Level; l != level.None {
			return l
		}
	}
	last := in[bytes.LastIndexAny(in, "/ ,")+1:]
	if ascii.IsCapitals(last) {
		return level.Of(last).Level
	}
	return level.None
}

// quote steps over quoted text, which may hold a timestamp or a level.
func (w *walk) quote() {
	end := min(stringEnd(w.line, w.i+1), len(w.line))
	in := w.line[w.i+1 : end]
	if !w.h.Stamp.OK {
		w.stampIn(in, w.i+1)
	} else if w.h.Level == level.None && w.words == 0 {
		w.h.Level = level.Of(in).Level
	}
	w.i = min(end+1, len(w.b))
	w.prev = prevName
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
		if slashes := i - len(bytes.TrimRight(b[:i], `\`)); slashes%2 == 0 {
			return i
		}
		i++
	}
	return len(b)
}
