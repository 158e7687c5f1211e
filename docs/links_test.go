package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// link matches a Markdown link to a file of the repository.
var link = regexp.MustCompile(`\]\(([^):#\s]+)(#[^)\s]*)?\)`)

// anchor matches a heading, from which renderers derive an anchor.
var anchor = regexp.MustCompile(`(?m)^#+ +(.*)$`)

func TestDocuments_linksLead(t *testing.T) {
	files, err := filepath.Glob("../*.md")
	require.NoError(t, err)
	inside, err := filepath.Glob("*.md")
	require.NoError(t, err)
	built, err := filepath.Glob("internals/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, inside)
	require.NotEmpty(t, built)
	for _, file := range slices.Concat(files, inside, built) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			target := filepath.Join(filepath.Dir(file), m[1])
			linked, err := os.Stat(target)
			if assert.NoError(t, err, "%s links to %s", file, m[1]) && m[2] != "" && !linked.IsDir() {
				assert.Contains(t, anchors(t, target), m[2], "%s links to %s%s", file, m[1], m[2])
			}
		}
	}
}

func anchors(t *testing.T, file string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, m := range anchor.FindAllStringSubmatch(string(text), -1) {
		words := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, "#"+strings.ReplaceAll(words, " ", "-"))
	}
	return all
}
