package slugify_test

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/slugify"
)

// rule is one case of testdata/rules. Quoted stands for Text where that cannot
// be written in JSON: a Go string with escapes.
type rule struct {
	Text      string  `json:"text"`
	Quoted    string  `json:"quoted"`
	Separator *string `json:"separator"`
	KeepCase  bool    `json:"keepCase"`
	Language  string  `json:"language"`
	MaxLength int     `json:"maxLength"`
	Slug      string  `json:"slug"`
}

func (r *rule) options() slugify.Options {
	return slugify.Options{Separator: r.Separator, KeepCase: r.KeepCase, Language: r.Language, MaxLength: r.MaxLength}
}

// rules reads every case, by the file that it stands in.
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

func TestRules(t *testing.T) {
	for name, cases := range rules(t) {
		t.Run(name, func(t *testing.T) {
			for _, c := range cases {
				o := c.options()
				assert.NoError(t, o.Validate(), "%q", c.Text)
				slug := slugify.Make(c.Text, o)
				assert.Equal(t, c.Slug, slug, "%q", c.Text)
				assert.Equal(t, slug, slugify.Make(slug, o), "%q again", c.Text)
			}
		})
	}
}
