package slugify

import (
	"encoding/binary"
	"math"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plan holds what a pass over a text needs from [Options].
type plan struct {
	letter        *[256]byte // the output for each ASCII byte to keep, 0 for all other bytes
	mask          entry      // ORed to an entry, lower-cases its letters
	slowPath      entry      // flags of entries that letters leaves to the method rune
	separator     byte       // written between words
	width         int        // length of the separator: 0 or 1
	breaks        byte       // the input byte that is always a break, 0 for none
	limit         int        // maximum length of the result, in bytes
	language      *language
	preserve      string // non-ASCII runes to keep, in the order of Options
	unicode       bool   // keep letters, marks and digits of every script
	keepsNonASCII bool   // some non-ASCII runes are kept
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

// plan returns the plan of a single pass that writes the slug itself. The
// options must be valid and satisfy [Options.singlePass].
func (o *Options) plan() plan {
	p := plan{
		letter: lowering, mask: 0x202020202020, slowPath: unsettled | long | named | contextual,
		separator: '-', width: 1, limit: math.MaxInt,
	}
	t, _ := languageTable(o.Language)
	p.language = t.language()
	if o.KeepCase {
		p.letter, p.mask, p.slowPath = keeping, 0, p.slowPath|cased
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

// isSlug reports whether text is already a slug under a single-pass plan.
func (p *plan) isSlug(text string) bool {
	if text == "" || len(text) > p.limit {
		return false
	}
	open := true // no separator is allowed here
	for i := range len(text) {
		c := text[i]
		switch {
		case p.letter[c] == c && c != 0:
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
	out     []byte // extended to its capacity; only the bytes before end are written
	start   int    // where the result begins in out
	end     int
	edge    int  // offset of the last separator in out, -1 before the first
	stop    int  // upper bound of end
	pending bool // a break has occurred since the last letter
	settled int  // the text before this offset needs no further NFC check
	full    bool // the limit is reached
}

// append appends the slug of text to dst.
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

// run processes the text until its end or the limit. It leaves the common runes
// to ascii and letters, which keep the state in local variables, and the others
// to rune.
func (w *pass) run() {
	for i := 0; i < len(w.text) && !w.full; {
		i = w.ascii(i)
		switch {
		case i == len(w.text) || w.full:
		case w.text[i] < utf8.RuneSelf:
			i = w.rune(i)
		default:
			i = w.letters(i)
		}
	}
}

// ascii processes ASCII bytes from offset i. It returns the offset at which it
// stops: at a non-ASCII byte, a & or @ to be named, the limit, or the end.
func (w *pass) ascii(i int) int {
	text, ascii, out, end, pending := w.text, w.letter, w.out, w.end, w.pending
	for ; i < len(text); i++ {
		c := text[i]
		if letter := ascii[c]; letter != 0 {
			if pending && end < w.stop {
				w.edge = end
				out[end] = w.separator
				end += w.width
				pending = false
			}
			if end >= w.stop {
				w.full = true
				break
			}
			out[end] = letter
			end++
			continue
		}
		if c >= utf8.RuneSelf || (c == '&' || c == '@') && c != w.breaks {
			break
		}
		if c != '\'' || c == w.breaks {
			pending = end > w.start
		}
	}
	w.end, w.pending = end, pending
	if w.full {
		w.end = w.back()
	}
	return i
}

// letters processes letters and signs of two or three bytes, and the spaces
// between them, from offset i, as long as their entries alone determine the
// output. It passes the non-ASCII rune that stops it to the method rune, and
// returns the offset of the next rune.
func (w *pass) letters(i int) int {
	text := w.text[:w.reach(i)]
	out, end, pending := w.out, w.end, w.pending
	number, page, before := rune(-1), (*page)(nil), combining // the preceding rune may be a mark
	for i+2 < len(text) {
		if text[i] == ' ' {
			pending = end > w.start
			i++
			continue
		}
		r, size := decode(text[i], text[i+1], text[i+2])
		if size == 0 {
			break
		}
		if r>>8 != number {
			number, page = r>>8, w.language.page(r>>8)
		}
		e := page.entries[byte(r)]
		if e&w.slowPath != 0 || before&e&combining != 0 {
			break
		}
		if e&breakBefore != 0 {
			pending = end > w.start
		}
		n := e.length()
		if pending && n > 0 {
			w.edge = end
			out[end] = w.separator
			end += w.width
			pending = false
		}
		binary.LittleEndian.PutUint64(out[end:], uint64(e|w.mask))
		end += n
		if e&breakAfter != 0 {
			pending = end > w.start
		}
		i, before = i+size, e
	}
	w.end, w.pending = end, pending
	if i == len(w.text) || w.text[i] < utf8.RuneSelf {
		return i
	}
	return w.rune(i)
}

// reach returns the offset up to which letters may process the text from i, and
// makes room for the output. It assumes that a rune has two bytes and writes
// eight, enough for a separator and an entry.
func (w *pass) reach(i int) int {
	if w.keepsNonASCII {
		return i
	}
	rest := len(w.text) - i
	if len(w.out)-w.end-rest < 8*entryRoom {
		w.room(8*entryRoom, rest)
	}
	limit := w.stop - w.end
	room := min(limit, len(w.out)-w.end-min(rest, limit)) - entryRoom
	return i + min(rest, max(room, 0)/4)
}

// entryRoom is the most bytes that writing an entry touches: the separator
// before it, six letters, and the two bytes of the entry after them.
const entryRoom = 9

// decode returns the rune of two or three bytes that a, b and c begin with, and
// its size, or the size 0 if there is none. It accepts surrogates: they are a
// break, as the invalid bytes that encode them are. Inlining it halves the time
// of a slug (BenchmarkSlugRatio in internal/bench).
func decode(a, b, c byte) (r rune, size int) {
	x := rune(a)<<16 | rune(b)<<8 | rune(c)
	switch {
	case x&0xe0c000 == 0xc08000 && x >= 0xc28000:
		return x>>10&0x07c0 | x>>8&0x3f, 2
	case x&0xf0c0c0 == 0xe08080 && x >= 0xe0a080:
		return x>>4&0xf000 | x>>2&0x0fc0 | x&0x3f, 3
	}
	return 0, 0
}

// back returns where to truncate the result if the next write does not fit.
func (w *pass) back() int {
	if !w.pending && w.edge >= 0 {
		return w.edge
	}
	return w.end
}

// rune processes the rune at offset i. It returns the offset of the next one,
// which is 0 after it has normalised the text to NFC.
func (w *pass) rune(i int) int {
	r, size := utf8.DecodeRuneInString(w.text[i:])
	e := w.language.page(r >> 8).entries[byte(r)]
	if w.unordered(i, e) && w.settle(i) {
		return 0
	}
	n := 0
	if e&contextual != 0 && !w.unicode {
		n = w.writeContext(i)
	}
	switch {
	case n > 0:
		size = n
	case w.keepsNonASCII && w.keeps(r):
		w.write([]byte(w.text[i:i+size]), len(w.text)-i-size, asKept)
	default:
		w.spell(e, i, size)
	}
	// A rune that did not fit may fit once NFC joins it to the mark after it.
	if w.full && i+size < len(w.text) && w.entryAt(i+size)&(unsettled|combining) != 0 && w.settle(i+size) {
		return 0
	}
	return i + size
}

// entryAt returns the entry of the rune at i.
func (w *pass) entryAt(i int) entry {
	r, _ := utf8.DecodeRuneInString(w.text[i:])
	return w.language.page(r >> 8).entries[byte(r)]
}

// unordered reports whether NFC may replace the rune at offset i, join it to
// the one before, or move it before that one.
func (w *pass) unordered(i int, e entry) bool {
	if e&combining == 0 {
		return e&unsettled != 0
	}
	before, _ := utf8.DecodeLastRuneInString(w.text[:i])
	mark, _ := utf8.DecodeRuneInString(w.text[i:])
	beforePage := w.language.page(before >> 8)
	if e&unsettled == 0 {
		return beforePage.classes[byte(before)] > w.language.page(mark >> 8).classes[byte(mark)]
	}
	return beforePage.entries[byte(before)]&(unsettled|combining) != 0 || joins(before, mark)
}

func (w *pass) separate() {
	w.pending = false
	w.edge = w.end
	w.out[w.end] = w.separator
	w.end += w.width
}

// room grows out to hold n more bytes, followed by rest bytes or as many of
// them as the limit allows.
func (w *pass) room(n, rest int) {
	if n+min(rest, w.stop-w.end) <= len(w.out)-w.end {
		return
	}
	w.out = slices.Grow(w.out[:w.end], n+2*min(rest, w.stop-w.end))
	w.out = w.out[:cap(w.out)]
}

// settle ensures that the text is in NFC around the mark at offset i. If it is
// not, settle normalises the whole text, restarts the pass and returns true.
func (w *pass) settle(i int) bool {
	if i < w.settled {
		return false
	}
	start, end := i, i
	for start > 0 && w.entryAt(start)&(unsettled|combining) != 0 {
		_, size := utf8.DecodeLastRuneInString(w.text[:start])
		start -= size
	}
	for end < len(w.text) && w.entryAt(end)&(unsettled|combining) != 0 {
		_, size := utf8.DecodeRuneInString(w.text[end:])
		end += size
	}
	if w.settled = end; norm.NFC.IsNormalString(w.text[start:end]) {
		return false
	}
	w.text = norm.NFC.String(w.text)
	w.settled = len(w.text)
	w.end, w.edge, w.pending, w.full = w.start, -1, false, false
	w.room(0, len(w.text))
	return true
}

// name writes the words of the language for & or @, separated from their
// neighbours, or a break if it has none.
func (w *pass) name(c byte, rest int) {
	words := w.language.and
	if c == '@' {
		words = w.language.at
	}
	w.pending = w.end > w.start
	w.write(words, rest, asLower)
	w.pending = w.end > w.start
}

// rawEntry is an entry as bytes: six letters, their number and the flags.
type rawEntry [8]byte

// spell writes e, the entry of the rune at offset i.
func (w *pass) spell(e entry, i, size int) {
	var letters rawEntry
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

// write writes words separated by spaces in its input, or nothing if they do
// not fit.
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
