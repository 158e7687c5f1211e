package slugify_test

import (
	"strings"
	"sync"
	"testing"
	"unicode"

	gosimple "github.com/gosimple/slug"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/slugify"
)

// Goroutines that build the tables at the same time agree with a later call.
// This is meaningful only in a process of its own, under -race.
func TestMake_concurrently(t *testing.T) {
	texts := []string{"Größe & Ähre", "影師嗎 iPhone", "Щука, жук", "𝐁𝐨𝐥𝐝 ½", "السلام", "e\u0301te\u0301", "plain ASCII", "Ꭰ ꭰ ქართული", "한국어", "नमस्ते"}
	const workers = 8
	got := make([][]string, workers)
	var wg sync.WaitGroup
	for n := range workers {
		wg.Go(func() {
			for i := range 500 {
				text := texts[(i+n)%len(texts)]
				got[n] = append(got[n], makeSlug(t, text, concurrentOptions(i)))
			}
		})
	}
	wg.Wait()
	for n := range workers {
		for i, slug := range got[n] {
			require.Equal(t, makeSlug(t, texts[(i+n)%len(texts)], concurrentOptions(i)), slug)
		}
	}
}

func concurrentOptions(i int) slugify.Options {
	return fuzzOptions(uint8(i), uint8(i/3), uint8(i%40), uint(i*7)%128)
}

// Every rune, at the beginning, within and at the end of a word, keeps the
// promises of a slug.
func TestMake_everyRune(t *testing.T) {
	if raceEnabled {
		t.Skip("is long, and of one goroutine")
	}
	var makers []*slugify.Maker
	options := []slugify.Options{{Separator: new("-")}, {Separator: new("-"), KeepCase: true}, {Separator: new("-"), Unicode: true}}
	for _, o := range options {
		maker, err := slugify.NewMaker(o)
		require.NoError(t, err)
		makers = append(makers, maker)
	}
	for r := range unicode.MaxRune + 1 {
		if r%sampleOf(r) != 0 {
			continue
		}
		for i, maker := range makers {
			slug := maker.Make(string(r) + " a" + string(r) + "B " + string(r))
			if err := checkSlug(slug, options[i]); err != nil || maker.Make(slug) != slug {
				t.Fatalf("%U gives %q: %v", r, slug, err)
			}
		}
	}
}

// sampleOf returns n if one in n of the runes like r is tested; runes of one
// kind are treated alike.
func sampleOf(r rune) rune {
	switch {
	case unicode.In(r, unicode.Han, unicode.Hangul):
		return 64
	case unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf):
		return 1
	default: // private use, surrogate or unassigned
		return 1024
	}
}

func TestMake_allocations(t *testing.T) {
	buf := make([]byte, 0, 1<<20)
	for name, text := range map[string]string{
		"ascii": "The Quick, Brown Fox & Co.", "accented": "Crème Brûlée à la façon de Zoë", "han": "影師嗎如何",
		"long": strings.Repeat("The Quick Brown Fox. ", 5000), "case": "ÆRLIG Ærlig ЩУКА",
	} {
		for _, o := range []slugify.Options{{}, {KeepCase: true}, {Language: "de"}, {MaxLength: 20}, {Separator: new("")}} {
			if o.KeepCase && name == "case" {
				continue // expansions in another case are made anew
			}
			assert.Zero(t, testing.AllocsPerRun(20, func() { _, _ = slugify.Append(buf, text, o) }), "Append %s %+v", name, o)
			if !raceEnabled { // under -race, pools drop items at random
				assert.LessOrEqual(t, testing.AllocsPerRun(20, func() { _, _ = slugify.Make(text, o) }), 1.0, "Make %s %+v", name, o)
			}
		}
	}
	slug := strings.Repeat("a-slug-already-", 100) + "x"
	assert.Zero(t, testing.AllocsPerRun(20, func() { _, _ = slugify.Make(slug, slugify.Options{}) }))
	assert.Zero(t, testing.AllocsPerRun(20, func() { slugify.Is(slug, slugify.Options{}) }))
}

// The package variables that configure gosimple/slug do not affect this
// package.
func TestMake_settingsOfGosimple(t *testing.T) {
	t.Cleanup(func() { gosimple.CustomRuneSub, gosimple.MaxLength, gosimple.Lowercase = nil, 0, true })
	gosimple.CustomRuneSub = map[rune]string{'ü': "XX", '&': "XX"}
	gosimple.MaxLength, gosimple.Lowercase = 3, false
	assert.Equal(t, "gruess-dich-und-mich", makeSlug(t, "Grüß dich & mich", slugify.Options{Language: "de"}))
}

// Growing the buffer within a text keeps what is written. The expansions are
// longer than their input, at every length of the buffer.
func TestAppend_growing(t *testing.T) {
	for _, text := range []string{"a&b&c@d", "影師嗎影師嗎", "щщщ щщщ", "x½x½x", "㍿㍿", "&&&&&&"} {
		want := makeSlug(t, text, slugify.Options{})
		for room := range 64 {
			dst := append(make([]byte, 0, room+1), '/')
			assert.Equal(t, "/"+want, string(appendSlug(t, dst, text, slugify.Options{})), "%q into %d", text, room)
			assert.Equal(t, "/"+want, string(appendSlug(t, dst, text, slugify.Options{MaxLength: len(want)})), "%q into %d", text, room)
			short := appendSlug(t, dst, text, slugify.Options{MaxLength: room + 1})
			assert.LessOrEqual(t, len(short), room+2, "%q", text)
			assert.True(t, strings.HasPrefix("/"+want, string(short)), "%q: %q", text, short)
		}
	}
}
