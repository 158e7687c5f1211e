package slugify

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is the greatest number of marks that one letter keeps. Every
// language does with less; text made to overflow its line has hundreds. It
// stays below the 30 behind which NFC gets a joiner between marks.
const maxMarks = 16

// keeps reports a rune outside ASCII that is written as it stands.
func (w *pass) keeps(r rune) bool {
	if w.preserve != "" && strings.ContainsRune(w.preserve, r) {
		return true
	}
	if !w.unicode {
		return false
	}
	return isLetterOrDigit(r) || isLetterMark(r) && w.takesMark()
}

// takesMark reports that a mark would stand on a letter.
func (w *pass) takesMark() bool {
	if w.pending {
		return false
	}
	word := w.out[w.start:w.end]
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

// isLetterMark reports a mark that is part of how a letter is written, not of
// how a sign is shown.
func isLetterMark(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Mc) &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// isWordRune reports a rune that a word is made of.
func isWordRune(r rune) bool { return isLetterOrDigit(r) || isLetterMark(r) }
