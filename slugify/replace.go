package slugify

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/devkiln/devkiln/internal/invalid"
)

// replacer holds the replacements of [Options]: of signs, which it finds in the
// text, and of words, which it finds among the words of the slug. No slug
// contains a sign, and no replacement contains a word of a key, so that
// slugging a slug replaces nothing.
type replacer struct {
	bySign map[rune][]sign    // by first rune, longest first
	byWord map[string][]words // by first word, longest first
}

type sign struct {
	key   []rune // in lower case
	value string
}

type words struct {
	key, value []string // the key in lower case
}

// setReplacements sets the replacements. The composer must already have its
// stop words, and must not have replacements yet.
func (c *composer) setReplacements(replace map[string]string) (faults invalid.Inputs) {
	r := replacer{bySign: make(map[rune][]sign), byWord: make(map[string][]words)}
	keys := slices.Sorted(maps.Keys(replace))
	inKeys := make(map[string]bool)
	for _, key := range keys {
		if !c.isSign(key) {
			for _, word := range c.words(key) {
				inKeys[strings.ToLower(word)] = true
			}
		}
	}
	seen := make(map[string]bool)
	for _, key := range keys {
		folded := foldKey(key)
		fault := c.faultOf(key, replace[key], inKeys)
		if fault == "" && seen[folded] {
			fault = "occurs more than once, ignoring case"
		}
		seen[folded] = true
		switch {
		case fault != "":
			faults.Add("replace["+clip(key)+"]", "invalid_format", fault)
		case c.isSign(key):
			r.addSign(key, replace[key])
		default:
			r.addWords(c.words(key), c.words(replace[key]))
		}
	}
	r.sort()
	c.replace = r
	return faults
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

func (r *replacer) addSign(key, value string) {
	key = foldKey(key)
	if value != "" && !isLetterKey(key) {
		value = " " + value + " "
	}
	first, _ := utf8.DecodeRuneInString(key)
	r.bySign[first] = append(r.bySign[first], sign{[]rune(key), value})
}

func (r *replacer) addWords(key, value []string) {
	for i := range key {
		key[i] = strings.ToLower(key[i])
	}
	r.byWord[key[0]] = append(r.byWord[key[0]], words{key, value})
}

func (r *replacer) sort() {
	for _, signs := range r.bySign {
		slices.SortStableFunc(signs, func(a, b sign) int { return cmp.Compare(len(b.key), len(a.key)) })
	}
	for _, all := range r.byWord {
		slices.SortStableFunc(all, func(a, b words) int { return cmp.Compare(len(b.key), len(a.key)) })
	}
}

// signs replaces the signs in text.
func (r *replacer) signs(text string) string {
	if len(r.bySign) == 0 {
		return text
	}
	text = norm.NFC.String(text)
	var b strings.Builder
	done := 0
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		value, length := r.signAt(text, i, c)
		if length == 0 {
			i += size
			continue
		}
		b.WriteString(text[done:i])
		b.WriteString(value)
		i += length
		done = i
	}
	b.WriteString(text[done:])
	return b.String()
}

// signAt returns the value and length of the longest key that matches at
// text[i:], which begins with c. The length is 0 if none matches.
func (r *replacer) signAt(text string, i int, c rune) (string, int) {
	for _, s := range r.bySign[fold(c)] {
		if n := s.match(text[i:]); n > 0 && s.standsAlone(text[:i], text[i+n:]) {
			return s.value, n
		}
	}
	return "", 0
}

// match returns the length in bytes of the key at the beginning of text, or 0
// if text does not begin with it.
func (s *sign) match(text string) int {
	n := 0
	for _, k := range s.key {
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
func (s *sign) standsAlone(before, after string) bool {
	if len(s.key) == 1 {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	return (!isWordRune(s.key[0]) || !isWordRune(last)) &&
		(!isWordRune(s.key[len(s.key)-1]) || !isWordRune(next))
}

// words replaces the words that keys name.
func (r *replacer) words(all []string) []string {
	if len(r.byWord) == 0 {
		return all
	}
	var out []string
	for i := 0; i < len(all); {
		value, n := r.wordsAt(all[i:])
		if n == 0 {
			value, n = all[i:i+1], 1
		}
		out = append(out, value...)
		i += n
	}
	return out
}

func (r *replacer) wordsAt(all []string) ([]string, int) {
	for _, w := range r.byWord[strings.ToLower(all[0])] {
		if len(w.key) <= len(all) && slices.EqualFunc(w.key, all[:len(w.key)], func(k, word string) bool {
			return k == strings.ToLower(word)
		}) {
			return w.value, len(w.key)
		}
	}
	return nil, 0
}

// clip shortens input that an error quotes.
func clip(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}
