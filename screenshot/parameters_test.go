package screenshot_test

import (
	"bytes"
	"errors"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// newWith is New with the parameters of a query.
func newWith(code string, o screenshot.Options, query url.Values) (screenshot.Config, error) {
	unread := option.Of[screenshot.Options]().InQuery().SetStrict(&o, query)
	c, illegal := screenshot.New(code, o)
	return c, errors.Join(illegal, unread)
}

// queryOf returns the query of a link.
func queryOf(t *testing.T, c screenshot.Config) url.Values {
	t.Helper()
	link, err := c.Link()
	require.NoError(t, err)
	parsed, err := url.Parse(link)
	require.NoError(t, err)
	return parsed.Query()
}

func TestExtraParameters(t *testing.T) {
	all := url.Values{
		"theme": {"nord"}, "highlight": {"3,7-9", "12"}, "focus": {"1"}, "inserted": {"2"}, "deleted": {"4-5"}, "lines": {"1-20"}, "firstLine": {"3"},
		"wrap": {"80"}, "tabWidth": {"8"}, "lineHeight": {"1.75"}, "watermark": {"me"}, "window": {"windows"}, "ratio": {"16:9"}, "size": {"1660"}, "input": {"ansi"}, "embed": {"config"}, "ligatures": {"off"}, "fontFamily": {"Fira"},
	}
	assert.Len(t, all, len(option.Of[screenshot.Options]().InQuery()), "a case for each parameter")
	var o screenshot.Options
	require.NoError(t, option.Of[screenshot.Options]().InQuery().SetStrict(&o, all))
	assert.Equal(t, screenshot.Options{Theme: "nord", Extras: screenshot.Extras{
		Highlight: []screenshot.LineRange{{From: 3, To: 3}, {From: 7, To: 9}, {From: 12, To: 12}},
		Focus:     []screenshot.LineRange{{From: 1, To: 1}}, Inserted: []screenshot.LineRange{{From: 2, To: 2}}, Deleted: []screenshot.LineRange{{From: 4, To: 5}},
		Lines: screenshot.LineRange{From: 1, To: 20}, FirstLine: 3, Columns: 80, TabWidth: 8, LineHeight: 1.75, Watermark: "me",
		Window: "windows", Ratio: "16:9", Size: "1660", Input: "ansi", Embed: "config", DisableLigatures: true, FontFamily: "Fira",
	}}, o)

	o.FontFamily = ""
	values := queryOf(t, mustNew(t, "x", o))
	var back screenshot.Options
	require.NoError(t, option.Of[screenshot.Options]().InQuery().SetStrict(&back, values))
	assert.Equal(t, o, back, "what Link writes is read back")
	assert.Empty(t, queryOf(t, mustNew(t, "x", screenshot.Options{})), "defaults are left out")
}

func TestExtraParameters_ownThemes(t *testing.T) {
	nord, ok := highlight.LookupTheme("nord")
	require.True(t, ok)
	own := nord
	own.Name, own.Background = "mine", "#123456"
	o := screenshot.Options{Extras: screenshot.Extras{Themes: []highlight.Theme{own}}}
	require.NoError(t, option.Of[screenshot.Options]().InQuery().SetStrict(&o, url.Values{"theme": {"mine"}}))
	mine := mustNew(t, "x", o)
	assert.Equal(t, "mine", mine.Theme)
	var picture strings.Builder
	require.NoError(t, mine.WriteSVG(t.Context(), &picture))
	assert.Contains(t, picture.String(), own.Background)
	assert.Equal(t, url.Values{"theme": {"mine"}}, queryOf(t, mine))
	require.NoError(t, option.Of[screenshot.Options]().InQuery().SetStrict(&o, url.Values{"theme": {"nord"}}))
	assert.Equal(t, "nord", mustNew(t, "x", o).Theme)
}

func TestExtraParameters_refuses(t *testing.T) {
	var o screenshot.Options
	err := option.Of[screenshot.Options]().InQuery().SetStrict(&o, url.Values{
		"highlight": {"3,x"}, "lines": {"9-1"}, "wrap": {"wide"}, "lineHeight": {"NaNa"}, "ligatures": {"maybe"}, "padding": {"3"}, "nosuch": {"1"}, "watermark": {""},
	})
	assert.ElementsMatch(t, []string{
		"highlight invalid_format", "lines invalid_format", "wrap invalid_type", "lineHeight invalid_type", "ligatures not_one_of",
		"padding unknown_field", "nosuch unknown_field",
	}, faultsOf(t, err))
	assert.Zero(t, o)
	for name, message := range map[string]string{"firstLine": "must be a whole number from 1 to 9999999", "lineHeight": "must be a number from 1 to 3"} {
		for _, value := range []string{"x", "0"} {
			require.EqualError(t, option.Of[screenshot.Options]().InQuery().SetStrict(&o, url.Values{name: {value}}), name+": "+message)
		}
	}
}

func TestExtraParameters_everyFault(t *testing.T) {
	own, ok := highlight.LookupTheme("nord")
	require.True(t, ok)
	own.Name = "company"
	o := screenshot.Options{Theme: "x", Padding: new(-1.0), Extras: screenshot.Extras{Themes: []highlight.Theme{own}}}
	_, err := newWith("", o, url.Values{"theme": {"y"}, "wrap": {"5"}, "highlight": {"x"}, "focsu": {"1"}, "size": {"small"}})
	require.EqualError(t, err, strings.Join([]string{
		"code: must not be empty",
		"theme: must be one of dracula, monokai, github-dark, night-owl, synthwave, ocean or another known theme",
		"padding: must be 0 to 256",
		"wrap: must be 10 to 1000",
		"size: must be a width and a height such as 1200x675, or a width alone, of 100 to 4096 pixels",
		"highlight: must be a line or a range of lines such as 10-20, with numbers from 1 to 9999999",
		`focsu: is not a parameter; did you mean "focus"?`,
	}, "\n"))
	_, err = newWith("x", screenshot.Options{}, url.Values{"size": {"smallest"}, "notation": {"shiki"}})
	require.NoError(t, err, "links of earlier versions")
	o = screenshot.Options{Extras: o.Extras}
	for name, near := range map[string]string{"drakula": "dracula", "solarised-light": "solarized-light", "compani": "company"} {
		_, err := newWith("x", o, url.Values{"theme": {name}})
		require.EqualError(t, err, "theme: must be one of dracula, monokai, github-dark, night-owl, synthwave, ocean or another known theme; did you mean \""+near+"\"?")
	}
	c, err := newWith("x", o, url.Values{"theme": {"company"}, "wrap": {"40"}})
	require.NoError(t, err)
	assert.Equal(t, url.Values{"theme": {"company"}, "wrap": {"40"}}, queryOf(t, c))
}

func TestParseScale(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, "1.5": 1.5, "4": 4} {
		got, err := screenshot.ParseScale(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{"": "must be a number from 1 to 4", "2x": "must be a number from 1 to 4", "0": "must be 1 to 4", "NaN": "must be 1 to 4", "4.1": "must be 1 to 4"} {
		_, err := screenshot.ParseScale(text)
		require.EqualError(t, err, "scale: "+want, text)
	}
}

func TestParameters_areDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/pictures.md")
	require.NoError(t, err)
	for _, p := range option.Of[screenshot.Options]().InQuery() {
		assert.NotEmpty(t, p.Doc, p.Name)
		row := regexp.MustCompile("(?m)^\\| `" + p.Name + "` \\|.*\\| " + regexp.QuoteMeta(p.Doc) + " \\|$").Find(page)
		assert.NotNil(t, row, "the row of %s in docs/pictures.md", p.Name)
		for _, value := range p.Values {
			assert.True(t, p.Name == "theme" || bytes.Contains(row, []byte("`"+value+"`")), "%s in the row of %s", value, p.Name)
		}
		assert.True(t, p.Default == "" || bytes.Contains(row, []byte("`"+p.Default+"`")), "the default of %s", p.Name)
		assert.NotContains(t, p.Doc[len(p.Doc)-1:], ".", p.Name)
	}
}
