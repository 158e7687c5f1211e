package slugify_test

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/devkiln/devkiln/slugify"
)

func TestUnique(t *testing.T) {
	var cases []struct {
		Slug      string   `json:"slug"`
		Taken     []string `json:"taken"`
		Separator *string  `json:"separator"`
		MaxLength int      `json:"maxLength"`
		Want      string   `json:"want"`
	}
	decodeFile(t, "testdata/unique.json", &cases)
	for _, c := range cases {
		o := slugify.Options{Separator: c.Separator, MaxLength: c.MaxLength}
		var asked []string
		got := slugify.Unique(c.Slug, func(slug string) bool {
			asked = append(asked, slug)
			return slices.Contains(c.Taken, slug)
		}, o)
		assert.Equal(t, c.Want, got, "%+v", c)
		assert.Equal(t, len(asked), len(slices.Compact(slices.Sorted(slices.Values(asked)))), "asked twice: %v", asked)
		for _, slug := range asked[1:] {
			assert.True(t, c.MaxLength == 0 || utf8.RuneCountInString(slug) <= c.MaxLength, "%q", slug)
		}
	}
}
