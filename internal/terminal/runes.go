package terminal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns a text with � in place of what a terminal would obey and of
// what is [Invisible], but for line feeds and tabs.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || Invisible(r) {
			return utf8.RuneError
		}
		return r
	}, text)
}

// Invisible reports whether a character shows nothing and changes how what is
// around it reads: controls beyond ASCII, controls of the direction of text
// (Unicode's Bidi_Control), separators of lines, characters of no width, and
// tags. Joiners, which scripts and emoji need, are not among them.
func Invisible(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r < 0xa0, // C1 controls
		r == 0x2028, r == 0x2029, // ends of lines and paragraphs
		r == 0x200b, r == 0x2060, r == 0xfeff, // of no width
		r >= 0xe0000 && r <= 0xe007f: // tags
		return true
	}
	return unicode.Is(unicode.Bidi_Control, r)
}
