package slugify

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// speller spells the letters of a text in ASCII and joins its words. It is what
// [Options] say about single letters; a composer does the rest.
type speller struct {
	ascii     *[utf8.RuneSelf]byte // the output for each ASCII byte to keep, 0 for all others
	keepCase  bool
	separator string // written between words
	breaks    byte   // the input byte that always separates words; 0 for none
	limit     int    // maximum length of the result, in bytes
	language  *language
	preserve  string // runes outside ASCII to keep
	unicode   bool   // keep letters, marks and digits of every script
	keepsMore bool   // unicode is set, or preserve is not empty
	isPlain   bool   // the spelling of a letter depends on nothing but the letter
}

var lowerCase, bothCases = asciiTable(0x20), asciiTable(0)

func asciiTable(lower byte) *[utf8.RuneSelf]byte {
	var t [utf8.RuneSelf]byte
	for c := range byte(utf8.RuneSelf) {
		if isAlnum(rune(c)) {
			t[c] = c | lower
		}
	}
	return &t
}

// set makes a zero speller write the slug itself. The options must be valid and
// satisfy [Options.singlePass].
func (s *speller) set(o *Options) {
	s.ascii, s.keepCase, s.separator, s.limit = lowerCase, o.KeepCase, o.separator(), math.MaxInt
	s.language, _ = languageOf(o.Language)
	if o.KeepCase {
		s.ascii = bothCases
	}
	if s.separator != "" {
		s.breaks = s.separator[0]
	}
	if o.MaxLength > 0 {
		s.limit = o.MaxLength
	}
	s.isPlain = !o.KeepCase && len(s.language.own)+len(s.language.contexts) == 0
}

// isSlug reports whether text is already a slug in ASCII.
func (s *speller) isSlug(text string) bool {
	if text == "" || len(text) > s.limit {
		return false
	}
	inWord := false
	for i := range len(text) {
		c := text[i]
		switch {
		case c == 0 || c >= utf8.RuneSelf:
			return false
		case s.ascii[c] == c:
			inWord = true
		case c == s.breaks && inWord:
			inWord = false
		default:
			return false
		}
	}
	return inWord
}

// writer writes the slug of a text, rune by rune.
type writer struct {
	speller

	text    string
	out     []byte
	start   int  // where the slug begins in out
	stop    int  // the maximum length of out
	pending bool // a separator is due before the next letter
	edge    int  // where the last separator begins in out; -1 if there is none
	full    bool // the limit is reached
}

// append appends the slug of text to dst.
func (s *speller) append(dst []byte, text string) []byte {
	w := writer{speller: *s, text: text, out: dst, start: len(dst), stop: math.MaxInt, edge: -1}
	if s.limit < math.MaxInt-len(dst) {
		w.stop = len(dst) + s.limit
	}
	if !w.run(false) {
		w.text, w.out, w.pending, w.edge, w.full = norm.NFC.String(text), w.out[:w.start], false, -1, false
		w.run(true)
	}
	return w.out
}

// run writes the slug, and reports whether it could: it stops at the first rune
// that NFC changes, unless the text is known to be in NFC.
func (w *writer) run(isNFC bool) bool {
	var letters *block
	number := rune(-1)         // of the block
	class, next := uint8(0), 0 // the combining class that the text before i ends with; the offset up to which a context was read
	for i, r := range w.text {
		switch {
		case i < next:
		case r < utf8.RuneSelf:
			if w.full {
				return true
			}
			if letter := w.ascii[r]; letter != 0 {
				w.writeLetter(letter)
			} else {
				w.writeSign(byte(r))
			}
			class = 0
		default:
			if r>>8 != number {
				number, letters = r>>8, blockOf(r>>8)
			}
			l := &letters[byte(r)]
			isChanged := l.isMovedAfter(class) || (l.changes || l.joins) && l.isChangedAfter(w.text[:i], r, class)
			if isChanged && !isNFC {
				return false
			}
			if w.full { // only now: a letter may fit once NFC joins it to a mark
				return true
			}
			if w.isPlain && l.isWord {
				w.writeWord(l.lower)
			} else {
				next = i + w.writeRune(i, r, &l.spelling)
			}
			class = l.last
		}
	}
	return true
}

func (w *writer) writeLetter(c byte) {
	if w.pending {
		w.separate()
	}
	w.out = append(w.out, c)
	if len(w.out) > w.stop {
		w.cut(len(w.out)-1, false)
	}
}

