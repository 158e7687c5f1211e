package slugify

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/devkiln/devkiln/internal/invalid"
)

// composer makes slugs for options that apply to whole words. It takes the
// words of one pass over the text, changes them and joins the result.
type composer struct {
	options   Options
	speller   speller
	separator string
	limit     int // in characters
	stop      map[string]bool
	bySign    replacer // of signs, which it finds in the text
	byWord    replacer // of words, which it finds among the words of the slug
}

// singlePass reports whether one pass can write the slug itself.
func (o *Options) singlePass() bool {
	return o.Preserve == "" && len(o.Replace) == 0 && len(o.StopWords) == 0 && !o.Unicode && !o.SplitCamel && !o.Emoji
}

// composer returns a composer, and the faults of stop words and replacements.
func (o *Options) composer() (c *composer, faults invalid.Faults) {
	c = &composer{options: *o}
	c.speller.set(&Options{KeepCase: o.KeepCase || o.SplitCamel, Language: o.Language, Separator: o.Separator, MaxLength: o.MaxLength})
	c.separator, c.limit = c.speller.separator, c.speller.limit
	c.speller.separator, c.speller.limit, c.speller.unicode = "\x00", math.MaxInt, o.Unicode
	for _, r := range o.Preserve {
		switch {
		case r == rune(c.speller.breaks) || !mayPreserve(r): // a fault
		case r >= utf8.RuneSelf:
			c.speller.preserve += string(r)
		default:
			ascii := *c.speller.ascii
			ascii[r] = byte(r)
			c.speller.ascii = &ascii
		}
	}
	c.speller.keepsMore = o.Unicode || c.speller.preserve != ""
	c.speller.isPlain = c.speller.isPlain && !c.speller.keepsMore
	c.stop = c.stopWords(o.StopWords, &faults)
	c.replace(o.Replace, &faults)
	return c, faults
}

// stopWords returns the words to leave out. The composer must not have stop
// words or replacements yet.
func (c *composer) stopWords(words []string, faults *invalid.Faults) map[string]bool {
	stop := make(map[string]bool)
	for i, word := range words {
		found := c.words(word)
		field := fmt.Sprintf("stopWords[%d]", i)
		switch {
		case c.separator == "":
			faults.Add(field, "invalid_format", "cannot be left out where the separator is empty")
		case len(found) != 1:
			faults.Add(field, "invalid_format", "must be one word")
		default:
			stop[strings.ToLower(found[0])] = true
		}
	}
	return stop
}

// append appends the slug of text to dst.
func (c *composer) append(dst []byte, text string) []byte {
	words := c.words(text)
	if len(words) > 0 && utf8.RuneCountInString(words[0]) > c.limit {
		words = c.wordsThatFit(text)
	}
	slug := strings.Join(words[:c.fitting(words)], c.separator)
	if c.speller.unicode && c.separator == "" {
		slug = norm.NFC.String(slug)
	}
	return append(dst, slug...)
}

// fitting returns how many of the words fit the limit.
func (c *composer) fitting(words []string) int {
	length := -utf8.RuneCountInString(c.separator)
	for i, word := range words {
		length += utf8.RuneCountInString(c.separator) + utf8.RuneCountInString(word)
		if length > c.limit {
			return i
		}
	}
	return len(words)
}

// wordsThatFit returns the words of the longest prefix of text whose words all
// fit. A prefix ends at an NFC boundary, so that no letter loses its marks or
// part of its expansion.
func (c *composer) wordsThatFit(text string) []string {
	text = norm.NFC.String(text)
	prefix := func(n int) string { return text[:n+max(norm.NFC.FirstBoundaryInString(text[n:]), 0)] }
	fits := func(n int) bool {
		words := c.words(prefix(n))
		return c.fitting(words) == len(words)
	}
	end := 1
	for end < len(text) && fits(end) {
		end = min(2*end, len(text))
	}
	n := sort.Search(end, func(n int) bool { return !fits(n) })
	return c.words(prefix(max(n-1, 0)))
}

// words returns the words of a slug of unlimited length.
func (c *composer) words(text string) []string {
	text = c.bySign.apply(text)
	if c.options.Emoji {
		text = nameEmoji(text)
	}
	var words []string
	for word := range strings.SplitSeq(string(c.speller.append(nil, text)), "\x00") {
		if !c.options.SplitCamel {
			words = c.add(words, word)
			continue
		}
		// Normalise to NFC, so that no mark separates the letters at a
		// boundary.
		for _, part := range camel(norm.NFC.String(word)) {
			words = c.add(words, part)
		}
	}
	if len(c.byWord) == 0 {
		return words
	}
	return unwrap(c.byWord.apply(wrap(words)))
}

// add appends a word in its final form, unless it has no letter or digit or is
// a stop word. Lower-casing can undo NFC: H̱ is two runes, ẖ is one.
func (c *composer) add(words []string, word string) []string {
	if !strings.ContainsFunc(word, isLetterOrDigit) {
		return words
	}
	if !c.options.KeepCase && (c.options.SplitCamel || c.options.Unicode) {
		word = strings.ToLower(word)
	}
	if c.speller.unicode {
		word = norm.NFC.String(word)
	}
	if len(c.stop) > 0 && c.stop[strings.ToLower(word)] {
		return words
	}
	return append(words, word)
}
