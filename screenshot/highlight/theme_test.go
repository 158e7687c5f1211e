package highlight_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot/highlight"
)

func TestThemes(t *testing.T) {
	assert.Equal(t, []string{"dracula", "monokai", "github-dark", "night-owl", "synthwave", "ocean"}, highlight.Themes())

	highlight.Themes()[0] = "changed"
	assert.Equal(t, "dracula", highlight.Themes()[0], "callers get a copy")
}

func TestThemeFiles(t *testing.T) {
	files, err := os.ReadDir("themes")
	require.NoError(t, err)
	var found []string
	for _, f := range files {
		found = append(found, strings.TrimSuffix(f.Name(), ".json"))
	}
	assert.ElementsMatch(t, highlight.Themes(), found)

	color := regexp.MustCompile(`^#[0-9a-f]{6}$`)
	for _, name := range highlight.Themes() {
		theme, ok := highlight.LookupTheme(name)
		require.True(t, ok, name)
		assert.Equal(t, name, theme.Name)
		for _, c := range []string{theme.Background, theme.Foreground, theme.LineNumber, theme.Selection} {
			assert.Regexp(t, color, c, name)
		}
		for _, c := range highlight.Classes() {
			assert.Regexp(t, color, theme.Style(c).Color, "%s %s", name, c)
		}
		assert.Equal(t, theme.Foreground, theme.Style(highlight.ClassText).Color, name)
		assert.Equal(t, theme.Style(highlight.ClassText), theme.Style(255), name)
	}
}

func TestThemeColours(t *testing.T) {
	for name, want := range map[string]map[highlight.Class]highlight.Style{
		"dracula":     {highlight.ClassKeyword: {Color: "#ff79c6"}, highlight.ClassType: {Color: "#8be9fd", Italic: true}},
		"monokai":     {highlight.ClassKeywordDeclaration: {Color: "#66d9ef", Italic: true}},
		"github-dark": {highlight.ClassHeading: {Color: "#79c0ff", Bold: true}},
		"night-owl":   {highlight.ClassKeyword: {Color: "#c792ea", Italic: true}},
		"synthwave":   {highlight.ClassComment: {Color: "#848bbd", Italic: true}, highlight.ClassLanguageVariable: {Color: "#fe4450", Bold: true}},
		"ocean":       {highlight.ClassString: {Color: "#a3be8c"}},
	} {
		theme, ok := highlight.LookupTheme(name)
		require.True(t, ok)
		for class, style := range want {
			assert.Equal(t, style, theme.Style(class), "%s %s", name, class)
		}
	}
	synthwave, _ := highlight.LookupTheme("synthwave")
	assert.Equal(t, "#888690", synthwave.LineNumber, "white at 45 % on the background")
}

func TestLookupThemeOfAnUnknownName(t *testing.T) {
	for _, name := range []string{"", "Dracula", "nord", "../themes/dracula"} {
		_, ok := highlight.LookupTheme(name)
		assert.False(t, ok, name)
	}
}

func TestClassNames(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range highlight.Classes() {
		assert.Regexp(t, `^[a-z]+(-[a-z]+)*$`, c.String())
		assert.False(t, seen[c.String()], c.String())
		seen[c.String()] = true
	}
	assert.Equal(t, "text", highlight.Class(200).String())
}
