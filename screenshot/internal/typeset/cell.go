package typeset

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/language"
	"golang.org/x/text/width"
)

// This file determines how many cells text takes on the grid.

// tabStop is the default distance between tab stops, in columns.
const tabStop = 4

// clusterCells returns the number of cells of a grapheme cluster.
func clusterCells(cluster []rune) int {
	r := cluster[0]
	switch {
	case invisible(r):
		return 0
	case isEmoji(cluster), isWide(r):
		return 2
	default:
		return 1
	}
}

// RuneCells returns the number of cells of a character, which is 0 if it
// belongs to the one before it.
func RuneCells(r rune) int {
	if extends(r) {
		return 0
	}
	return clusterCells([]rune{r})
}

// invisible reports whether r is a format character that is not drawn.
// Characters that change the direction of text are drawn as boxes, since they
// can make code look like other code.
func invisible(r rune) bool {
	return unicode.Is(unicode.Cf, r) && !ChangesDirection(r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// ChangesDirection reports whether r is a format character that changes the
// direction of the text around it.
func ChangesDirection(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// extends reports whether r extends the cluster of the character before it.
func extends(r rune) bool {
	return r >= 0x300 && (unicode.Is(unicode.M, r) || r == zeroWidthJoiner || r == 0x200c || r >= 0x1f3fb && r <= 0x1f3ff)
}

const (
	zeroWidthJoiner = 0x200d
	emojiSelector   = 0xfe0f
)

// isEmoji reports whether a cluster is drawn as a picture: an emoji by default,
// a character with an emoji variation selector, a keycap or a flag.
func isEmoji(cluster []rune) bool {
	r := cluster[0]
	switch {
	case slices.Contains(cluster[1:], emojiSelector) && (r >= 0xa9 || len(cluster) > 2):
		return true
	case r >= 0x1f1e6 && r <= 0x1f1ff:
		return len(cluster) > 1
	case r >= 0x1f300 && r <= 0x1faff, r == 0x1f004, r == 0x1f0cf, r >= 0x1f18e && r <= 0x1f19a, r >= 0x1f200 && r <= 0x1f265, r >= 0x231a && r <= 0x2b55:
		return width.LookupRune(r).Kind() == width.EastAsianWide
	default:
		return false
	}
}

// shapesAsRun reports whether r is of a script whose letters join or move so
// much that words must be set as a whole.
func shapesAsRun(r rune) bool {
	return r >= 0x590 && (r < 0x2000 || r >= 0xa800) && slices.Contains(joining, language.LookupScript(r))
}

var joining = []language.Script{
	language.Arabic, language.Hebrew, language.Syriac, language.Thaana, language.Nko, language.Mandaic, language.Adlam,
	language.Devanagari, language.Bengali, language.Gurmukhi, language.Gujarati, language.Oriya, language.Tamil, language.Telugu, language.Kannada,
	language.Malayalam, language.Sinhala, language.Thai, language.Lao, language.Tibetan, language.Myanmar, language.Khmer,
}

func rightToLeft(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfeff || r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}

// isBox reports whether r is a box-drawing or block character.
func isBox(r rune) bool { return r >= 0x2500 && r <= 0x259f || boxAlike[r] != 0 }

// boxAlike are characters that look like box-drawing characters, which the
// embedded font has.
var boxAlike = map[rune]rune{'⎯': '─', '⏐': '│'}

// IsControl reports whether r is a control character.
func IsControl(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }

// isOperator reports whether c may be part of a ligature.
func isOperator(c byte) bool {
	return strings.IndexByte(`!#$%&*+-./:;<=>?@\^_|~()[]{}`, c) >= 0
}

// moveMarks moves the marks at the start of a piece to the piece before, so
// that no piece but the first begins with a mark.
func moveMarks(line []Piece) []Piece {
	for i := 1; i < len(line); i++ {
		n := 0
		for n < len(line[i].Text) && line[i].Text[n] >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(line[i].Text[n:])
			if !extends(r) {
				break
			}
			n += size
		}
		line[i-1].Text += line[i].Text[:n]
		line[i].Text = line[i].Text[n:]
	}
	return line
}
