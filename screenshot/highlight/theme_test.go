package highlight_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot/highlight"
)

func TestThemes_ofTheContract(t *testing.T) {
	assert.Equal(t, []string{"dracula", "monokai", "github-dark", "night-owl", "synthwave", "ocean"}, highlight.Themes())

	highlight.Themes()[0] = "changed"
	assert.Equal(t, "dracula", highlight.Themes()[0], "callers get a copy")
}

func TestThemes_files(t *testing.T) {
	files, err := filepath.Glob("themes/*.json")
	require.NoError(t, err)
	var found []string
	for _, f := range files {
		found = append(found, strings.TrimSuffix(filepath.Base(f), ".json"))
	}
	assert.ElementsMatch(t, highlight.AllThemes(), found)

	color := regexp.MustCompile(`^#[0-9a-f]{6}$`)
	light := 0
	for _, name := range highlight.AllThemes() {
		theme, ok := highlight.LookupTheme(name)
		require.True(t, ok, name)
		assert.Equal(t, name, theme.Name)
		if theme.Light {
			light++
		}
		for _, c := range append([]string{theme.Background, theme.Foreground, theme.LineNumber, theme.Selection}, theme.Terminal[:]...) {
			assert.Regexp(t, color, c, name)
		}
		for _, c := range highlight.Classes() {
			assert.Regexp(t, color, theme.Style(c).Color, "%s %s", name, c)
		}
		assert.Equal(t, theme.Foreground, theme.Style(highlight.Class(0)).Color, name)
		assert.Equal(t, theme.Style(highlight.Class(0)), theme.Style(255), name)
	}
	assert.GreaterOrEqual(t, 3*light, len(found), "a third is light")
}

func TestThemes_haveTheirLicences(t *testing.T) {
	licences, err := os.ReadFile("themes/LICENSES.txt")
	require.NoError(t, err)
	for _, copyright := range []string{"dracula.json", "monokai.json", "github-dark-default.json", "night-owl.json", "synthwave-84.json", "nord.json"} {
		assert.True(t, strings.Contains(string(licences), copyright), copyright)
	}
}

func classNamed(t *testing.T, name string) (c highlight.Class) {
	t.Helper()
	require.NoError(t, c.UnmarshalText([]byte(name)))
	return c
}

