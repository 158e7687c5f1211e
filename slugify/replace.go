package slugify

import (
	"cmp"
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/devkiln/devkiln/internal/invalid"
)

// A replacer holds replacements by the first rune of their keys, the longest
// first.
//
// No slug contains a sign that is a key, and no replacement contains a word of a
// key, so that slugging a slug replaces nothing.
type replacer map[rune][]replacement

type replacement struct {
	key   []rune // folded
	value string
}

func (r replacer) add(key, value string) {
	k := []rune(foldKey(key))
	r[k[0]] = append(r[k[0]], replacement{k, value})
}

func (r replacer) sort() {
	for _, all := range r {
		slices.SortStableFunc(all, func(a, b replacement) int { return cmp.Compare(len(b.key), len(a.key)) })
	}
}

// wrap joins words to a text in which keys that were wrapped are found; unwrap
// splits it.
func wrap(words []string) string {
	return "\x00" + strings.Join(words, "\x00\x00") + "\x00"
}

func unwrap(text string) []string { return strings.Split(strings.Trim(text, "\x00"), "\x00\x00") }

// replace sets the replacements. The composer must already have its stop words,
// and must not have replacements yet.
func (c *composer) replace(all map[string]string, faults *invalid.Faults) {
	bySign, byWord := make(replacer), make(replacer)
	keys := slices.Sorted(maps.Keys(all))
	inKeys, seen := make(map[string]bool), make(map[string]bool)
	for _, key := range keys {
		if !c.isSign(key) {
			for _, word := range c.words(key) {
				inKeys[strings.ToLower(word)] = true
			}
		}
	}
	for _, key := range keys {
		folded, value := foldKey(key), all[key]
		fault := c.faultOf(key, value, inKeys)
		if fault == "" && seen[folded] {
			fault = "occurs more than once, ignoring case"
		}
		seen[folded] = true
		switch {
		case fault != "":
			faults.Add("replace["+clip(key)+"]", "invalid_format", fault)
		case !c.isSign(key):
			byWord.add(wrap(c.words(key)), wrap(c.words(value)))
		case value == "" || isLetterKey(folded):
			bySign.add(key, value)
		default:
			bySign.add(key, " "+value+" ")
		}
	}
	bySign.sort()
	byWord.sort()
	c.bySign, c.byWord = bySign, byWord
}

// faultOf returns what is wrong with a replacement, or "".
func (c *composer) faultOf(key, value string, inKeys map[string]bool) string {
	if c.isSign(key) {
		return ""
	}
	if c.separator == "" {
		return "cannot replace a word where the separator is empty"
	}
	if len(c.words(key)) == 0 {
		return "must contain a sign, a letter or a digit other than the separator"
	}
	values := c.words(value)
	if len(values) == 0 {
		return "must have a replacement with a letter or digit; stopWords removes words"
	}
	for _, word := range values {
		if inKeys[strings.ToLower(word)] {
			return "must not have a replacement that contains a word of a key"
		}
	}
	return ""
}

// isSign reports whether a key is looked for in the text: whether it has a rune
// that no slug contains, or is a single letter outside ASCII.
func (c *composer) isSign(key string) bool {
	key = norm.NFC.String(key)
	if !c.speller.unicode && utf8.RuneCountInString(key) == 1 && isLetterKey(key) {
		return true
	}
	return strings.ContainsFunc(key, func(r rune) bool {
		return !isWordRune(r) && !unicode.IsSpace(r) && !strings.ContainsRune(c.separator, r) && !c.preserves(r)
	})
}

func (c *composer) preserves(r rune) bool {
	if r < utf8.RuneSelf {
		return c.speller.ascii[r] != 0
	}
	return strings.ContainsRune(c.speller.preserve, r)
}

// isLetterKey reports whether a key is one letter outside ASCII, which also
// matches within words.
func isLetterKey(key string) bool {
	r, size := utf8.DecodeRuneInString(key)
	return size == len(key) && r >= utf8.RuneSelf && unicode.IsLetter(r)
}

func foldKey(key string) string {
	return strings.Map(fold, norm.NFC.String(key))
}

// fold lower-cases a rune, except a non-ASCII one whose lower case is ASCII:
// otherwise the key İ would match every i.
func fold(r rune) rune {
	if lower := unicode.ToLower(r); lower >= utf8.RuneSelf || r < utf8.RuneSelf {
		return lower
	}
	return r
}

// apply replaces all keys in text.
func (r replacer) apply(text string) string {
	if len(r) == 0 {
		return text
	}
	text = norm.NFC.String(text)
	var b strings.Builder
	done := 0
	for i := 0; i < len(text); {
		c, length := utf8.DecodeRuneInString(text[i:])
		for _, a := range r[fold(c)] {
			if n := a.match(text[i:]); n > 0 && a.standsAlone(text[:i], text[i+n:]) {
				b.WriteString(text[done:i])
				b.WriteString(a.value)
				done, length = i+n, n
				break
			}
		}
		i += length
	}
	b.WriteString(text[done:])
	return b.String()
}

// match returns the length in bytes of the key at the beginning of text, or 0
// if text does not begin with it.
func (a *replacement) match(text string) int {
	n := 0
	for _, k := range a.key {
		c, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 || fold(c) != k {
			return 0
		}
		n += size
	}
	return n
}

// standsAlone reports whether a match between before and after leaves words
// whole. A key of one rune may split a word.
func (a *replacement) standsAlone(before, after string) bool {
	if len(a.key) == 1 {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	return (!isWordRune(a.key[0]) || !isWordRune(last)) &&
		(!isWordRune(a.key[len(a.key)-1]) || !isWordRune(next))
}

// clip shortens input that an error quotes.
func clip(s string) string {
	const limit = 40
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit-1]) + "…"
}

// emojiList has one emoji and its name per line, from the English annotations
// of Unicode CLDR 45, under the licence in UNICODE-LICENSE.
//
//go:embed emoji.txt
var emojiList string

var emojiNames = sync.OnceValue(func() replacer {
	r := make(replacer)
	for line := range strings.Lines(emojiList) {
		key, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		r.add(key, " "+name+" ")
	}
	r.sort()
	return r
})

// nameEmoji replaces each emoji by its name, without skin tones.
func nameEmoji(text string) string {
	names := emojiNames()
	return names.apply(strings.Map(func(r rune) rune {
		isSelector, isSkin := r == 0xfe0f, 0x1f3fb <= r && r <= 0x1f3ff
		if isSelector || isSkin {
			return -1
		}
		return r
	}, text))
}
