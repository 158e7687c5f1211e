package slugify

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Set makes slugs for a stream of texts, each different from all before it:
// post, post-2, post-3. Adding a text takes constant time, however many texts
// are alike, and numbered slugs take no memory. A Set must not be used by
// several goroutines at once. Make one with [NewSet]: the methods of the zero
// Set panic.
type Set struct {
	maker    *Maker
	options  Options
	taken    map[string]struct{} // except the slugs that the set numbered
	places   map[numberPlace]*numbers
	last     map[string]*numbers // by slug: the numbers to try when it is added again
	numbered int                 // how many slugs the set numbered
}

// numberPlace is what precedes a number, and the number of its digits.
type numberPlace struct {
	base   string
	digits int
}

// numbers are the numbers of one place; all before next are taken.
type numbers struct {
	numberPlace

	next int
}

func (p numberPlace) least() int { return max(int(math.Pow10(p.digits-1)), 2) }

// NewSet returns an empty set that makes slugs with these options. The error is
// that of [Options.Validate].
func NewSet(o Options) (*Set, error) {
	maker, err := NewMaker(o)
	if err != nil {
		return nil, err
	}
	return &Set{maker: maker, options: o, taken: make(map[string]struct{}), places: make(map[numberPlace]*numbers), last: make(map[string]*numbers)}, nil
}

// Add returns a slug of text that no other text of the set has, numbered as by
// [Unique]. A text without a slug gives "" each time; set Options.Fallback to
// avoid that. The error is [ErrNoRoom].
func (s *Set) Add(text string) (string, error) {
	slug := s.maker.Make(text)
	if slug == "" || s.Take(slug) {
		return slug, nil
	}
	n := s.last[slug]
	if n == nil {
		n = &numbers{next: 1}
	}
	for {
		if numbered, ok := s.number(n); ok {
			return numbered, nil
		}
		base, ok := s.options.numberBase(slug, n.digits+1)
		if !ok {
			return "", ErrNoRoom
		}
		n = s.numbersOf(numberPlace{base, n.digits + 1})
		s.last[slug] = n
	}
}

func (s *Set) numbersOf(place numberPlace) *numbers {
	n := s.places[place]
	if n == nil {
		n = &numbers{place, place.least()}
		s.places[place] = n
	}
	return n
}

// number takes the least free number of a place.
func (s *Set) number(n *numbers) (string, bool) {
	for n.next < int(math.Pow10(n.digits)) {
		numbered := n.base + strconv.Itoa(n.next)
		isFree := !s.has(numbered)
		n.next++
		if isFree {
			s.numbered++
			return numbered, true
		}
	}
	return "", false
}

// Take marks a slug as taken, for example one that a database already holds,
// and reports whether it was free.
func (s *Set) Take(slug string) bool {
	if s.has(slug) {
		return false
	}
	s.taken[slug] = struct{}{}
	return true
}

// has reports whether a slug is taken, by itself or as a number of a place.
func (s *Set) has(slug string) bool {
	if _, ok := s.taken[slug]; ok {
		return true
	}
	const most = 18 // digits that always fit an int
	for digits := 1; digits <= min(most, len(slug)); digits++ {
		base, number := slug[:len(slug)-digits], slug[len(slug)-digits:]
		if number[0] < '0' || number[0] > '9' {
			return false
		}
		if base != "" && !strings.HasSuffix(base, s.options.separator()) {
			continue
		}
		place := numberPlace{base, digits}
		value, _ := strconv.Atoi(number)
		if n := s.places[place]; n != nil && place.least() <= value && value < n.next {
			return true
		}
	}
	return false
}

// Len returns the number of slugs taken.
func (s *Set) Len() int { return len(s.taken) + s.numbered }

// UniqueIn is like [Unique] for slugs in a database: taken returns which of the
// given slugs are taken. It is given one slug first, then eight times as many
// each time, up to 4096, so that a slug that a thousand rows share takes five
// queries. UniqueIn uses only Separator and MaxLength of the options.
//
// A free slug may be taken a moment later: let the database reject duplicates,
// and then call UniqueIn again. The error is that of Unique or of taken.
func UniqueIn(ctx context.Context, slug string, taken func(ctx context.Context, slugs []string) ([]string, error), o Options) (string, error) {
	const most = 4096
	if err := o.checkSimple(); err != nil {
		return "", err
	}
	candidates := []string{slug}
	for n, count := 2, 8; len(candidates) > 0; count = min(8*count, most) {
		found, err := taken(ctx, slices.Clone(candidates))
		if err != nil {
			return "", err
		}
		found = slices.Sorted(slices.Values(found))
		for _, candidate := range candidates {
			if _, is := slices.BinarySearch(found, candidate); !is {
				return candidate, nil
			}
		}
		candidates = nil
		for ; len(candidates) < count; n++ {
			numbered, ok := o.numbered(slug, strconv.Itoa(n))
			if !ok {
				break
			}
			candidates = append(candidates, numbered)
		}
	}
	return "", ErrNoRoom
}
