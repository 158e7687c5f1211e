package slugify_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/slugify"
)

// pair is one input and its output from the tests of another library.
type pair struct {
	Source    string `json:"source"`
	Bucket    string `json:"bucket"`
	Text      string `json:"text"`
	Separator string `json:"separator"`
	Lowercase bool   `json:"lowercase"`
	Expected  string `json:"expected"`
}

// miss is a pair for which Make returns another slug, and the reason.
type miss struct {
	Source   string `json:"source"`
	Text     string `json:"text"`
	Expected string `json:"expected"`
	Ours     string `json:"ours"`
	Reason   string `json:"reason"`
}

func TestMake_peers(t *testing.T) {
	var pairs []pair
	decodeFile(t, "testdata/peers/pairs.json", &pairs)
	var misses []miss
	decodeFile(t, "testdata/peers/misses.json", &misses)
	known := make(map[[4]string]bool)
	for _, m := range misses {
		assert.NotEmpty(t, m.Reason, "%q", m.Text)
		known[[4]string{m.Source, m.Text, m.Expected, m.Ours}] = false
	}

	right, all := map[string]int{}, map[string]int{}
	for _, p := range pairs {
		ours, err := slugify.Make(p.Text, slugify.Options{Separator: &p.Separator, KeepCase: !p.Lowercase})
		if p.Separator == " " || len(p.Separator) > 1 {
			assert.ErrorContains(t, err, "separator: ", "%q is no separator of ours", p.Separator)
			continue
		}
		require.NoError(t, err)
		all[p.Bucket]++
		if ours == p.Expected {
			right[p.Bucket]++
			continue
		}
		if p.Bucket != "core" && p.Bucket != "translit-table" {
			continue
		}
		key := [4]string{p.Source, p.Text, p.Expected, ours}
		if _, ok := known[key]; !ok {
			t.Errorf("%s: %q gives %q, not %q, and is not in misses.json", p.Bucket, p.Text, ours, p.Expected)
			continue
		}
		known[key] = true
	}
	for key, seen := range known {
		assert.True(t, seen, "no miss any more: %q", key)
	}
	for _, bucket := range slices.Sorted(maps.Keys(all)) {
		t.Logf("%-60s %3d of %3d", bucket, right[bucket], all[bucket])
	}
	assert.GreaterOrEqual(t, float64(right["core"])/float64(all["core"]), 0.97)
	assert.GreaterOrEqual(t, float64(right["translit-table"])/float64(all["translit-table"]), 0.85)
}

// makeSlug makes a slug with valid options.
func makeSlug(t testing.TB, text string, o slugify.Options) string {
	t.Helper()
	slug, err := slugify.Make(text, o)
	require.NoError(t, err, "%+v", o)
	return slug
}

// appendSlug appends a slug with valid options.
func appendSlug(t testing.TB, dst []byte, text string, o slugify.Options) []byte {
	t.Helper()
	out, err := slugify.Append(dst, text, o)
	require.NoError(t, err, "%+v", o)
	return out
}

// decodeFile reads a file of test data. An unknown key is an error.
func decodeFile(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(v), name)
}
