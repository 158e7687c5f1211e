package slugify_test

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/slugify"
)

func TestUnique(t *testing.T) {
	var cases []struct {
		Slug      string   `json:"slug"`
		Taken     []string `json:"taken"`
		Separator *string  `json:"separator"`
		MaxLength int      `json:"maxLength"`
		Want      string   `json:"want"`
		Full      bool     `json:"full"` // the error is ErrNoRoom
	}
	decodeFile(t, "testdata/unique.json", &cases)
	for _, c := range cases {
		o := slugify.Options{Separator: c.Separator, MaxLength: c.MaxLength}
		var asked []string
		got, err := slugify.Unique(c.Slug, func(slug string) bool {
			asked = append(asked, slug)
			return slices.Contains(c.Taken, slug)
		}, o)
		if c.Full {
			assert.ErrorIs(t, err, slugify.ErrNoRoom, "%+v", c)
		} else {
			assert.NoError(t, err)
		}
		assert.Equal(t, c.Want, got, "%+v", c)
		assert.Equal(t, len(asked), len(slices.Compact(slices.Sorted(slices.Values(asked)))), "asked twice: %v", asked)
		for _, slug := range asked[1:] {
			assert.True(t, c.MaxLength == 0 || utf8.RuneCountInString(slug) <= c.MaxLength, "%q", slug)
		}
	}
}

// A Set returns what Unique returns for all slugs that the Set returned before.
func TestSet_likeUnique(t *testing.T) {
	titles := []string{"Foo", "foo", "foo-2", "Foo 2", "Foo", "Foobar", "Foobar", "Foobars", "Foobars", "F", "F", "", "?", "Foo", "foo 2 2", "Foo 2"}
	for _, o := range []slugify.Options{{}, {MaxLength: 6}, {MaxLength: 4}, {Separator: new("")}, {Separator: new("_"), MaxLength: 5}, {Fallback: "x"}} {
		set, err := slugify.NewSet(o)
		require.NoError(t, err)
		taken := map[string]bool{}
		for range 12 {
			for _, title := range titles {
				got, err := set.Add(title)
				require.NoError(t, err)
				want := makeSlug(t, title, o)
				if want != "" {
					want, err = slugify.Unique(want, func(slug string) bool { return taken[slug] }, o)
					require.NoError(t, err)
					taken[want] = true
				}
				require.Equal(t, want, got, "%q by %+v", title, o)
			}
		}
	}
}

func TestSet_full(t *testing.T) {
	set, err := slugify.NewSet(slugify.Options{MaxLength: 1})
	require.NoError(t, err)
	for _, want := range []string{"a", "2", "3", "4", "5", "6", "7", "8", "9"} {
		slug, err := set.Add("a")
		require.NoError(t, err)
		require.Equal(t, want, slug)
	}
	_, err = set.Add("a")
	assert.ErrorIs(t, err, slugify.ErrNoRoom)
	assert.False(t, set.Take("a"))
	assert.True(t, set.Take("b"))
}
