package head

import (
	"bytes"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
)

// levelOf returns the level that a token states, and how many bytes of the
// token state it. The first n bytes of tok are letters.
func (w *walk) levelOf(tok []byte, n int) (level.Level, int) {
	switch len(tok) {
	case 1:
		return w.letter(tok[0]), n
	case n:
		return w.bare(tok, ascii.At(w.b, w.i+n)), n
	}
	switch name, c := bytes.TrimSuffix(tok, []byte(":")), tok[n]; {
	case c == ':' && ascii.At(tok, n+1) != ':':
		if l := w.bare(tok[:n], ':'); l != level.None {
			return l, n + 1
		}
		return w.exception(tok[:n]), len(tok)
	case c == '.', c == ':':
		if len(name) < len(tok) || w.i+len(tok) == len(w.b) || ascii.HasPrefix(w.b[w.i+len(tok):], " (") {
			return w.exception(name), len(tok)
		}
	case len(name) == n+1 && ascii.IsDigit(c) && (len(name) < len(tok) || ascii.IsCapitals(tok[:n])) && level.Of(tok[:n]).Level == level.Debug:
		return level.Debug, len(tok) // DEBUG1, as PostgreSQL and Slurm write it
	}
	return level.None, 0
}

// exception returns the level of a line that starts with the name of an
// exception.
func (w *walk) exception(name []byte) level.Level {
	if w.prev != prevNothing || w.h.Strong || !level.IsErrorName(name) {
		return level.None
	}
	w.h.Trace = Exception
	return level.Error
}

// bare returns the level of an isolated word that is followed by next.
func (w *walk) bare(word []byte, next byte) level.Level {
	m := level.Of(word)
	end := w.i + len(word)
	if m.Level == level.None || w.isDenied(end, m.Level) {
		return level.None
	}
	rest := w.b[end:]
	if ascii.HasPrefix(rest, " | ") || ascii.HasPrefix(rest, " : ") {
		next = rest[1]
	}
	w.stop = isListed(rest)
	return ascii.If(!w.stop && w.accepts(word, m, next), m.Level)
}

// isListed reports whether b continues the name of a level to a list of such
// names: ", INFO, WARN".
func isListed(b []byte) bool {
	other := bytes.TrimLeft(b, ",| ")
	n := ascii.Letters(other)
	return len(other) < len(b) && b[0] != ' ' && level.Of(other[:n]).Level != level.None && (n == len(other) || strings.IndexByte(",|", other[n]) >= 0)
}

// accepts reports whether the name of a level, which is at w.i and followed by
// next, states a level in its place.
func (w *walk) accepts(word []byte, m level.Meaning, next byte) bool {
	dated := w.h.Stamp.OK || w.h.Strong // a timestamp or a wrapper precedes the word
	inHead := w.prev != prevWord && w.words == 0
	rest := w.b[w.i+len(word):]
	switch {
	case w.prev == prevLevel, dated && ascii.HasSuffix(w.b[:w.i], "  ") && ascii.HasPrefix(rest, "  "):
		return true
	case ascii.IsCapitals(word):
		return w.acceptsCapitals(m, next, dated)
	case m.Level >= level.Warning && isCode(rest):
		w.h.Diagnosed = true
		return true
	case next == ':':
		return inHead || w.prev == prevColon && !m.Ambiguous
	}
	return w.dated && !m.Ambiguous && w.prev != prevColon && (inHead || w.words == 1 && ascii.HasPrefix(rest, "  "))
}

// acceptsCapitals is accepts for a word in capitals.
func (w *walk) acceptsCapitals(m level.Meaning, next byte, dated bool) bool {
	if m.Ambiguous {
		return w.prev != prevWord && (next == ':' || dated && w.words == 0)
	}
	return w.prev != prevWord || dated && !w.title
}

// isDenied reports whether the text at i denies what the word before it names, or
// counts it: "error: none", "Errors: 0".
func (w *walk) isDenied(i int, l level.Level) bool {
	value := bytes.TrimLeft(bytes.TrimPrefix(w.b[i:], []byte(":")), " ")
	n := ascii.Digits(value)
	c := ascii.At(value, n)
	return !w.dated && (n > 0 && (c == 0 || c == ',' || c == ')') || n == 0 && l >= level.Warning && level.Denies(value))
}

// isCode reports whether b continues like the message of a compiler: " CS0103:",
// " 26:", or " error:" after fatal.
func isCode(b []byte) bool {
	code, _, ok := bytes.Cut(bytes.TrimPrefix(b, []byte(" ")), []byte(":"))
	n := ascii.Letters(code)
	return ascii.HasPrefix(b, " error:") || ok && len(code) > n && ascii.Digits(code[n:]) == len(code)-n && ascii.IsCapitals(code[:n])
}

// letter returns the level of a single letter. A letter counts only after the
// timestamp and before a name, a number or a group.
func (w *walk) letter(c byte) level.Level {
	i := ascii.SkipSpace(w.b, w.i+1)
	next := ascii.At(w.b, i)
	if !w.h.Stamp.OK || w.words > 0 || strings.IndexByte("ACN", c) >= 0 && next != '|' {
		return level.None
	}
	named := ascii.IsDigit(next) || ascii.IsUpper(next) || strings.IndexByte("[|(-", next) >= 0 || bytes.IndexAny(w.b[i:w.tokenEnd(i)], ":.") > 0
	return ascii.If(named, level.Letter[c])
}
