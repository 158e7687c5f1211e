// Package slugify turns text of any script into slugs.
package slugify

import (
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
// it is by [Make].
func Is(slug string, o Options) bool {
	if o.simple() {
		return o.isSlug(slug)
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
