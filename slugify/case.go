package slugify

import (
	"unicode"
	"unicode/utf8"
)

// form is the case that an expansion is written in.
type form int

const (
	asKept form = iota
	asLower
	asUpper
	asTitle
)

// apply puts one byte of an expansion into a form; first is that of its first
// letter. Bytes of runes outside ASCII only come as they are kept.
func (f form) apply(c byte, first bool) byte {
	switch {
	case f == asKept, c < 'A':
		return c
	case f == asUpper, f == asTitle && first:
		return c &^ 0x20
	}
	return c | 0x20
}

// formOf says which form the expansion of the letter at text[i:i+size] takes
// from the letters beside it: STRAẞE is STRASSE, Ærlig is Aerlig. A lower-case
// letter is only raised between capitals, or behind two at the end of a word.
func formOf(text string, i, size int) form {
	r, _ := utf8.DecodeRuneInString(text[i:])
	next, last := nextCase(text[i+size:]), lastCases(text[:i])
	switch {
	case caseOf(r) == lower:
		if last[0] == upper && (next == upper || next == none && last[1] == upper) {
			return asUpper
		}
		return asLower
	case next == upper, next == none && last[0] == upper:
		return asUpper
	case next == lower, last[0] == lower:
		return asTitle
	}
	return asKept
}

type letterCase int

const (
	none letterCase = iota
	lower
	upper
)

func caseOf(r rune) letterCase {
	switch {
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return upper
	case unicode.IsLower(r):
		return lower
	}
	return none
}

// noLetter reports a rune that stands in a word without being a letter of it.
func noLetter(r rune) bool {
	return unicode.IsMark(r) || vanishes(r) || r == '\'' || r == '’' || unicode.Is(unicode.Lm, r)
}

// nextCase is the case of the letter that a text begins with.
func nextCase(text string) letterCase {
	for _, r := range text {
		if !noLetter(r) {
			return caseOf(r)
		}
	}
	return none
}

// lastCases is the case of the letter that a text ends with, and of the one
// before it.
func lastCases(text string) (found [2]letterCase) {
	for n := 0; n < len(found) && text != ""; {
		r, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
		if noLetter(r) {
			continue
		}
		if found[n] = caseOf(r); found[n] == none {
			break
		}
		n++
	}
	return found
}
