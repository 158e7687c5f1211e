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
	letters   *[256]byte // what a byte is written as, 0 for one that is not ASCII to write
	mask      entry      // lower-cases the letters of an entry
	cold      entry      // flags that take an entry out of the fast path
	separator byte       // is written between words
	width     int        // of the separator: 0 or 1
	breaks    byte       // the character of the text that is always a break, 0 for none
	limit     int        // of the result, in bytes
	language  *language
	preserve  string // runes outside ASCII to keep, in the order of Options
	unicode   bool   // keep letters, marks and digits of every script
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

// plan makes the plan of a single pass that writes the slug itself, for
// options that [Options.simple] reports.
func (o *Options) plan() plan {
	p := plan{
		letters: lowering, mask: 0x202020202020, cold: unsettled | long | named,
		separator: '-', width: 1, limit: math.MaxInt, language: languageOf(o.Language),
	}
	if o.KeepCase {
		p.letters, p.mask, p.cold = keeping, 0, p.cold|cased
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

// pass is the state of one pass over a text.
type pass struct {
	*plan
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
	w := pass{plan: p, text: text, start: len(dst), end: len(dst), edge: -1, stop: math.MaxInt}
	if p.limit < math.MaxInt-len(dst) {
		w.stop = len(dst) + p.limit
	}
	w.out = slices.Grow(dst, min(len(text), p.limit))
	w.out = w.out[:cap(w.out)]
	w.run()
	return w.out[:w.end]
}

func (w *pass) run() {
	for i := 0; i < len(w.text) && !w.full; {
		if w.text[i] < utf8.RuneSelf {
			i = w.ascii(i)
			continue
		}
		size := w.rune(i)
		if size == 0 {
			i, w.end, w.edge, w.pending = 0, w.start, -1, false
			continue
		}
		i += size
	}
}

// ascii takes the ASCII that begins at i and returns where it ends.
func (w *pass) ascii(i int) int {
	text, letters, out, end, pending := w.text, w.letters, w.out, w.end, w.pending
	for ; i < len(text); i++ {
		c := text[i]
		letter := letters[c]
		if letter == 0 {
			if c >= utf8.RuneSelf {
				break
			}
			if c == '\'' && c != w.breaks {
				continue
			}
			pending = end > w.start
			if (c == '&' || c == '@') && c != w.breaks {
				w.end = end
				w.name(c, len(text)-i-1)
				if w.full {
					return i
				}
				out, end, pending = w.out, w.end, true
			}
			continue
		}
		need := 1
		if pending {
			need += w.width
		}
		if end > w.stop-need {
			w.end, w.pending = end, pending
			w.cut()
			return i
		}
		if pending {
			pending = false
			w.edge = end
			out[end] = w.separator
			end += w.width
		}
		out[end] = letter
		end++
	}
	w.end, w.pending = end, pending
	return i
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

// rune takes the rune at i and returns its size, or 0 when it has put the text
// into NFC, so that the pass has to begin anew.
func (w *pass) rune(i int) int {
	r, size := utf8.DecodeRuneInString(w.text[i:])
	if r == utf8.RuneError {
		w.pending = w.end > w.start
		return size
	}
	page := w.language.page(r >> 8)
	e := page.entries[r&0xff]
	if e&unsettled != 0 && !w.settled && w.settle() {
		return 0
	}
	rest := len(w.text) - i - size
	switch {
	case w.keeps(r):
		w.write([]byte(w.text[i:i+size]), rest, asKept)
	case e&w.cold != 0:
		w.spell(page, e, i, size)
	default:
		w.enter(e, rest)
	}
	return size
}

// enter writes an entry that has nothing special.
func (w *pass) enter(e entry, rest int) {
	if e&breakBefore != 0 {
		w.pending = w.end > w.start
	}
	if n := e.length(); n > 0 {
		w.room(len(raw{})+1, rest)
		back := w.back()
		if w.pending {
			w.separate()
		}
		binary.LittleEndian.PutUint64(w.out[w.end:], uint64(e|w.mask))
		w.end += n
		if w.end > w.stop {
			w.full, w.end = true, back
			return
		}
	}
	if e&breakAfter != 0 {
		w.pending = w.end > w.start
	}
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

// settle puts the text into NFC and reports whether that changed it.
func (w *pass) settle() bool {
	w.settled = true
	if norm.NFC.IsNormalString(w.text) {
		return false
	}
	w.text = norm.NFC.String(w.text)
	return true
}

// name writes what the language says for & or @, as words of their own.
func (w *pass) name(c byte, rest int) {
	words := w.language.and
	if c == '@' {
		words = w.language.at
	}
	w.pending = w.end > w.start
	w.write(words, rest, asLower)
	w.pending = true
}

// raw is an entry's letters, with room for its two other bytes.
type raw [8]byte

// spell writes an entry that the fast path does not.
func (w *pass) spell(page *page, e entry, i, size int) {
	var letters raw
	binary.LittleEndian.PutUint64(letters[:], uint64(e))
	rest := len(w.text) - i - size
	if e&named != 0 {
		w.name(letters[0], rest)
		return
	}
	words := letters[:e.length()]
	if e&long != 0 {
		words = page.long[e&0xffff]
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
	w.room(len(words)+1, rest)
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
