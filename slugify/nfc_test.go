package slugify_test

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"golang.org/x/text/unicode/norm"

	"github.com/devkiln/devkiln/slugify"
)

// The slug of every letter with each of its marks is that of its NFC, wherever
// NFC joins, decomposes or reorders runes.
func TestMake_everyPairThatNFCJoins(t *testing.T) {
	pairs := 0
	for r := range unicode.MaxRune {
		parts := []rune(norm.NFD.String(string(r)))
		if len(parts) == 1 || unicode.Is(unicode.Hangul, r) && r%256 != 0 {
			continue
		}
		pairs++
		for _, around := range []string{"", "x", "я", "ก", "\u0331"} {
			text := around + string(parts) + around
			assert.Equal(t, makeSlug(t, norm.NFC.String(text), slugify.Options{}), makeSlug(t, text, slugify.Options{}), "%+q", text)
		}
	}
	assert.Greater(t, pairs, 1000)
}

// Canonically equivalent orders of marks have the same slug.
func TestMake_orderOfMarks(t *testing.T) {
	marks := []rune("\u0301\u0316\u0323\u0338\u05b0\u05bc\u064e\u0651\u093c\u094d\u0e38\u0e48\u1dce")
	for _, base := range []string{"", "a", "ش", "ב", "क", "ก", "ạ"} {
		for _, first := range marks {
			for _, second := range marks {
				text := base + string(first) + string(second) + "b"
				for _, o := range []slugify.Options{{}, {Unicode: true}, {MaxLength: 1}} {
					assert.Equal(t, makeSlug(t, norm.NFC.String(text), o), makeSlug(t, text, o), "%+q", text)
				}
			}
		}
	}
}
