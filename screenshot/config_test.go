package screenshot_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// configCase is a case of testdata/configs.json.
type configCase struct {
	Name string

	Code                                  string
	Language, Theme, Background           string
	Padding, FontSize, BorderRadius       *float64
	LineNumbers, WindowControls, Shadow   *bool
	WindowTitle                           string
	Repeat, RepeatTitle, RepeatBackground int

	Config json.RawMessage // the whole config
	Is     map[string]any  // or some of its fields
	Faults []string        // or the fields at fault, with the reasons
}

func (c configCase) options() (code string, o screenshot.Options) {
	off := func(b *bool) bool { return b != nil && !*b }
	return strings.Repeat(c.Code, max(1, c.Repeat)), screenshot.Options{
		Language: c.Language, Theme: c.Theme, Background: strings.Repeat(c.Background, max(1, c.RepeatBackground)),
		Padding: c.Padding, FontSize: c.FontSize, BorderRadius: c.BorderRadius,
		HideLineNumbers: off(c.LineNumbers), HideWindowControls: off(c.WindowControls), HideShadow: off(c.Shadow),
		WindowTitle: strings.Repeat(c.WindowTitle, max(1, c.RepeatTitle)),
	}
}

func readCases[T any](t *testing.T, path string) []T {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var cases []T
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&cases))
	require.NotEmpty(t, cases)
	return cases
}

// faultsOf lists the option errors in err as "field reason".
func faultsOf(t *testing.T, err error) []string {
	t.Helper()
	var list []string
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		joined = one{err}
	}
	for _, e := range joined.Unwrap() {
		var option *invalid.Fault
		require.ErrorAs(t, e, &option)
		field, reason := option.Invalid()
		assert.Equal(t, field+": "+option.Message, option.Error())
		assert.Less(t, len(option.Message), 300)
		list = append(list, field+" "+reason)
	}
	return list
}

type one struct{ error }

func (o one) Unwrap() []error { return []error{o.error} }

func TestNew(t *testing.T) {
	for _, c := range readCases[configCase](t, "testdata/configs.json") {
		t.Run(c.Name, func(t *testing.T) {
			code, options := c.options()
			config, err := screenshot.New(code, options)
			if c.Faults != nil {
				require.Error(t, err)
				assert.Equal(t, c.Faults, faultsOf(t, err))
				assert.Equal(t, screenshot.Config{}, config)
				return
			}
			require.NoError(t, err)
			written, err := json.Marshal(config)
			require.NoError(t, err)
			if c.Config != nil {
				var want bytes.Buffer
				require.NoError(t, json.Compact(&want, c.Config))
				assert.Equal(t, want.String(), string(written))
			}
			var fields map[string]any
			require.NoError(t, json.Unmarshal(written, &fields))
			assert.Len(t, fields, 11)
			for field, value := range c.Is {
				assert.Equal(t, value, fields[field], field)
			}

			again, err := screenshot.New(config.Code, config.Options())
			require.NoError(t, err)
			assert.Equal(t, config, again, "the config of a config")

			fragment, err := config.Fragment()
			require.NoError(t, err)
			assert.Regexp(t, `^[A-Za-z0-9_-]+$`, fragment)
			back, err := screenshot.ParseFragment(fragment)
			require.NoError(t, err)
			assert.Equal(t, config, back, "the fragment of a config")
		})
	}
}

func TestConfig_jsonKeepsMarkup(t *testing.T) {
	config := mustNew(t, "<a> & \u2028", screenshot.Options{Language: "html", WindowTitle: "<&>"})
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(config))
	assert.Contains(t, b.String(), `"code":"<a> & `)
	assert.Contains(t, b.String(), `"windowTitle":"<&>"`)
}

func TestNew_refusesWhatJSONCannotSay(t *testing.T) {
	_, err := screenshot.New("a\xffb", screenshot.Options{
		WindowTitle: "\xff", Background: "\xff", Padding: new(math.NaN()), FontSize: new(math.Inf(1)), BorderRadius: new(math.Inf(-1)),
	})
	assert.Equal(t, []string{
		"code invalid_format", "background invalid_format", "padding out_of_range", "fontSize out_of_range",
		"windowTitle invalid_format", "borderRadius out_of_range",
	}, faultsOf(t, err))
}

func TestExtras_checked(t *testing.T) {
	_, err := screenshot.New("x", screenshot.Options{Theme: "empty", Extras: screenshot.Extras{
		FirstLine: -1, Lines: screenshot.LineRange{From: 3, To: 2}, Highlight: []screenshot.LineRange{{From: 1}, {}},
		Inserted: make([]screenshot.LineRange, 1_001), Deleted: []screenshot.LineRange{{From: -1, To: 4}},
		Focus: []screenshot.LineRange{{}}, TabWidth: 17, LineHeight: 0.5, Window: "x", Ratio: "2:1", Size: "99",
		Columns: 9, Watermark: strings.Repeat("x", 101), Workers: 17, FontFamily: "Fira", Themes: []highlight.Theme{{Name: "empty"}},
	}})
	assert.Equal(t, []string{
		"theme invalid_format", "firstLine out_of_range", "wrap out_of_range", "tabWidth out_of_range", "lineHeight out_of_range", "watermark too_long", "window not_one_of", "ratio not_one_of",
		"lines invalid_format", "highlight[1] invalid_format", "focus[0] invalid_format", "inserted too_many", "deleted[0] invalid_format", "size invalid_format", "workers out_of_range", "fontFamily not_one_of",
	}, faultsOf(t, err))
}

func TestLineRange_UnmarshalText(t *testing.T) {
	for text, want := range map[string]screenshot.LineRange{
		"12": {From: 12, To: 12}, "10-20": {From: 10, To: 20}, "1 - 1": {From: 1, To: 1},
	} {
		var got screenshot.LineRange
		require.NoError(t, got.UnmarshalText([]byte(text)), text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "0", "-1", "3-2", "a", "1-", "1-b", "1-2-3", "10000000", "99999999999999999999"} {
		var r screenshot.LineRange
		assert.Equal(t, []string{"lines invalid_format"}, faultsOf(t, r.UnmarshalText([]byte(text))), text)
		assert.Zero(t, r)
	}
}

func TestExtras_tintsAreRefused(t *testing.T) {
	_, err := screenshot.New("x", screenshot.Options{Extras: screenshot.Extras{Tints: []screenshot.Tint{{Line: 1, Color: "#f00"}, {Line: 2, Color: "red;"}}}})
	assert.Equal(t, []string{"tints[1] invalid_format"}, faultsOf(t, err))
	_, err = screenshot.New("x", screenshot.Options{Extras: screenshot.Extras{Tints: make([]screenshot.Tint, screenshot.MaxLines+1)}})
	assert.Equal(t, []string{"tints too_many"}, faultsOf(t, err))
}
