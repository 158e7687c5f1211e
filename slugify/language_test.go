package slugify_test

import (
	"strings"
	"testing"
	"unicode"

	gosimple "github.com/gosimple/slug"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/slugify"
)

// The tables agree with the current release of gosimple/slug, from which they
// are generated. It looks up letters before NFC, this package after it. & and @
// are not taken from it.
func TestLanguages_lettersOfGosimple(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	if raceEnabled {
		t.Skip("is long, and of one goroutine")
	}
	languages := []string{
		"bg", "cs", "de", "el", "en", "es", "fi", "fr", "hu", "id", "it",
		"kk", "nb", "nl", "nn", "pl", "pt", "ro", "sl", "sv", "tr",
	}
	makers := make(map[string]*slugify.Maker)
	for _, language := range append(languages, "") {
		maker, err := slugify.NewMaker(slugify.Options{Language: language})
		require.NoError(t, err)
		makers[language] = maker
	}
	for r := range rune(0x2000) {
		if !unicode.IsLetter(r) {
			continue
		}
		text := "x" + norm.NFC.String(string(r)) + "x"
		plain := gosimple.MakeLang(text, "en")
		for _, language := range languages {
			want := gosimple.MakeLang(text, language)
			if strings.Trim(want, "x") == "-" || want == plain {
				want = makers[""].Make(text)
			}
			if ours := makers[language].Make(text); ours != want {
				assert.Equal(t, want, ours, "%s: %q", language, text)
			}
		}
	}
}

func TestMake_languageOfTag(t *testing.T) {
	for tag, want := range map[string]string{
		"de": "ue", "de-AT": "ue", "DE-ch-1996": "ue", "deu": "ue", "de-Latn-DE": "ue",
		"": "u", "und": "u", "ja-JP": "u", "x-private": "u",
	} {
		assert.Equal(t, want, makeSlug(t, "ü", slugify.Options{Language: tag}), "%q", tag)
	}
	assert.Equal(t, "oe", makeSlug(t, "ø", slugify.Options{Language: "no"}))
	assert.Equal(t, "a-e-b", makeSlug(t, "a&b", slugify.Options{Language: "pt-BR"}))
}

func TestMake_unknownLanguage(t *testing.T) {
	for tag, message := range map[string]string{
		"german": `must be a known language; did you mean "de"?`,
		"Germn":  `must be a known language; did you mean "de"?`,
		"ukrain": `must be a known language; did you mean "uk"?`,
		"dex":    `must be a known language, such as de or pt-BR`,
		"tlh":    `must be a known language, such as de or pt-BR`,
	} {
		_, err := slugify.Make("ü", slugify.Options{Language: tag})
		var option *invalid.Fault
		require.ErrorAs(t, err, &option, tag)
		field, reason := option.Invalid()
		assert.Equal(t, []string{"language", "not_one_of", message}, []string{field, reason, option.Message}, tag)
	}
}

// Every language names & with a word of its own or makes it a break.
func TestMake_ampersandOfLanguage(t *testing.T) {
	for _, l := range slugify.Languages() {
		slug := makeSlug(t, "1&2", slugify.Options{Language: l.Tag})
		assert.Equal(t, l.Tag == "en", slug == "1-and-2", "%s: %s", l.Tag, slug)
		assert.NotEmpty(t, l.Name)
	}
	for tag, want := range map[string]string{
		"": "1-and-2", "ru": "1-i-2", "uk": "1-i-2", "zh": "1-2", "ja": "1-2", "ar": "1-2", "ko": "1-2", "zh-Hant": "1-2", "hu": "1-es-2", "ka": "1-da-2",
	} {
		assert.Equal(t, want, makeSlug(t, "1&2", slugify.Options{Language: tag}), tag)
		assert.Equal(t, "", makeSlug(t, strings.Repeat("& ", len(want)-len("1-2")), slugify.Options{Language: "ja"}), "no separator without a word")
	}
}
