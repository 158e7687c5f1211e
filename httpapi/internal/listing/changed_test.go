package listing_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/devkiln/devkiln/httpapi/internal/listing"
)

// What changed within the lines of a diff stands in brackets here: in whole
// words, and only in lines that have much in common.
func TestChanged(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a word":               "-a [red] kiln\n+a [blue] kiln",
		"part of a word":       "-[colours] of it\n+[colors] of it",
		"at the end":           "-return before[ - back];\n+return before;",
		"only added":           "-f(a)\n+f(a[, b])",
		"other letters":        "-der [Öfen] nah\n+der [Ofen] nah",
		"indentation is none":  "-        x = [1]\n+        x = [2]",
		"little in common":     "-return a;\n+// a comment that says much more than that",
		"lines between":        "-const limit = [30];\n+// Days.\n+const limit = [60];",
		"each once":            "-a = [1];\n-b = [1];\n+a = [2];\n+b = [2];",
		"not across a context": "-a = 1;\n c\n+a = 2;",
		"two groups":           "-a = [1];\n-x\n+a = [2];\n-b = [1];\n+b = [2];",
		"added first":          "+a = 1;\n-a = 2;",
		"only blanks":          "-\n+",
		"the same":             "-a\n+a",
		"long":                 "-" + strings.Repeat("a ", 1000) + "b\n+" + strings.Repeat("a ", 1000) + "c",
		"far":                  strings.Repeat("-z\n", 8) + "-a = 1;\n+a = 2;",
	} {
		lines := strings.Split(strings.NewReplacer("[", "", "]", "").Replace(want), "\n")
		changed := listing.Changed(lines)
		for i, at := range changed {
			if at[0] < at[1] {
				lines[i] = lines[i][:at[0]] + "[" + lines[i][at[0]:at[1]] + "]" + lines[i][at[1]:]
			}
		}
		assert.Equal(t, want, strings.Join(lines, "\n"), name)
	}
}

// Marks stand within the colours of a line, and are not in the head of a file.
func TestCode_changed(t *testing.T) {
	t.Parallel()
	const diff = "--- a/fire.go\n+++ b/fire.go\n@@ -1 +1 @@\n-kiln.Heat(<900>)\n+kiln.Heat(<1200>)"
	page := written(t, listing.Code(diff, "diff", listing.Options{Heads: listing.Ranges{{From: 1, To: 2}}}))
	assert.Contains(t, page, "-kiln.Heat(&lt;<mark>900</mark>>)</i>")
	assert.Contains(t, page, "+kiln.Heat(&lt;<mark>1200</mark>>)</i>")
	assert.Equal(t, 2, strings.Count(page, "<mark>"))
	assert.NotContains(t, written(t, listing.Code(diff, "text", listing.Options{})), "<mark>")
}

// Code in a document has no limit that its lines fill before it is written.
func TestBlocks_longLines(t *testing.T) {
	t.Parallel()
	code := strings.Repeat("ab ", 20_000)
	for name, limit := range map[string]time.Duration{"coloured": time.Second, "plain": 0} {
		assert.Equal(t, code, strings.TrimSuffix(textOf(string(listing.Blocks(limit)(code, "text"))), "\n"), name)
	}
}
