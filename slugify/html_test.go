package slugify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/devkiln/devkiln/slugify"
)

// Unclosed HTML takes linear time; quadratic time would be hours.
func TestMake_hostileHTML(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	for _, part := range []string{"<", "<1", "<a", "<a '", "</", "<!--", "<script>", "&", "&#", "<a \"><"} {
		text := "x " + strings.Repeat(part, 1<<17)
		slug := makeSlug(t, text, slugify.Options{HTML: true, MaxLength: 10})
		assert.True(t, strings.HasPrefix(slug, "x"), "%q: %q", part, slug)
	}
}
