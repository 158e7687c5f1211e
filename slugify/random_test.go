package slugify_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/devkiln/devkiln/slugify"
)

// pieces are the text most likely to go wrong: letters whose length depends on
// case or form, marks that NFC joins or does not, signs that are words,
// separators, letters whose other case is in another script, halves of a Hangul
// syllable.
var pieces = strings.Split("a b c A B ab aB é É s S the und 1 ß ẞ ö ﬁ ½ ı i İ K Å ſ ℑ ǆ ǅ Щ щ Ά ά И 影 ٣ Ꭰ 𝐁 ᄀ ᅡ ♥ C++ # (, & @ ' ’ + - _ . : = ~", " ")

var hiddenPieces = []string{" ", " ", "e\u0301", "\u0301", "\u0323", "\u0308", "\u0331", "\u030c", "\u0345", "\u0338", "\u0306", "\u0344", "\u0958", "\u034f", "\u00ad", "\u200d", "\u200b", "\ufe0f", "\u20e3", "\x00", "\xff", "\xc3"}

// Slugs of random texts keep their promises with all combinations of options.
// The fuzz targets go further; this runs with every test.
func TestMake_randomTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	all := slices.Concat(pieces, hiddenPieces)
	for range 20_000 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(all[rng.IntN(len(all))])
		}
		text := b.String()
		o := fuzzOptions(uint8(rng.Uint32()), uint8(rng.Uint32()), uint8(rng.IntN(2)*rng.IntN(12)), uint(rng.Uint32()))
		maker, err := slugify.NewMaker(o)
		require.NoError(t, err)
		slug := maker.Make(text)
		err = checkSlug(slug, o)
		again, decomposed, is := maker.Make(slug), maker.Make(norm.NFD.String(text)), slug != "" && maker.Make(slug) == slug
		if err != nil || again != slug || decomposed != slug || is != (slug != "") {
			t.Fatalf("%+q by %+v gives %q: %v; slugged again %q, of NFD %q, Is %t", text, o, slug, err, again, decomposed, is)
		}
	}
}
