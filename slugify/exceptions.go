package slugify

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

// exception returns the spelling of a rune that unidecode lacks or gets wrong,
// and whether r is such a rune.
func exception(r rune) (string, bool) {
	if vanishes(r) {
		return "", true
	}
	s, ok := spellings()[r]
	return s, ok
}

// vanishes reports whether r only controls how text is shown, so that it leaves
// no break. A zero-width space is a break.
func vanishes(r rune) bool {
	switch {
	case r == 0x00ad, // soft hyphen
		r == 0x061c, r == 0x200e, r == 0x200f, // directional marks
		0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, // embeddings and isolates
		r == 0x200c, r == 0x200d, r == 0x2060, // joiners
		r == 0xfeff,                                        // byte order mark
		r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0: // Hangul fillers
		return true
	}
	return false
}

// spellingList holds the exceptions of all languages. letterList holds the
// letters that are spelled by their Unicode name: Latin letters in another
// style, and those "with" a hook or a tail.
var (
	//go:embed spellings.txt
	spellingList string
	//go:embed letters.txt
	letterList string

	spellings    = sync.OnceValue(func() map[rune]string { return parseSpellings(spellingList) })
	namedLetters = sync.OnceValue(func() map[rune]string { return parseSpellings(letterList) })
)

// parseSpellings reads runes separated by blanks, each followed by its
// spelling: "äae öoe". "_" is a break. Lines that begin with # are comments.
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
