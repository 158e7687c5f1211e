package slugify_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/slugify"
)

// rule is one case of testdata/rules. Quoted replaces a Text that JSON cannot
// express: a Go string with escapes. Source is where a spelling is published.
type rule struct {
	slugify.Options

	Text   string `json:"text"`
	Quoted string `json:"quoted"`
	Slug   string `json:"slug"`
	Source string `json:"source"`
}

// rules reads all cases, by file.
func rules(t *testing.T) map[string][]rule {
	t.Helper()
	names, err := filepath.Glob("testdata/rules/*.json")
	require.NoError(t, err)
	all := make(map[string][]rule)
	for _, name := range names {
		var cases []rule
		decodeFile(t, name, &cases)
		for i := range cases {
			if cases[i].Quoted != "" {
				cases[i].Text, err = strconv.Unquote(`"` + cases[i].Quoted + `"`)
				require.NoError(t, err, cases[i].Quoted)
			}
		}
		all[filepath.Base(name)] = cases
	}
	return all
}

func TestMake_rules(t *testing.T) {
	for name, cases := range rules(t) {
		t.Run(name, func(t *testing.T) {
			for _, c := range cases {
				o := c.Options
				assert.NoError(t, o.Validate(), "%q", c.Text)
				slug := makeSlug(t, c.Text, o)
				assert.Equal(t, c.Slug, slug, "%q", c.Text)
				assert.Equal(t, slug, makeSlug(t, slug, o), "%q again", c.Text)
				assert.Equal(t, slug != "", slugify.Is(slug, o), "%q", slug)
			}
		})
	}
}

// The test data stays broad: it does not lose a file or a script.
func TestRules_manyScripts(t *testing.T) {
	count, scripts := 0, map[string]bool{}
	for _, cases := range rules(t) {
		count += len(cases)
		for _, c := range cases {
			for _, r := range c.Text {
				for name, script := range unicode.Scripts {
					if unicode.Is(script, r) {
						scripts[name] = true
					}
				}
			}
		}
	}
	t.Logf("%d cases in %d scripts", count, len(scripts))
	assert.GreaterOrEqual(t, count, 200)
	assert.GreaterOrEqual(t, len(scripts)-2, 25, "besides Common and Inherited: %v", slices.Sorted(maps.Keys(scripts)))
}

// Every title spelled by a standard names the publication that the spelling is
// from.
func TestRules_standardsNameTheirSource(t *testing.T) {
	titles := map[string]int{}
	for _, c := range rules(t)["standards.json"] {
		assert.NotEmpty(t, c.Source, c.Text)
		titles[c.Language]++
	}
	for _, language := range []string{"bg", "el", "hy", "ja", "ka", "mk", "sr", "uk", "zh"} {
		assert.GreaterOrEqual(t, titles[language], 20, language)
	}
}
