package slugify

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A form gives an expansion its case: strings.ToLower, strings.ToUpper, title or
// asKept.
type form func(string) string

func asKept(s string) string { return s }

// formOf returns the form in which the letter at text[i:i+size] is expanded,
// which depends on the letters beside it: STRAẞE is STRASSE, Ærlig is Aerlig. A
// lower-case letter is expanded to capitals only between capitals, or after two
// at the end of a word. A capital beside no letters has the form alone.
func formOf(text string, i, size int, alone form) form {
	r, _ := utf8.DecodeRuneInString(text[i:])
	next, last := nextCase(text[i+size:]), lastCases(text[:i])
	switch {
	case caseOf(r) == lower:
		if last[0] == upper && (next == upper || next == none && last[1] == upper) {
			return strings.ToUpper
		}
		return strings.ToLower
	case next == upper, next == none && last[0] == upper:
		return strings.ToUpper
	case next == lower, last[0] == lower:
		return title
	}
	return alone
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

// camel splits a word before each capital that begins another: fooBar, FOOBar,
// foo360Bar. It keeps names such as APIs and 3D in one piece.
func camel(word string) []string {
	var parts []string
	begin := 0
	var last rune // the last letter or digit
	for i, r := range word {
		if isLetterMark(r) {
			continue
		}
		if i > begin && beginsWord(last, r, word[i+utf8.RuneLen(r):]) {
			parts = append(parts, word[begin:i])
			begin = i
		}
		last = r
	}
	return append(parts, word[begin:])
}

// beginsWord reports whether r begins another word after last; rest is what
// follows r.
func beginsWord(last, r rune, rest string) bool {
	if unicode.ToLower(r) == r { // or a capital that has no lower case, such as ℑ
		return false
	}
	next, rest := nextBase(rest)
	switch {
	case caseOf(last) == lower:
		return true
	case unicode.IsDigit(last):
		return unicode.IsLetter(next)
	case caseOf(last) == upper && caseOf(next) == lower:
		after, _ := nextBase(rest)
		return next != 's' || caseOf(after) == lower
	}
	return false
}

// nextBase returns the first rune of text that is not a mark, and what follows
// it.
func nextBase(text string) (rune, string) {
	for i, r := range text {
		if !isLetterMark(r) {
			return r, text[i+utf8.RuneLen(r):]
		}
	}
	return 0, ""
}
