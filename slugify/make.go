package slugify

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plan is Options made ready for the pass over the text.
type plan struct {
	letters   *[256]byte // what an ASCII letter or digit becomes, 0 for all else
	mask      entry      // lower-cases the letters of an entry
	cold      entry      // flags that take an entry out of the fast path
	separator byte
	width     int // of the separator: 0 or 1
	limit     int // of the result, in bytes
	language  *language
}

var lowering, keeping = asciiTable(0x20), asciiTable(0)

func asciiTable(lower byte) *[256]byte {
	var t [256]byte
	for c := range byte(0x80) {
		if isAlnum(rune(c)) {
			t[c] = c | lower
		}
	}
	return &t
}

func (o *Options) plan() plan {
	p := plan{letters: lowering, mask: 0x202020202020, cold: unsettled | long, separator: '-', width: 1, limit: math.MaxInt}
	if o.KeepCase {
		p.letters, p.mask, p.cold = keeping, 0, unsettled|long|cased
	}
	if o.Separator != nil {
		p.width = 0
		if *o.Separator != "" {
			p.separator, p.width = (*o.Separator)[0], 1
		}
	}
	if o.MaxLength > 0 {
		p.limit = o.MaxLength
	}
	p.language = languageOf(o.Language)
	return p
}

// pass is the state of one pass over a text.
type pass struct {
	*plan
	text    string
	out     []byte // all of its capacity; the first end bytes are written
	start   int    // where the result begins in out
	end     int
	edge    int  // where the last separator stands, -1 before the first
	pending bool // a break has been met since the last letter
	settled bool // the text is known to be in NFC
	full    bool // the limit has been met
}

// append writes the slug of a text behind dst.
func (p *plan) append(dst []byte, text string) []byte {
	w := pass{plan: p, text: text, start: len(dst), end: len(dst), edge: -1}
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
		if size == 0 { // normalised: from the beginning
			i, w.end, w.edge, w.pending = 0, w.start, -1, false
			continue
		}
		i += size
	}
}

// ascii takes a run of ASCII and returns where it ends.
func (w *pass) ascii(i int) int {
	text, out, end := w.text, w.out, w.end
	letters := w.letters
	for i < len(text) {
		c := text[i]
		letter := letters[c]
		if letter == 0 {
			if c >= utf8.RuneSelf {
				break
			}
			i++
			if c == '\'' && !w.separates(c) {
				continue
			}
			w.end = end
			if (c == '&' || c == '@') && !w.separates(c) {
				w.word(c, len(text)-i)
				if w.full {
					return i
				}
				out, end = w.out, w.end
			}
			w.pending = end > w.start
			continue
		}
		before := end
		if w.pending {
			w.pending = false
			if end+w.width-w.start >= w.limit {
				w.full = true
				w.end = before
				return i
			}
			w.edge = end
			out[end] = w.separator
			end += w.width
		}
		if end-w.start >= w.limit {
			w.end = end
			w.cut(before)
			return i
		}
		out[end] = letter
		end++
		i++
	}
	w.end = end
	return i
}

func (w *pass) separates(c byte) bool { return w.width == 1 && c == w.separator }

// cut ends a result that the next letters would make too long: before the word
// that they belong to, or before them when it is the first.
func (w *pass) cut(before int) {
	w.full = true
	w.end = before
	if w.edge >= 0 {
		w.end = w.edge
	}
}

// word writes what the language says for & or @, as words of their own.
func (w *pass) word(c byte, rest int) {
	words := w.language.words[0]
	if c == '@' {
		words = w.language.words[1]
	}
	w.pending = w.end > w.start
	w.write(string(words), rest)
}

// write writes a run of words behind a pending break. rest is the number of
// bytes of text that are still to come, for which room is left.
func (w *pass) write(words string, rest int) {
	before := w.end
	w.room(len(words)+1, rest)
	for i := range len(words) {
		if words[i] == ' ' {
			w.pending = true
			continue
		}
		if w.pending {
			w.pending = false
			w.edge = w.end
			w.out[w.end] = w.separator
			w.end += w.width
		}
		w.out[w.end] = words[i]
		w.end++
	}
	if w.end-w.start > w.limit {
		w.cutWords(before)
	}
}

// cutWords cuts a result that became too long by what was written from before on.
func (w *pass) cutWords(before int) {
	w.full = true
	if w.edge >= 0 && w.edge <= before {
		w.end = w.edge
		return
	}
	w.end = before
}

// room makes sure that n bytes and rest more fit.
func (w *pass) room(n, rest int) {
	if w.end+n+rest <= len(w.out) {
		return
	}
	w.out = slices.Grow(w.out[:w.end], n+2*rest)
	w.out = w.out[:cap(w.out)]
}

// rune takes the rune at i and returns its size, or 0 when it has put the text
// into NFC and the pass has to begin anew.
func (w *pass) rune(i int) int {
	r, size := utf8.DecodeRuneInString(w.text[i:])
	if r == utf8.RuneError {
		w.pending = w.end > w.start
		return size
	}
	page := w.language.page(r >> 8)
	e := page.entries[r&0xff]
	rest := len(w.text) - i - size
	if e&w.cold != 0 {
		if e&unsettled != 0 && w.normalise() {
			return 0
		}
		w.spell(page, e, i, size)
		return size
	}
	if e&breakBefore != 0 {
		w.pending = w.end > w.start
	}
	if n := e.length(); n > 0 {
		before := w.end
		w.room(9, rest)
		if w.pending {
			w.pending = false
			w.edge = w.end
			w.out[w.end] = w.separator
			w.end += w.width
		}
		binary.LittleEndian.PutUint64(w.out[w.end:], uint64(e|w.mask))
		w.end += n
		if w.end-w.start > w.limit {
			w.cutWords(before)
			return size
		}
	}
	if e&breakAfter != 0 {
		w.pending = w.end > w.start
	}
	return size
}

// normalise puts the text into NFC and reports whether that changed it.
func (w *pass) normalise() bool {
	if w.settled {
		return false
	}
	w.settled = true
	if norm.NFC.IsNormalString(w.text) {
		return false
	}
	w.text = norm.NFC.String(w.text)
	return true
}

// spell writes an entry that is long or has a case to choose.
func (w *pass) spell(page *page, e entry, i, size int) {
	if e&breakBefore != 0 {
		w.pending = w.end > w.start
	}
	var s string
	if e&long != 0 {
		s = page.long[e&0xffff]
	} else {
		var raw [8]byte
		binary.LittleEndian.PutUint64(raw[:], uint64(e))
		s = string(raw[:e.length()])
	}
	switch {
	case w.mask != 0:
		s = strings.ToLower(s)
	case e&cased != 0:
		s = followCase(s, w.text, i, size)
	}
	if s != "" {
		w.write(s, len(w.text)-i-size)
	}
	if !w.full && e&breakAfter != 0 {
		w.pending = w.end > w.start
	}
}
