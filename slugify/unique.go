package slugify

import (
	"errors"
	"math"
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
// MaxLength of the options. For a stream of texts see [Set].
//
// The error is [ErrNoRoom], or joins an option error for each invalid option.
func Unique(slug string, taken func(string) bool, o Options) (string, error) {
	if err := o.faults().Err(); err != nil {
		return "", err
	}
	if !taken(slug) {
		return slug, nil
	}
	return o.numbered(slug, make(map[numbers]int), func(slug string) bool { return !taken(slug) })
}

// numbers are those of some digits behind a base.
type numbers struct {
	base   string
	digits int
}

// numbered returns the slug with the first number that take takes. next holds
// the numbers to try next; all before them are taken.
func (o *Options) numbered(slug string, next map[numbers]int, take func(string) bool) (string, error) {
	for digits := 1; ; digits++ {
		base, ok := o.numberBase(slug, digits)
		if !ok {
			return "", ErrNoRoom
		}
		first, end := max(int(math.Pow10(digits-1)), 2), int(math.Pow10(digits))
		place := numbers{base, digits}
		for n := max(next[place], first); n < end; n++ {
			next[place] = n + 1
			if numbered := base + strconv.Itoa(n); take(numbered) {
				return numbered, nil
			}
		}
	}
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

// Set makes slugs for a stream of texts, each different from all before it:
// post, post-2, post-3. Adding a text takes constant time, however many texts
// are alike. A Set must not be used by several goroutines at once. Make one
// with [NewSet]: the methods of the zero Set panic.
type Set struct {
	maker   *Maker
	options Options
	taken   map[string]bool
	next    map[numbers]int
}

// NewSet returns an empty set that makes slugs with these options. The error is
// that of [Options.Validate].
func NewSet(o Options) (*Set, error) {
	maker, err := NewMaker(o)
	if err != nil {
		return nil, err
	}
	return &Set{maker: maker, options: o, taken: make(map[string]bool), next: make(map[numbers]int)}, nil
}

// Add returns a slug of text that no other text of the set has, numbered as by
// [Unique]. A text without a slug gives "" each time; set Options.Fallback to
// avoid that. The error is [ErrNoRoom].
func (s *Set) Add(text string) (string, error) {
	slug := s.maker.Make(text)
	if slug == "" || s.Take(slug) {
		return slug, nil
	}
	return s.options.numbered(slug, s.next, s.Take)
}

// Take marks a slug as taken, for example one that a database already holds,
// and reports whether it was free.
func (s *Set) Take(slug string) bool {
	isFree := !s.taken[slug]
	s.taken[slug] = true
	return isFree
}
