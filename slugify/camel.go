package slugify

import (
	"unicode"
	"unicode/utf8"
)

// camel splits a word before the capitals that begin another: fooBar, FOOBar,
// foo360Bar. What is a name in one piece stays so: APIs, 3D.
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

// beginsWord reports that r begins another word behind last; rest is what
// follows r.
func beginsWord(last, r rune, rest string) bool {
	if unicode.ToLower(r) == r { // or a capital that stays one, such as ℑ
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

// nextBase returns the first rune of a text that is no mark, and what follows.
func nextBase(text string) (rune, string) {
	for i, r := range text {
		if !isLetterMark(r) {
			return r, text[i+utf8.RuneLen(r):]
		}
	}
	return 0, ""
}
