package screenshot_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot"
)

func TestThemes(t *testing.T) {
	assert.Equal(t, []string{"dracula", "monokai", "github-dark", "night-owl", "synthwave", "ocean"}, screenshot.Themes())

	screenshot.Themes()[0] = "changed"
	assert.Equal(t, "dracula", screenshot.Themes()[0], "callers get a copy")
}

func TestThemeFiles(t *testing.T) {
	files, err := os.ReadDir("themes")
	require.NoError(t, err)
	var found []string
	for _, f := range files {
		found = append(found, strings.TrimSuffix(f.Name(), ".json"))
	}
	assert.ElementsMatch(t, screenshot.Themes(), found)

	color := regexp.MustCompile(`^#[0-9a-f]{6}$`)
	for _, name := range screenshot.Themes() {
		theme, ok := screenshot.LookupTheme(name)
		require.True(t, ok, name)
		assert.Equal(t, name, theme.Name)
		assert.NotEmpty(t, theme.Source, name)
		for _, c := range []string{theme.Background, theme.Foreground, theme.LineNumber, theme.Selection} {
			assert.Regexp(t, color, c, name)
		}
		for _, c := range screenshot.Classes() {
			assert.Regexp(t, color, theme.Style(c).Color, "%s %s", name, c)
		}
		assert.Equal(t, theme.Foreground, theme.Style(screenshot.ClassText).Color, name)
		assert.Equal(t, theme.Style(screenshot.ClassText), theme.Style(255), name)
	}
}

func TestThemeColours(t *testing.T) {
	for name, want := range map[string]map[screenshot.Class]screenshot.Style{
		"dracula":     {screenshot.ClassKeyword: {Color: "#ff79c6"}, screenshot.ClassType: {Color: "#8be9fd", Italic: true}},
		"monokai":     {screenshot.ClassKeywordDeclaration: {Color: "#66d9ef", Italic: true}},
		"github-dark": {screenshot.ClassHeading: {Color: "#79c0ff", Bold: true}},
		"night-owl":   {screenshot.ClassKeyword: {Color: "#c792ea", Italic: true}},
		"synthwave":   {screenshot.ClassComment: {Color: "#848bbd", Italic: true}, screenshot.ClassLanguageVariable: {Color: "#fe4450", Bold: true}},
		"ocean":       {screenshot.ClassString: {Color: "#a3be8c"}},
	} {
		theme, ok := screenshot.LookupTheme(name)
		require.True(t, ok)
		for class, style := range want {
			assert.Equal(t, style, theme.Style(class), "%s %s", name, class)
		}
	}
	synthwave, _ := screenshot.LookupTheme("synthwave")
	assert.Equal(t, "#888690", synthwave.LineNumber, "white at 45 % on the background")
}

func TestLookupThemeOfAnUnknownName(t *testing.T) {
	for _, name := range []string{"", "Dracula", "nord", "../themes/dracula"} {
		_, ok := screenshot.LookupTheme(name)
		assert.False(t, ok, name)
	}
}

func TestClassNames(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range screenshot.Classes() {
		assert.Regexp(t, `^[a-z]+(-[a-z]+)*$`, c.String())
		assert.False(t, seen[c.String()], c.String())
		seen[c.String()] = true
	}
	assert.Equal(t, "text", screenshot.Class(200).String())
}
