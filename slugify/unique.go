package slugify

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Unique returns the slug itself when it is not taken, and else the first of
// post-2, post-3 and so on that is not: the slug, the separator and a number.
// It asks taken once for each, until taken says no. By MaxLength the slug is
// cut so that the number fits, between words if it can be; Unique returns ""
// when MaxLength has no room for a number that is free. Of Options it reads
// Separator and MaxLength.
//
// What is free may be taken a moment later: let the place that keeps slugs
// refuse a second one, and call Unique again then.
func Unique(slug string, taken func(string) bool, o Options) string {
	if !taken(slug) {
		return slug
	}
	for n := 2; ; n++ {
		candidate, ok := o.numbered(slug, strconv.Itoa(n))
		if !ok {
			return ""
		}
		if !taken(candidate) {
			return candidate
		}
	}
}

// numbered puts a number behind a slug, by itself where there is no room for
// more, and reports whether it fits.
func (o *Options) numbered(slug, number string) (string, bool) {
	separator := o.separator()
	if o.MaxLength > 0 {
		if len(number) > o.MaxLength {
			return "", false
		}
		slug = cutSlug(slug, separator, o.MaxLength-len(number)-utf8.RuneCountInString(separator))
	}
	if slug == "" {
		return number, true
	}
	return slug + separator + number, true
}

// cutSlug cuts a slug to a length in characters: between words if it can.
func cutSlug(slug, separator string, length int) string {
	if utf8.RuneCountInString(slug) <= length {
		return slug
	}
	end := 0
	for range max(length, 0) {
		_, size := utf8.DecodeRuneInString(slug[end:])
		end += size
	}
	if separator == "" || strings.HasPrefix(slug[end:], separator) {
		return slug[:end]
	}
	if edge := strings.LastIndex(slug[:end], separator); edge > 0 {
		return slug[:edge]
	}
	return slug[:end]
}
