package slugify

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

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
