package slugify

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

// exception spells the runes that unidecode has no letters for, or misleading
// ones.
func exception(r rune) (string, bool) {
	if vanishes(r) {
		return "", true
	}
	s, ok := spellings()[r]
	return s, ok
}

// vanishes reports the runes that only steer how text is shown: they leave no
// break. A zero-width space does, since it stands for one.
func vanishes(r rune) bool {
	switch {
	case r == 0x00ad, // soft hyphen
		r == 0x061c, r == 0x200e, r == 0x200f, // marks of direction
		0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, // embedding, isolates
		r == 0x200c, r == 0x200d, r == 0x2060, // joiners
		r == 0xfeff,                                        // byte order mark
		r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0: // fillers of Hangul
		return true
	}
	return false
}

// spellingList is those that stand for all languages, letterList the letters that
// only their Unicode name spells: Latin ones drawn in another way, and those "with"
// a hook or a tail.
var (
	//go:embed spellings.txt
	spellingList string
	//go:embed letters.txt
	letterList string

	spellings    = sync.OnceValue(func() map[rune]string { return parseSpellings(spellingList) })
	namedLetters = sync.OnceValue(func() map[rune]string { return parseSpellings(letterList) })
)

// parseSpellings reads runes that blanks separate, each with its spelling behind
// it: "äae öoe". "_" is a break. Lines that begin with # are comments.
func parseSpellings(list string) map[rune]string {
	all := make(map[rune]string)
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			r, size := utf8.DecodeRuneInString(word)
			all[r] = strings.ReplaceAll(word[size:], "_", " ")
		}
	}
	return all
}
