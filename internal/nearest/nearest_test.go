package nearest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/devkiln/devkiln/internal/nearest"
)

func TestName(t *testing.T) {
	known := []string{"title", "expiry", "format", "colors", "a-b", "cat2", "cat3", "24h"}
	for typed, want := range map[string]string{
		"TITLE":    "title",  // differs only in case
		"tilte":    "title",  // two neighbours swapped
		"expiri":   "expiry", // one replaced
		"formt":    "format", // one missing
		"colours":  "colors", // one too many
		"coluors":  "colors", // swapped, and one too many
		"frmta":    "format", // two edits are a third of its length
		"cat1":     "cat2",   // the first of two that are equally near
		"tlt":      "",       // two edits are more than a third of title
		"b-a":      "",
		"2h":       "", // another value, not a mistyped one
		"24H":      "24h",
		"language": "",
		"":         "",
	} {
		assert.Equal(t, want, nearest.Name(typed, known), typed)
	}
	assert.Empty(t, nearest.Name("title", nil))
}
