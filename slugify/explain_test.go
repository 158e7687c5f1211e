package slugify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/slugify"
)

// explanation is one case of testdata/explain.json. A step is written as its
// text, ">", its result, ": " and the rule.
type explanation struct {
	options

	Text  string   `json:"text"`
	Slug  string   `json:"slug"`
	Steps []string `json:"steps"`
}

func TestExplain(t *testing.T) {
	var cases []explanation
	decodeFile(t, "testdata/explain.json", &cases)
	for _, c := range cases {
		x, err := slugify.Explain(c.Text, slugify.Options(c.options))
		require.NoError(t, err)
		steps := []string{}
		for _, s := range x.Steps {
			steps = append(steps, s.Text+">"+s.Became+": "+string(s.Rule))
		}
		assert.Equal(t, c.Slug, x.Slug, "%q", c.Text)
		assert.Equal(t, c.Steps, steps, "%q", c.Text)
	}
}

// An explanation agrees with the slug: the results of its steps form the slug,
// in all cases of testdata/rules.
func TestExplain_lettersOfTheSlug(t *testing.T) {
	for name, cases := range rules(t) {
		for _, c := range cases {
			o := slugify.Options(c.options)
			x, err := slugify.Explain(c.Text, o)
			require.NoError(t, err, name)
			assert.Equal(t, c.Slug, x.Slug, "%s: %q", name, c.Text)
			if o.MaxLength > 0 || o.Replace != nil || o.StopWords != nil || o.Fallback != "" || o.Unicode || o.SplitCamel || o.HTML || o.Emoji || o.Preserve != "" {
				continue
			}
			separator := "-"
			if o.Separator != nil {
				separator = *o.Separator
			}
			var letters strings.Builder
			for _, s := range x.Steps {
				letters.WriteString(strings.ReplaceAll(s.Became, " ", ""))
			}
			want := c.Slug
			if separator != "" {
				want = strings.ReplaceAll(want, separator, "")
			}
			assert.Equal(t, want, letters.String(), "%s: %q", name, c.Text)
		}
	}
}

func TestExplain_illegalOptions(t *testing.T) {
	x, err := slugify.Explain("a", slugify.Options{MaxLength: -1, Language: "german"})
	assert.ErrorContains(t, err, "maxLength: ")
	assert.ErrorContains(t, err, "language: ")
	assert.Empty(t, x)
}
