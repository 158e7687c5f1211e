package slugify

import (
	"encoding/binary"
	"math"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plan is what one pass over a text needs to know of Options.
type plan struct {
	letters       *[256]byte // what a byte is written as, 0 for one that is not ASCII to write
	mask          entry      // lower-cases the letters of an entry
	slowPath      entry      // flags of the entries that the loop leaves to the method rune
	separator     byte       // is written between words
	width         int        // of the separator: 0 or 1
	breaks        byte       // the character of the text that is always a break, 0 for none
	limit         int        // of the result, in bytes
	language      *language
	preserve      string // runes outside ASCII to keep, in the order of Options
	unicode       bool   // keep letters, marks and digits of every script
	keepsNonASCII bool   // some runes outside ASCII are kept
}

var lowering, keeping = asciiTable(0x20), asciiTable(0)

func asciiTable(lower byte) *[256]byte {
	var t [256]byte
	for c := range byte(utf8.RuneSelf) {
		if isAlnum(rune(c)) {
			t[c] = c | lower
		}
	}
	return &t
}

// plan makes the plan of a single pass that writes the slug itself, for legal
// options that [Options.simple] reports.
func (o *Options) plan() plan {
	p := plan{
		letters: lowering, mask: 0x202020202020, slowPath: unsettled | long | named | contextual,
		separator: '-', width: 1, limit: math.MaxInt,
	}
	i, _ := indexOf(o.Language)
	p.language = languageOf(i)
	if o.KeepCase {
		p.letters, p.mask, p.slowPath = keeping, 0, p.slowPath|cased
	}
	if o.Separator != nil {
		p.width = len(*o.Separator)
		if p.width > 0 {
			p.separator = (*o.Separator)[0]
		}
	}
	if p.width > 0 {
		p.breaks = p.separator
	}
	if o.MaxLength > 0 {
		p.limit = o.MaxLength
	}
	return p
}

// isSlug reports that a text is a slug by the plan of a single pass.
func (p *plan) isSlug(text string) bool {
	if text == "" || len(text) > p.limit {
		return false
	}
	open := true // a separator may not stand here
	for i := range len(text) {
		c := text[i]
		switch {
		case p.letters[c] == c && c != 0:
			open = false
		case c == p.breaks && !open && c != 0:
			open = true
		default:
			return false
		}
	}
	return !open
}

// pass is the state of one pass over a text.
type pass struct {
	plan
	text    string
	out     []byte // to its capacity; the bytes before end are written
	start   int    // where the result begins in out
	end     int
	edge    int  // where the last separator stands, -1 before the first
	stop    int  // end may not go beyond
	pending bool // a break has been met since the last letter
	settled bool // the text is known to be in NFC
	full    bool // the limit is reached
}

// append writes the slug of a text behind dst.
func (p *plan) append(dst []byte, text string) []byte {
	w := pass{plan: *p, text: text, start: len(dst), end: len(dst), edge: -1, stop: math.MaxInt}
	if p.limit < math.MaxInt-len(dst) {
		w.stop = len(dst) + p.limit
	}
	w.out = slices.Grow(dst, min(len(text), p.limit))
	w.out = w.out[:cap(w.out)]
	w.run()
	return w.out[:w.end]
}

// run takes the text from its beginning to its end or to the limit. What is
// frequent it does by itself, with the state in variables; the rest is done by
// rune.
func (w *pass) run() {
	text, letters, out, end, pending := w.text, w.letters, w.out, w.end, w.pending
	for i := 0; i < len(text); {
		c := text[i]
		if letter := letters[c]; letter != 0 {
			if pending && end < w.stop {
				w.edge = end
				out[end] = w.separator
				end += w.width
				pending = false
			}
			if end >= w.stop {
				w.end, w.pending = end, pending
				w.cut()
				return
			}
			out[end] = letter
			end++
			i++
			continue
		}
		if c < utf8.RuneSelf && (c != '&' && c != '@' || c == w.breaks) {
			if c != '\'' || c == w.breaks {
				pending = end > w.start
			}
			i++
			continue
		}
		e, size := w.look(text[i:])
		if e&w.slowPath != 0 || w.keepsNonASCII || end+entryRoom > w.stop || end+entryRoom+len(text)-i > len(out) {
			w.end, w.pending = end, pending
			i = w.rune(i, e, size)
			if w.full {
				return
			}
			text, out, end, pending = w.text, w.out, w.end, w.pending
			continue
		}
		if e&breakBefore != 0 {
			pending = end > w.start
		}
		if n := e.length(); n > 0 {
			if pending {
				w.edge = end
				out[end] = w.separator
				end += w.width
				pending = false
			}
			binary.LittleEndian.PutUint64(out[end:], uint64(e|w.mask))
			end += n
		}
		if e&breakAfter != 0 {
			pending = end > w.start
		}
		i += size
	}
	w.end = end
}

// entryRoom is what the letters of an entry take at most, with the separator
// before them and the two bytes that are written behind them.
const entryRoom = 9

// look returns the entry of the rune that a text begins with, and its size.
func (w *pass) look(text string) (entry, int) {
	if c := text[0]; c < utf8.RuneSelf {
		return named | entry(c), 1
	}
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError {
		return breakAfter, size
	}
	return w.language.page(r >> 8).entries[r&0xff], size
}

// cut ends a result that what comes next would make too long: after the last
// whole word, or where it is when it has none.
func (w *pass) cut() {
	w.full = true
	w.end = w.back()
}

// back is where a result is cut when what is written next does not fit.
func (w *pass) back() int {
	if !w.pending && w.edge >= 0 {
		return w.edge
	}
	return w.end
}

// rune takes the rune at i, of which e and size are known, and returns where
// the next one is: at the beginning when it has put the text into NFC.
func (w *pass) rune(i int, e entry, size int) int {
	if e&unsettled != 0 && w.settle() {
		return 0
	}
	n := 0
	if e&contextual != 0 && !w.unicode {
		n = w.writeContext(i)
	}
	if n > 0 {
		size = n
	} else if r, _ := utf8.DecodeRuneInString(w.text[i:]); w.keepsNonASCII && w.keeps(r) {
		w.write([]byte(w.text[i:i+size]), len(w.text)-i-size, asKept)
	} else {
		w.spell(e, i, size)
	}
	// What did not fit may, joined to a mark that follows.
	if w.full && i+size < len(w.text) {
		if next, _ := w.look(w.text[i+size:]); next&unsettled != 0 && w.settle() {
			return 0
		}
	}
	return i + size
}

func (w *pass) separate() {
	w.pending = false
	w.edge = w.end
	w.out[w.end] = w.separator
	w.end += w.width
}

// room makes sure that n bytes fit, and behind them the rest of the text.
func (w *pass) room(n, rest int) {
	if n+min(rest, w.stop-w.end) <= len(w.out)-w.end {
		return
	}
	w.out = slices.Grow(w.out[:w.end], n+2*min(rest, w.stop-w.end))
	w.out = w.out[:cap(w.out)]
}

// settle puts the text into NFC. When that changes it, the pass begins anew.
func (w *pass) settle() bool {
	if w.settled || norm.NFC.IsNormalString(w.text) {
		w.settled = true
		return false
	}
	w.settled, w.text = true, norm.NFC.String(w.text)
	w.end, w.edge, w.pending, w.full = w.start, -1, false, false
	w.room(0, len(w.text))
	return true
}

// name writes what the language says for & or @, as words of their own, or a
// break where it says nothing.
func (w *pass) name(c byte, rest int) {
	words := w.language.and
	if c == '@' {
		words = w.language.at
	}
	w.pending = w.end > w.start
	w.write(words, rest, asLower)
	w.pending = w.end > w.start
}

// raw is an entry's letters, with room for its two other bytes.
type raw [8]byte

// spell writes the entry of the rune at i.
func (w *pass) spell(e entry, i, size int) {
	var letters raw
	binary.LittleEndian.PutUint64(letters[:], uint64(e))
	rest := len(w.text) - i - size
	if e&named != 0 {
		w.name(letters[0], rest)
		return
	}
	words := letters[:e.length()]
	if e&long != 0 {
		r, _ := utf8.DecodeRuneInString(w.text[i:])
		words = w.language.page(r >> 8).long[e&0xffff]
	}
	form := asLower
	if w.mask == 0 {
		form = asKept
		if e&cased != 0 {
			form = formOf(w.text, i, size)
		}
	}
	if e&breakBefore != 0 {
		w.pending = w.end > w.start
	}
	w.write(words, rest, form)
	if e&breakAfter != 0 {
		w.pending = w.end > w.start
	}
}

// write writes words that spaces separate, or nothing when they do not fit.
func (w *pass) write(words []byte, rest int, form form) {
	if len(words) == 0 {
		return
	}
	w.room(len(words)+2, rest) // with a separator on either side
	back := w.back()
	for i, c := range words {
		if c == ' ' {
			w.pending = true
			continue
		}
		if w.pending {
			w.separate()
		}
		w.out[w.end] = form.apply(c, i == 0)
		w.end++
	}
	if w.end > w.stop {
		w.full, w.end = true, back
	}
}
