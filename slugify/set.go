package slugify

import (
	"context"
	"slices"
	"strconv"
)

// Set makes slugs of a stream of texts, each other than all before it: post,
// post-2, post-3. Adding takes constant time, however many texts are alike. A
// Set is for one goroutine at a time.
type Set struct {
	maker   *Maker
	options Options
	taken   map[string]struct{}
	next    map[numberPlace]int // the least number that may be free
}

// numberPlace is what stands before a number, and how many digits that has.
type numberPlace struct {
	base   string
	digits int
}

// NewSet returns an empty set whose slugs are made by these options. The error
// is that of [Options.Validate].
func NewSet(o Options) (*Set, error) {
	maker, err := NewMaker(o)
	if err != nil {
		return nil, err
	}
	return &Set{maker: maker, options: o, taken: make(map[string]struct{}), next: make(map[numberPlace]int)}, nil
}

// Add returns a slug of the text that no other text of the set has, numbered as
// by [Unique]. A text without a slug gives "" each time: give the options a
// Fallback. The error is [ErrNoRoom].
func (s *Set) Add(text string) (string, error) {
	slug := s.maker.Make(text)
	if slug == "" || s.Take(slug) {
		return slug, nil
	}
	for digits := 1; ; digits++ {
		base, ok := s.options.numberBase(slug, digits)
		if !ok {
			return "", ErrNoRoom
		}
		if numbered, ok := s.number(base, digits); ok {
			return numbered, nil
		}
	}
}

// number takes the least number of so many digits that is free behind base.
func (s *Set) number(base string, digits int) (string, bool) {
	least, most := power10(digits-1), power10(digits)-1
	key := numberPlace{base, digits}
	for n := max(s.next[key], least, 2); n <= most; n++ {
		if numbered := base + strconv.Itoa(n); s.Take(numbered) {
			s.next[key] = n + 1
			return numbered, true
		}
	}
	s.next[key] = most + 1
	return "", false
}

func power10(n int) int {
	p := 1
	for range n {
		p *= 10
	}
	return p
}

// Take notes a slug as taken, such as one that the store has already, and
// reports whether it was free.
func (s *Set) Take(slug string) bool {
	if _, ok := s.taken[slug]; ok {
		return false
	}
	s.taken[slug] = struct{}{}
	return true
}

// Len returns how many slugs are taken.
func (s *Set) Len() int { return len(s.taken) }

// UniqueIn is [Unique] over slugs that a database knows: taken returns which of
// the slugs that it is given are taken. It is given one slug, then eight times
// as many each time, up to 4096, so that a slug which a thousand rows have
// takes five queries. Of Options it reads Separator and MaxLength.
//
// What is free may be taken a moment later: let the database refuse a second
// one, and call UniqueIn again then. The error is that of Unique or that of
// taken.
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
