package slugify

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// form is the case in which an expansion is written.
type form int

const (
	asKept form = iota
	asLower
	asUpper
	asTitle
)

// apply converts a spelling to a form.
func (f form) apply(s string) string {
	switch f {
	case asLower:
		return strings.ToLower(s)
	case asUpper:
		return strings.ToUpper(s)
	case asTitle:
		return title(s)
	default:
		return s
	}
}

// formOf returns the form in which the letter at text[i:i+size] is expanded,
// which depends on the letters beside it: STRAẞE is STRASSE, Ærlig is Aerlig. A
// lower-case letter is expanded to capitals only between capitals, or after two
// at the end of a word.
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

// noLetter reports whether r may occur in a word without being a letter of it.
func noLetter(r rune) bool {
	return unicode.IsMark(r) || vanishes(r) || r == '\'' || r == '’' || unicode.Is(unicode.Lm, r)
}

// nextCase returns the case of the letter that text begins with.
func nextCase(text string) letterCase {
	for _, r := range text {
		if !noLetter(r) {
			return caseOf(r)
		}
	}
	return none
}

// lastCases returns the case of the letter that text ends with, and of the one
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
