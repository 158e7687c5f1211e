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

// Goroutines that all meet the tables for the first time agree with what one
// finds later. It only tells something in a process of its own, under -race.
func TestConcurrentCallsAgree(t *testing.T) {
	texts := []string{"Größe & Ähre", "影師嗎 iPhone", "Щука, жук", "𝐁𝐨𝐥𝐝 ½", "السلام", "e\u0301te\u0301", "plain ASCII", "Ꭰ ꭰ ქართული", "한국어", "नमस्ते"}
	const workers = 8
	got := make([][]string, workers)
	var wg sync.WaitGroup
	for n := range workers {
		wg.Go(func() {
			for i := range 500 {
				text := texts[(i+n)%len(texts)]
				got[n] = append(got[n], slugify.Make(text, concurrentOptions(i)))
			}
		})
	}
	wg.Wait()
	for n := range workers {
		for i, slug := range got[n] {
			require.Equal(t, slugify.Make(texts[(i+n)%len(texts)], concurrentOptions(i)), slug)
		}
	}
}

func concurrentOptions(i int) slugify.Options {
	return fuzzOptions(uint8(i), uint8(i/3), uint8(i%40), uint(i*7)%128)
}

// Every rune, alone and within a word, keeps the promises of a slug.
func TestEveryRune(t *testing.T) {
	if raceEnabled {
		t.Skip("is long, and of one goroutine")
	}
	plain, upper, kept := slugify.Options{Separator: new("-")}, slugify.Options{Separator: new("-"), KeepCase: true}, slugify.Options{Separator: new("-"), Unicode: true}
	for r := range unicode.MaxRune + 1 {
		text := string(r)
		alike := unicode.In(r, unicode.Co, unicode.Han, unicode.Hangul) || !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C)
		if alike && r%64 != 0 {
			continue
		}
		for _, o := range []slugify.Options{plain, upper, kept} {
			for _, text := range []string{text, "a" + text + "B"} {
				slug := slugify.Make(text, o)
				if err := checkSlug(slug, o); err != nil || slugify.Make(slug, o) != slug {
					t.Fatalf("%U: %q gives %q: %v", r, text, slug, err)
				}
			}
		}
	}
}

func TestAllocations(t *testing.T) {
	buf := make([]byte, 0, 1<<20)
	for name, text := range map[string]string{
		"ascii": "The Quick, Brown Fox & Co.", "accented": "Crème Brûlée à la façon de Zoë", "han": "影師嗎如何",
		"long": strings.Repeat("The Quick Brown Fox. ", 5000), "case": "ÆRLIG Ærlig ЩУКА",
	} {
		for _, o := range []slugify.Options{{}, {KeepCase: true}, {Language: "de"}, {MaxLength: 20}, {Separator: new("")}} {
			assert.Zero(t, testing.AllocsPerRun(20, func() { slugify.Append(buf, text, o) }), "Append %s %+v", name, o)
			if !raceEnabled { // where pools forget at random
				assert.LessOrEqual(t, testing.AllocsPerRun(20, func() { slugify.Make(text, o) }), 1.0, "Make %s %+v", name, o)
			}
		}
	}
	slug := strings.Repeat("a-slug-already-", 100) + "x"
	assert.Zero(t, testing.AllocsPerRun(20, func() { slugify.Make(slug, slugify.Options{}) }))
	assert.Zero(t, testing.AllocsPerRun(20, func() { slugify.Is(slug, slugify.Options{}) }))
}

// gosimple/slug is set by package variables. They do not reach us.
func TestSettingsOfGosimpleDoNotReachUs(t *testing.T) {
	t.Cleanup(func() { gosimple.CustomRuneSub, gosimple.MaxLength, gosimple.Lowercase = nil, 0, true })
	gosimple.CustomRuneSub = map[rune]string{'ü': "XX", '&': "XX"}
	gosimple.MaxLength, gosimple.Lowercase = 3, false
	assert.Equal(t, "gruess-dich-und-mich", slugify.Make("Grüß dich & mich", slugify.Options{Language: "de"}))
}

// Growing the buffer in the middle of a text keeps what is written: expansions
// that are longer than what they stand for, at every length of the buffer.
func TestAppendGrowsAnywhere(t *testing.T) {
	for _, text := range []string{"a&b&c@d", "影師嗎影師嗎", "щщщ щщщ", "x½x½x", "㍿㍿", "&&&&&&"} {
		want := slugify.Make(text, slugify.Options{})
		for room := range 64 {
			dst := append(make([]byte, 0, room+1), '/')
			assert.Equal(t, "/"+want, string(slugify.Append(dst, text, slugify.Options{})), "%q into %d", text, room)
			assert.Equal(t, "/"+want, string(slugify.Append(dst, text, slugify.Options{MaxLength: len(want)})), "%q into %d", text, room)
			short := slugify.Append(dst, text, slugify.Options{MaxLength: room + 1})
			assert.LessOrEqual(t, len(short), room+2, "%q", text)
			assert.True(t, strings.HasPrefix("/"+want, string(short)), "%q: %q", text, short)
		}
	}
}
