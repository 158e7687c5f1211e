// Package slugify turns text of any script into slugs for URLs and file names.
//
// [Make] is the place to start: Make("Crème Brûlée!", Options{}) is
// creme-brulee. [Append] does the same into a buffer, [Is] tells whether a text
// is a slug already, [Unique] numbers slugs that are taken. What can be chosen
// stands in [Options]; [Options.Validate] checks choices that a user makes.
//
// A slug is made by these rules, in this order:
//
//   - Bytes that are not UTF-8 are a break between words. The text is put into
//     NFC, so that it does not matter how its accents are written.
//   - Letters become what the language's table says, and else the Latin letters
//     that github.com/gosimple/unidecode has for them, but for a short list
//     where those are missing or misleading. What is left is read by its
//     compatibility decomposition: 𝐁𝐨𝐥𝐝 is bold, ½ is 1-2.
//   - The slug holds a–z and 0–9 (A–Z too where case is kept) and the
//     separator, which never leads, trails or doubles.
//   - Apostrophes vanish, also those that transliteration makes: don't is dont,
//     фильм is film. So do the soft hyphen, joiners, byte order marks and marks
//     of direction.
//   - & and @ are words: AT&T is at-and-t. So are currency signs, © ® and ™.
//   - All else is a break: my🎉party is my-party, my_party too, and 1.5 is 1-5.
//   - Slugging a slug changes nothing, by all options that are valid.
//
// Functions may be called from many goroutines. Tables are made when a text
// first needs them; ASCII needs none. By Options that name no Preserve,
// Replace, StopWords, Unicode or SplitCamel a slug takes one pass over the text
// and no memory but for the result, unless the text is not in NFC. Those five
// look at whole words and take about ten times as long. Time and memory are in
// proportion to the text by all options.
//
// The spelling of letters is not promised to stay the same between versions:
// keep slugs, do not make them anew. Transliteration knows letters, not words:
// Japanese Han is read as Chinese, Arabic and Hebrew without their vowels, and
// scripts that unidecode does not know give nothing.
package slugify

import (
	"strings"
	"sync"
)

// Make returns the slug of a text, "" when the text holds nothing to make one
// of and Options no Fallback. A text that is a slug already is returned as it
// is, without an allocation.
func Make(text string, o Options) string {
	if o.simple() && o.isSlug(text) {
		return text
	}
	buf := scratch.Get().(*[]byte)
	*buf = Append((*buf)[:0], text, o)
	slug := text
	if string(*buf) != text {
		slug = string(*buf)
	}
	if cap(*buf) <= maxScratch {
		scratch.Put(buf)
	}
	return slug
}

// scratch holds buffers in which slugs are made, of up to maxScratch bytes.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

const maxScratch = 1 << 20

// Append appends the slug of a text, as [Make] returns it, to dst.
func Append(dst []byte, text string, o Options) []byte {
	if o.simple() {
		return o.appendSimple(dst, text)
	}
	return o.orFallback(dst, o.composer().append(dst, text))
}

func (o *Options) appendSimple(dst []byte, text string) []byte {
	p := o.plan()
	return o.orFallback(dst, p.append(dst, text))
}

// orFallback returns out, or dst with the fallback's slug behind it when out
// has nothing behind dst.
func (o *Options) orFallback(dst, out []byte) []byte {
	if len(out) > len(dst) || o.Fallback == "" {
		return out
	}
	last := *o
	last.Fallback = ""
	return Append(out, o.Fallback, last)
}

// Is reports whether a text is a slug by these options: not empty, and left as
// it is by [Make]. By a separator that is not legal only a single word is one.
func Is(slug string, o Options) bool {
	if o.simple() {
		return o.isSlug(slug)
	}
	if s := o.separator(); !legalSeparator(s) && strings.Contains(slug, s) {
		return false
	}
	return slug != "" && Make(slug, o) == slug
}

// isSlug is Is for simple options.
func (o *Options) isSlug(text string) bool {
	letters, separator := lowering, byte('-')
	if o.Separator != nil {
		separator = 0
		if *o.Separator != "" {
			separator = (*o.Separator)[0]
		}
	}
	if o.KeepCase {
		letters = keeping
	}
	if text == "" || o.MaxLength > 0 && len(text) > o.MaxLength {
		return false
	}
	open := true // a separator may not stand here
	for i := range len(text) {
		c := text[i]
		switch {
		case letters[c] == c && c != 0:
			open = false
		case c == separator && !open && c != 0:
			open = true
		default:
			return false
		}
	}
	return !open
}
