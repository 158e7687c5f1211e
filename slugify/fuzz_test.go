package slugify_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/devkiln/devkiln/slugify"
)

// Each bit of a number selects one option, so that the fuzzer reaches all
// combinations.
const (
	keepCase = 1 << iota
	splitCamel
	keepUnicode
	withStopWords
	withReplace
	withPreserve
	withFallback
	withEmoji
)

var (
	fuzzSeparators = []string{"-", "", "_", ".", "~", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=", ":", "@"}
	fuzzLanguages  = []string{"", "de", "sv", "el-GR", "bg", "tr", "nb", "sl", "kk", "uk", "ja", "hy", "zh"}
)

func fuzzOptions(separator, language, maxLength uint8, choices uint) slugify.Options {
	o := slugify.Options{
		Separator:  &fuzzSeparators[int(separator)%len(fuzzSeparators)],
		Language:   fuzzLanguages[int(language)%len(fuzzLanguages)],
		MaxLength:  int(maxLength),
		KeepCase:   choices&keepCase != 0,
		SplitCamel: choices&splitCamel != 0,
		Unicode:    choices&keepUnicode != 0,
		Emoji:      choices&withEmoji != 0,
	}
	if choices&withPreserve != 0 {
		for _, r := range "._'&=<🎉" {
			if string(r) != *o.Separator {
				o.Preserve += string(r)
			}
		}
	}
	if choices&withFallback != 0 {
		o.Fallback = "No Title"
	}
	if choices&withStopWords != 0 && *o.Separator != "" {
		o.StopWords = []string{"the", "a", "und", "é"}
	}
	if choices&withReplace != 0 {
		o.Replace = map[string]string{"♥": "love the", "C++": "cpp", "(,": "", "#": "No1 C++"}
		if !o.Unicode {
			o.Replace["ö"] = "oe"
		}
		if *o.Separator != "" {
			o.Replace["new york"] = "Big Apple"
			o.Replace["new"] = "neu"
			o.Replace["Fé"] = "iron"
			o.Replace["a b"] = "alpha beta"
		}
	}
	return o
}

func FuzzMake(f *testing.F) {
	for i, text := range []string{
		"", "Hello, World!", "don't AT&T x@y", "ЩУКА щука STRAẞE Straße ŒUVRE ǅ", "影師嗎 iPhone手机 第1章", "e\u0301\u0323 o\u0308 ä", "a\xffb\x00c\u00adq\u200dr\u200bs",
		"foo360BarAPIs parseHTMLPage ÉtéBleu 3DModel", "한글 한", "עִבְרִית مَرْحَبًا", "हिन्दी বাংলা தமிழ் ไทย ລາວ", "½ ℃ ™ № ㎑ ⅷ ⓫ 🅰 1️⃣ 👨‍👩‍👧", "The New York NEW a b é", "C++ ♥ I♥NY #1 1,000",
		"=\u0338 <\u200d\u0338 ._. v1.5.", "e" + strings.Repeat("\u0301", 40) + "\u0323x", "ᄀ ᅡ", "İstanbul ıI Σίσυφος T\u0308 H\u0331 J\u030c", "ー々ゝゞ ꓮ Ა ꭰ Ꭰ 𐐀", "theater newspaper", "---", "<p>A&amp;B</p>&lt;b&gt; e&#769; <a title='>", "🇩🇪👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥👍🏽 <\u0338b>", "\u0344\u0958\ufb1d\U0001d15e\u1fef\u037e",
	} {
		for choices := range uint(1 << 8) {
			if choices%13 == uint(i)%13 {
				f.Add(text, uint8(i), uint8(choices), uint8(choices%9), choices)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string, separator, language, maxLength uint8, choices uint) {
		o := fuzzOptions(separator, language, maxLength, choices)
		require.NoError(t, o.Validate())
		slug := makeSlug(t, text, o)
		require.NoError(t, checkSlug(slug, o), "%q of %q", slug, text)
		require.Equal(t, slug, makeSlug(t, slug, o), "slugged again, of %q", text)
		require.Equal(t, slug != "", slugify.Is(slug, o), "Is %q", slug)
		require.Equal(t, slug, makeSlug(t, norm.NFC.String(text), o), "NFC of %q", text)
		require.Equal(t, slug, makeSlug(t, norm.NFD.String(text), o), "NFD of %q", text)
		require.Equal(t, "x-"+slug, string(appendSlug(t, []byte("x-"), text, o)))
		require.Equal(t, makeSlug(t, text, o) == text && text != "", slugify.Is(text, o), "Is %q", text)
		if o.Fallback != "" {
			require.NotEmpty(t, makeSlug(t, text, slugify.Options{Fallback: o.Fallback}))
		}
	})
}

// checkSlug returns what is wrong with the form of a slug.
func checkSlug(slug string, o slugify.Options) error {
	separator := *o.Separator
	switch {
	case !utf8.ValidString(slug):
		return errForm("not UTF-8")
	case o.MaxLength > 0 && utf8.RuneCountInString(slug) > o.MaxLength:
		return errForm("too long")
	case o.Unicode && !norm.NFC.IsNormalString(slug):
		return errForm("not in NFC")
	case separator == "":
		return checkWord(slug, o)
	case slug == "":
		return nil
	}
	for word := range strings.SplitSeq(slug, separator) {
		if word == "" {
			return errForm("separator leads, trails or doubles")
		}
		if err := checkWord(word, o); err != nil {
			return err
		}
		if slices.Contains(o.StopWords, strings.ToLower(word)) {
			return errForm("has the stop word " + word)
		}
	}
	return nil
}

func checkWord(word string, o slugify.Options) error {
	for _, r := range word {
		switch {
		case strings.ContainsRune(o.Preserve, r), r >= '0' && r <= '9', r >= 'a' && r <= 'z':
		case r >= 'A' && r <= 'Z' && o.KeepCase:
		case o.Unicode && r >= utf8.RuneSelf && unicode.In(r, unicode.L, unicode.Mn, unicode.Mc, unicode.Nd):
			if !o.KeepCase && unicode.ToLower(r) != r {
				return errForm("not in lower case: " + string(r))
			}
		default:
			return errForm("has " + string(r))
		}
	}
	return nil
}

type errForm string

func (e errForm) Error() string { return string(e) }

// Arbitrary options never panic: they are an error, or their slugs keep all
// promises.
func FuzzOptions(f *testing.F) {
	f.Add("The ♥ of C++, new york", "-", "de-AT", 12, "._", "No Title", "new york", "NYC", "♥", "love", "the", uint(0))
	f.Add("a b c d", "@", "", 0, "'&", "", "a b", "x y", "c", "", "d", uint(7))
	f.Add("seaside SEA séa", "", "x", -1, "é", "-", "é", "e", "sea", "the sea", "a b", uint(3))
	f.Add("ab\u1161 \u1100", "ab", "tr", 3, "\u0338=", "\xff", "\u1100", "\u1161", "", "x", "", uint(4))
	f.Add("fooBar BAZqux", "_", "sv", 5, "-", "@", "foo bar", "fooBar", "@", "&", "Baz", uint(2))
	f.Fuzz(func(t *testing.T, text, separator, language string, maxLength int, preserve, fallback, key1, value1, key2, value2, stop string, choices uint) {
		o := slugify.Options{
			Separator: &separator, Language: language, MaxLength: maxLength, Preserve: preserve, Fallback: fallback,
			Replace: map[string]string{key1: value1, key2: value2}, StopWords: []string{stop},
			KeepCase: choices&keepCase != 0, SplitCamel: choices&splitCamel != 0, Unicode: choices&keepUnicode != 0,
		}
		// Drop options one after the other, so that an invalid one does not
		// keep the others from being tried.
		for _, drop := range []func(){func() {}, func() { o.StopWords = nil }, func() { o.Replace = map[string]string{key2: value2} }, func() { o.Replace = nil }, func() { o.Preserve = "" }, func() { o.Fallback = "" }} {
			drop()
			slug, err := slugify.Make(text, o)
			require.Equal(t, o.Validate(), err)
			if err != nil {
				require.Empty(t, slug)
				require.False(t, slugify.Is(text, o))
				continue
			}
			require.NoError(t, checkSlug(slug, o), "%q of %q by %+v", slug, text, o)
			require.Equal(t, slug, makeSlug(t, slug, o), "slugged again, of %q by %q %+v", text, separator, o)
			require.Equal(t, slug != "", slugify.Is(slug, o), "Is %q", slug)
		}
	})
}
