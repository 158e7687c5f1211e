package slugify

import (
	"unicode"
	"unicode/utf8"
)

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