func TestTheme_styles(t *testing.T) {
	for name, want := range map[string]map[highlight.Class]highlight.Style{
		"dracula":     {classNamed(t, "keyword"): {Color: "#ff79c6"}, classNamed(t, "inherited"): {Color: "#8be9fd", Italic: true}},
		"monokai":     {classNamed(t, "keyword-declaration"): {Color: "#66d9ef", Italic: true}},
		"github-dark": {classNamed(t, "heading"): {Color: "#79c0ff", Bold: true}},
		"night-owl":   {classNamed(t, "keyword"): {Color: "#c792ea", Italic: true}},
		"synthwave":   {classNamed(t, "comment"): {Color: "#848bbd", Italic: true}, classNamed(t, "language-variable"): {Color: "#fe4450", Bold: true}},
		"ocean":       {classNamed(t, "string"): {Color: "#a3be8c"}},
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

// A more specific rule without a colour keeps the colour of "variable", rather
// than that of a rule with the parent scope of Go.
func TestTheme_For_exactRules(t *testing.T) {
	theme, err := highlight.ParseTheme([]byte(`{"tokenColors": [
		{"scope": "variable", "settings": {"foreground": "#111111"}},
		{"scope": "variable.parameter", "settings": {"fontStyle": "italic"}},
		{"scope": "source.go variable", "settings": {"foreground": "#222222"}}
	]}`), nil)
	require.NoError(t, err)
	theme = theme.For("go")
	assert.Equal(t, highlight.Style{Color: "#111111", Italic: true}, theme.Style(classNamed(t, "parameter")))
	assert.Equal(t, highlight.Style{Color: "#222222"}, theme.Style(classNamed(t, "name")))
}

func TestTheme_For_language(t *testing.T) {
	dracula, _ := highlight.LookupTheme("dracula")
	assert.Equal(t, "#50fa7b", dracula.Style(classNamed(t, "call")).Color)
	assert.Equal(t, "#f8f8f2", dracula.For("python").Style(classNamed(t, "call")).Color, "VS Code's grammar of Python has no colour for calls")
	assert.Equal(t, dracula.Style(classNamed(t, "keyword")), dracula.For("no such language").Style(classNamed(t, "keyword")))
}

func TestLookupTheme_unknownName(t *testing.T) {
	for _, name := range []string{"", "Dracula", "nosuch", "../themes/dracula"} {
		_, ok := highlight.LookupTheme(name)
		assert.False(t, ok, name)
	}
}

func TestParseTheme(t *testing.T) {
	files := map[string]string{
		"base.json": `{"type": "light", "colors": {"editor.background": "#FFF"}, "tokenColors": [{"scope": "comment", "settings": {"foreground": "#00f", "fontStyle": "italic"}}]}`,
		"loop.json": `{"include": "loop.json"}`,
	}
	include := func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, os.ErrNotExist
	}
	theme, err := highlight.ParseTheme([]byte(`{
		// comments and a comma at the end are legal
		"name": "mine", "include": "base.json",
		"colors": {"editor.foreground": "#00000080"},
		"tokenColors": [
			{"settings": {"foreground": "#123456"}},
			{"scope": "string, keyword", "settings": {"foreground": "#0a0"}},
			{"scope": ["source.go string", "comment - comment.block"], "settings": {"foreground": "#f00", "fontStyle": ""}},
		],
	}`), include)
	require.NoError(t, err)
	assert.Equal(t, "mine", theme.Name)
	assert.True(t, theme.Light)
	assert.Equal(t, "#ffffff", theme.Background)
	assert.Equal(t, "#7f7f7f", theme.Foreground, "half of black on white")
	assert.Equal(t, highlight.Style{Color: "#0000ff", Italic: true}, theme.Style(classNamed(t, "comment")), "what excludes is left out")
	assert.Equal(t, highlight.Style{Color: "#00aa00"}, theme.Style(classNamed(t, "string")))
	assert.Equal(t, highlight.Style{Color: "#ff0000"}, theme.For("go").Style(classNamed(t, "string")), "what is more exact wins")

	for text, want := range map[string]string{
		`{"include": "loop.json"}`:                 "other files cannot be read here",
		`{"include": "none.json"}`:                 "file does not exist",
		`{"colors": {"editor.background": "red"}}`: `colors["editor.background"]: "red" is not #rgb, #rgba, #rrggbb or #rrggbbaa`,
		`{"tokenColors": [{"scope": 7}]}`:          "scope: must be a text or an array of texts",
		`{`:                                        "unexpected end of JSON input",
		`<style name="x"><entry type="Nonsense"/></style>`:                                                    "theme: ",
		strings.Repeat(" ", 1<<20+1):                                                                          "the file has 1048577 bytes, at most 1048576 are read",
		`{"tokenColors": "mine.tmTheme"}`:                                                                     `"tokenColors" has the wrong type: string`,
		`{"tokenColors": [` + strings.Repeat("{},", 10_000) + `{}]}`:                                          "tokenColors[10000]: more than 10000 rules",
		`{"tokenColors": [{"scope": "` + strings.Repeat("a,", 10_000) + `"}]}`:                                "tokenColors[0]: more than 10000 rules",
		`{"include": "` + strings.Repeat("z", 1<<19) + `"}`:                                                   "file does not exist",
		`{"colors": {"editor.background": "` + strings.Repeat("z", 1<<19) + `"}}`:                             "is not #rgb",
		`{"tokenColors": [{"scope": "a", "settings": {"foreground": "` + strings.Repeat("z", 1<<19) + `"}}]}`: "is not #rgb",
	} {
		_, err := highlight.ParseTheme([]byte(text), include)
		assert.ErrorContains(t, err, want, "%.40s", text)
		assert.Less(t, len(err.Error()), 400, "%.40s", text)
	}
}

func TestParseTheme_withoutRules(t *testing.T) {
	theme, err := highlight.ParseTheme([]byte(`{"colors": {"editor.foreground": "#123456"}}`), nil)
	require.NoError(t, err)
	assert.Equal(t, highlight.Style{Color: "#123456"}, theme.Style(classNamed(t, "keyword")))
	assert.Equal(t, highlight.Style{Color: "#123456"}, theme.For("go").Style(classNamed(t, "keyword")))
}

func TestParseTheme_chroma(t *testing.T) {
	theme, err := highlight.ParseTheme([]byte(`<style name="mine">
		<entry type="Background" style="#222222 bg:#fefefe"/><entry type="Keyword" style="bold #112233"/><entry type="LiteralString" style="#aa0000"/>
	</style>`), nil)
	require.NoError(t, err)
	assert.True(t, theme.Light)
	assert.Equal(t, "#fefefe", theme.Background)
	assert.Equal(t, highlight.Style{Color: "#112233", Bold: true}, theme.Style(classNamed(t, "keyword")))
	assert.Equal(t, "#aa0000", theme.For("go").Style(classNamed(t, "string")).Color)
}

func FuzzParseTheme(f *testing.F) {
	data, err := os.ReadFile("themes/nord.json")
	require.NoError(f, err)
	f.Add(data)
	f.Add([]byte(`<style name="x"><entry type="Background" style="bg:#fff"/></style>`))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		theme, err := highlight.ParseTheme(data, nil)
		if err == nil {
			require.Regexp(t, `^#[0-9a-f]{6}$`, theme.For("go").Style(classNamed(t, "keyword")).Color)
		}
	})
}

func TestClass_names(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range highlight.Classes() {
		assert.Regexp(t, `^[a-z]+(-[a-z]+)*$`, c.String())
		assert.False(t, seen[c.String()], c.String())
		seen[c.String()] = true
	}
	assert.Equal(t, "text", highlight.Class(200).String())
	assert.Equal(t, "keyword", classNamed(t, "keyword").String())
	assert.Equal(t, "deleted", highlight.ClassDeleted.String())
}