// writeSign writes the word for a sign in ASCII, or ends a word.
func (w *writer) writeSign(c byte) {
	switch {
	case c == w.breaks:
		w.space()
	case c == '&':
		w.write(w.language.and)
	case c == '@':
		w.write(w.language.at)
	case c != '\'':
		w.space()
	}
}

// writeRune writes the rune outside ASCII at offset i, which has the spelling s
// unless the language has another, or the letters that a context spells
// together, whose length in bytes it returns.
func (w *writer) writeRune(i int, r rune, s *spelling) (length int) {
	if w.keepsMore && w.keeps(r) {
		w.writeWord(string(r))
		return 0
	}
	if w.language.contexts != nil && !w.unicode {
		if rule, n := w.language.contextAt(w.text, i); n > 0 {
			form := strings.ToLower
			if w.keepCase {
				form = contextForm(w.text, i, n)
			}
			w.write(form(rule.spelling))
			return n
		}
	}
	if len(w.language.own) > 0 {
		if own, ok := w.language.own[r]; ok {
			s = own
		}
	}
	switch {
	case s.kept == "&":
		w.write(w.language.and)
	case s.kept == "@":
		w.write(w.language.at)
	case !w.keepCase:
		w.write(s.lower)
	case len(s.kept) > 1 && caseOf(r) != none:
		w.write(formOf(w.text, i, utf8.RuneLen(r), asKept)(s.kept))
	default:
		w.write(s.kept)
	}
	return 0
}

// writeWord writes a word or a part of one, or nothing if it does not fit. A
// call of memmove would take longer than the loop, and than the byte of a separator.
func (w *writer) writeWord(word string) {
	switch {
	case word == "":
		return
	case len(w.separator)+len(word) > w.stop-len(w.out):
		w.write(word)
		return
	case w.pending:
		w.separate()
	}
	for i := range len(word) {
		w.out = append(w.out, word[i])
	}
}

// write writes a spelling, in which spaces end words, or nothing if it does not
// fit.
func (w *writer) write(spelling string) {
	end, edge, isWordEnd := len(w.out), w.edge, w.pending || strings.HasPrefix(spelling, " ")
	for i := range len(spelling) {
		if spelling[i] == ' ' {
			w.space()
			continue
		}
		if w.pending {
			w.separate()
		}
		w.out = append(w.out, spelling[i])
	}
	if len(w.out) > w.stop {
		w.edge = edge
		w.cut(end, isWordEnd)
	}
}

// space ends a word.
func (w *writer) space() { w.pending = len(w.out) > w.start }

// separate writes the separator, which has at most one byte.
func (w *writer) separate() {
	w.pending, w.edge = false, len(w.out)
	if w.separator != "" {
		w.out = append(w.out, w.separator[0])
	}
}

// cut ends the slug at end if a word ends there, and otherwise after its last
// whole word; its first word is cut.
func (w *writer) cut(end int, isWordEnd bool) {
	w.full = true
	if !isWordEnd && w.edge >= 0 {
		end = w.edge
	}
	w.out = w.out[:end]
}

// maxMarks is the most marks that one letter keeps. No language needs as many;
// text made to overflow its line has hundreds. It is below 30, the number of
// marks after which NFC inserts a joiner.
const maxMarks = 16

// keeps reports whether r, a rune outside ASCII, is written unchanged.
func (w *writer) keeps(r rune) bool {
	return w.preserve != "" && strings.ContainsRune(w.preserve, r) ||
		w.unicode && (isLetterOrDigit(r) || isLetterMark(r) && w.takesMark())
}

// takesMark reports whether a mark written next would follow a letter or digit
// with fewer than maxMarks marks.
func (w *writer) takesMark() bool {
	if w.pending {
		return false
	}
	word := w.out[w.start:]
	for range maxMarks {
		r, size := utf8.DecodeLastRune(word)
		if !isLetterMark(r) {
			return isLetterOrDigit(r)
		}
		word = word[:len(word)-size]
	}
	return false
}

func isLetterOrDigit(r rune) bool {
	if r < utf8.RuneSelf {
		return isAlnum(r)
	}
	return !vanishes(r) && (unicode.IsLetter(r) || unicode.Is(unicode.Nd, r))
}

// isLetterMark reports whether r is a mark that belongs to the spelling of a
// letter, rather than one that selects how a sign is shown.
func isLetterMark(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Mc) &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// isWordRune reports whether r can be part of a word.
func isWordRune(r rune) bool { return isLetterOrDigit(r) || isLetterMark(r) }
