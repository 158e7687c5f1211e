package slugify_test

import (
	"strings"
	"testing"
	"unicode"

	gosimple "github.com/gosimple/slug"
	"github.com/stretchr/testify/assert"
	"golang.org/x/text/unicode/norm"

	"github.com/devkiln/devkiln/slugify"
)

// The tables of languages are read from gosimple/slug when they are written.
// This test notices a release of it that says something else. Theirs looks letters up before NFC, ours after it.
func TestLanguageTablesAreThoseOfGosimple(t *testing.T) {
	if raceEnabled {
		t.Skip("is long, and of one goroutine")
	}
	for _, language := range []string{
		"bg", "cs", "de", "el", "en", "es", "fi", "fr", "hu", "id", "it",
		"kk", "nb", "nl", "nn", "pl", "pt", "ro", "sl", "sv", "tr",
	} {
		for r := range rune(0x2000) {
			if r != '&' && r != '@' && !unicode.IsLetter(r) {
				continue
			}
			text := "x" + norm.NFC.String(string(r)) + "x"
			theirs, plain := gosimple.MakeLang(text, language), gosimple.MakeLang(text, "en")
			ours := slugify.Make(text, slugify.Options{Language: language})
			switch {
			case strings.Trim(theirs, "x") == "-", theirs == plain:
				assert.Equal(t, slugify.Make(text, slugify.Options{}), ours, "%s: %q", language, text)
			case r == '&' || r == '@':
				assert.Equal(t, "x-"+theirs[1:len(theirs)-1]+"-x", ours, "%s: %q", language, text)
			default:
				assert.Equal(t, theirs, ours, "%s: %q", language, text)
			}
		}
	}
}

func TestTagsFallBack(t *testing.T) {
	for tag, want := range map[string]string{
		"de": "ue", "de-AT": "ue", "DE-ch-1996": "ue", "deu": "ue", "de-Latn-DE": "ue",
		"": "u", "und": "u", "ja-JP": "u", "dex": "u",
	} {
		assert.Equal(t, want, slugify.Make("ü", slugify.Options{Language: tag}), "%q", tag)
	}
	assert.Equal(t, "oe", slugify.Make("ø", slugify.Options{Language: "no"}))
	assert.Equal(t, "a-e-b", slugify.Make("a&b", slugify.Options{Language: "pt-BR"}))
}
