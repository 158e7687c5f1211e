package terminal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns text with � in place of controls, except line feeds and tabs,
// and of [Invisible] characters.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || Invisible(r) {
			return utf8.RuneError
		}
		return r
	}, text)
}

// Invisible reports whether a character is invisible but changes how the text
// around it reads: C1 controls, bidirectional controls (Unicode's
// Bidi_Control), line and paragraph separators, zero-width characters, and
// tags. It excludes joiners, which scripts and emoji need.
func Invisible(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r < 0xa0, // C1 controls
		r == 0x2028, r == 0x2029, // line and paragraph separators
		r == 0x200b, r == 0x2060, r == 0xfeff, // zero width
		r >= 0xe0000 && r <= 0xe007f: // tags
		return true
	}
	return unicode.Is(unicode.Bidi_Control, r)
}
