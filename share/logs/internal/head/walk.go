package head

import (
	"bytes"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

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
	h     *Head
	prev  prevToken
	words int  // plain words so far
	title bool // the last of them is capitalized, as in titles and sentences
	dated bool // the text itself has a timestamp, not only its wrapper
	pairs bool
	stop  bool
}

// maxHeadTokens is the number of tokens of a head.
const maxHeadTokens = 28

// readText reads any line, token by token.
func readText(b []byte, h *Head) {
	w := walk{line: b, b: b[:min(len(b), MaxLen)], h: h}
	for range maxHeadTokens {
		w.i = ascii.SkipSpace(w.b, w.i)
		if w.stop || w.i >= len(w.b) || h.Level != level.None && h.Stamp.OK {
			break
		}
		w.token()
		if h.Message == 0 && h.Level != level.None {
			h.Message = h.At + w.i
		}
	}
	h.Strong = h.Strong || w.dated
}

func (w *walk) token() {
	switch c := w.b[w.i]; {
	case ascii.IsDigit(c):
		if !w.takeStamp() {
			w.skip()
		}
	case ascii.IsLetter(c):
		w.word()
	case c == '[' || c == '<' || c == '(' || c == '{':
		w.group(c)
	case c == '"':
		w.quote()
	case separators.Has(c):
		w.i++
		if w.prev != prevNothing && w.prev != prevStamp {
			w.prev = prevField
		}
	default:
		w.stop = w.i == 0 && (ascii.HasPrefix(w.b, "+ ") || ascii.HasPrefix(bytes.TrimLeft(w.b, "#"), " ")) // a command that a shell echoes, a heading
		w.skip()
	}
}

// skip steps over a token that is no word.
func (w *walk) skip() {
	w.i, w.prev = w.tokenEnd(w.i+1), prevName
	if w.b[w.i-1] == ':' {
		w.prev = prevColon
	}
}

var (
	tokenEnds  = ascii.SetOf(" \t[]()<>|{}\",;")
	nameEnds   = ascii.SetOf(",|;\t[(")
	separators = ascii.SetOf("|-:,;*=")
)

// tokenEnd returns the end of the token that contains i.
func (w *walk) tokenEnd(i int) int {
	for i < len(w.b) && !tokenEnds.Has(w.b[i]) {
		i++
	}
	return i
}

// takeStamp reads a timestamp that says more than the one already found.
func (w *walk) takeStamp() bool {
	var s stamp.Stamp
	n := stamp.Parse(w.b[w.i:], &s)
	if n == 0 || w.h.Stamp.HasDate() || s.Epoch && w.prev != prevNothing || s.Fullness() == 1 && w.prev == prevWord {
		return false
	}
	w.h.takeFuller(s, w.i)
	w.i, w.prev, w.dated = w.i+n, prevStamp, true
	return true
}

// word reads a token that starts with a letter.
func (w *walk) word() {
	b := w.b[w.i:]
	if ascii.IsUpper(b[0]) && (stamp.Month(b) > 0 || stamp.Weekday(b) > 0) && w.takeStamp() {
		return
	}
	n := ascii.Letters(b)
	end := w.tokenEnd(w.i + n)
	tok := w.b[w.i:end]
	if w.h.Level == level.None {
		if w.stop = w.dated && level.Detail.Find(tok) != nil; w.stop {
			w.h.Continues = true
			return
		}
		if l, used := w.levelOf(tok, n); l != level.None {
			w.h.Level, w.h.Emphatic = l, ascii.IsUpper(tok[n-1])
			w.i, w.prev = w.i+used, prevField
			return
		}
		if !w.pairs && n < len(tok) && pairKey(tok) > 0 && w.readPairs() {
			return
		}
	}
	w.i = end
	w.passWord(tok, n)
}

// passWord records the kind of a token, and stops where a sentence begins.
func (w *walk) passWord(tok []byte, n int) {
	switch next := ascii.At(w.b, w.i); {
	case n+1 == len(tok) && tok[n] == ':' && KeyOf(tok[:n])&keyLevel != 0:
		w.prev = prevLevel
	case tok[len(tok)-1] == ':':
		w.prev = prevColon
	case n < len(tok) || nameEnds.Has(next):
		w.prev = prevName
	case w.prev == prevColon && !ascii.IsCapitals(tok):
		w.stop = true
	case w.prev == prevStamp && n < 6 && ascii.IsCapitals(tok): // a zone
		w.prev = prevField
	default:
		w.title = ascii.IsUpper(tok[0]) && !ascii.IsCapitals(tok)
		w.words, w.prev, w.stop = w.words+1, prevWord, w.words > 1
	}
}

// readPairs reads the rest of the line as logfmt.
func (w *walk) readPairs() bool {
	w.pairs = true
	pairs := logfmt(w.line[w.i:], w.i, w.h)
	if w.h.Level == level.None && (w.prev != prevNothing || pairs < 3) {
		return false
	}
	if w.prev == prevNothing {
		w.h.Format = formatLogfmt
	}
	w.h.Strong, w.stop = true, true
	return true
}

// group reads a group in brackets, and steps over it.
func (w *walk) group(open byte) {
	end := w.i + bytes.IndexByte(w.b[w.i:], ")]}>"[strings.IndexByte("([{<", open)])
	start := ascii.SkipSpace(w.b, w.i+1)
	in := trimEnd(w.b[start:max(start, end)])
	w.i, w.prev = max(w.i, end)+1, prevField
	if !w.h.Stamp.HasDate() {
		in = w.stampIn(in, start)
	}
	if w.h.Level == level.None && (open != '(' || w.words == 0 || w.dated) {
		w.h.Level, w.h.Emphatic = levelIn(in, open), true
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
	w.h.takeFuller(s, at)
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
	case n == len(in), ascii.HasPrefix(in[n:], "||"):
		return level.Of(in[:n]).Level
	case isListed(in[n:]):
		return level.None
	case n > 1 && ascii.IsCapitals(in[:n]) && strings.IndexByte(" :,/", in[n]) >= 0 && level.Of(in[:n]).Level != level.None:
		return level.Of(in[:n]).Level
	}
	last := in[bytes.LastIndexAny(in, "/ ,")+1:]
	return ascii.If(ascii.IsCapitals(last), level.Of(last).Level)
}

// quote steps over quoted text, which may hold a timestamp or a level.
func (w *walk) quote() {
	end := stringEnd(w.line, w.i+1)
	if in := w.line[w.i+1 : end]; !w.h.Stamp.OK {
		w.stampIn(in, w.i+1)
	} else if w.h.Level == level.None && w.words == 0 {
		w.h.Level = level.Of(in).Level
	}
	w.i, w.prev = min(end+1, len(w.b)), prevName
}
