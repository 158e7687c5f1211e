package slugify

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrNoRoom is returned when no free number fits into MaxLength.
var ErrNoRoom = errors.New("slugify: every number that MaxLength has room for is taken")

// Unique returns slug if it is not taken, and otherwise the first free one of
// post-2, post-3 and so on: the slug, the separator and a number. It calls
// taken once for each candidate until taken returns false. To fit MaxLength it
// shortens the slug, between words if possible. It uses only Separator and
// MaxLength of the options. For slugs in a database see [UniqueIn], for a
// stream of texts [Set].
//
// The error is [ErrNoRoom], or joins an option error for each invalid option.
func Unique(slug string, taken func(string) bool, o Options) (string, error) {
	if err := o.checkSimple(); err != nil {
		return "", err
	}
	if !taken(slug) {
		return slug, nil
	}
	for n := 2; ; n++ {
		candidate, ok := o.numbered(slug, strconv.Itoa(n))
		if !ok {
			return "", ErrNoRoom
		}
		if !taken(candidate) {
			return candidate, nil
		}
	}
}

// numbered appends a number to a slug, which it truncates or drops to make
// room, and reports whether the number fits.
func (o *Options) numbered(slug, number string) (string, bool) {
	base, ok := o.numberBase(slug, len(number))
	return base + number, ok
}

// numberBase returns what precedes a number of that many digits: the slug,
// truncated if necessary, and the separator. It reports whether the number
// fits.
func (o *Options) numberBase(slug string, digits int) (string, bool) {
	separator := o.separator()
	if o.MaxLength > 0 {
		if digits > o.MaxLength {
			return "", false
		}
		slug = cutSlug(slug, separator, o.MaxLength-digits-utf8.RuneCountInString(separator))
	}
	if slug == "" {
		return "", true
	}
	return slug + separator, true
}

// cutSlug truncates a slug to a length in characters, between words if
// possible.
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
