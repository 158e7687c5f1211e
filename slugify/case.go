package slugify

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// followCase writes the expansion s of the cased letter at text[i:i+size] in
// the case of the letters beside it: STRAẞE is STRASSE, Ærlig is Aerlig.
func followCase(s, text string, i, size int) string {
	r, _ := utf8.DecodeRuneInString(text[i:])
	next, before := nextLetter(text[i+size:]), lastLetters(text[:i])
	switch {
	case unicode.IsLower(r):
		if before[0] == upper && (next == upper || next == none && before[1] == upper) {
			return strings.ToUpper(s)
		}
		return s
	case next == upper, next == none && before[0] == upper:
		return strings.ToUpper(s)
	case next == lower, before[0] == lower:
		return title(s)
	}
	return s
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

// inWord reports a rune that leaves no break and has no case itself.
func inWord(r rune) bool {
	return unicode.IsMark(r) || vanishes(r) || r == '\'' || r == '’' || unicode.Is(unicode.Lm, r)
}

func nextLetter(text string) letterCase {
	for _, r := range text {
		if !inWord(r) {
			return caseOf(r)
		}
	}
	return none
}

// lastLetters returns the case of the last letter of a text, and of the one
// before it.
func lastLetters(text string) (found [2]letterCase) {
	for n := 0; n < len(found) && text != ""; {
		r, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
		if inWord(r) {
			continue
		}
		if found[n] = caseOf(r); found[n] == none {
			break
		}
		n++
	}
	return found
}
