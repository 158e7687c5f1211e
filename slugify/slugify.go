// Package slugify turns text of any script into slugs.
package slugify

import "strings"

// Make returns the slug of a text: lower-case words of a–z and 0–9, joined by
// the separator. A text that holds nothing to make a slug of gives "".
func Make(text string, o Options) string {
	var buf [128]byte
	return string(Append(buf[:0], text, o))
}

// Append appends the slug of a text to dst.
func Append(dst []byte, text string, o Options) []byte {
	p := o.plan()
	if o.Separator != nil && !legalSeparator(*o.Separator) {
		return p.appendJoined(dst, text, *o.Separator)
	}
	return p.append(dst, text)
}

// appendJoined writes words with a separator that the pass does not know: an
// illegal one, which is taken as it stands.
func (p *plan) appendJoined(dst []byte, text, separator string) []byte {
	p.separator = 0
	return append(dst, strings.ReplaceAll(string(p.append(nil, text)), "\x00", separator)...)
}
