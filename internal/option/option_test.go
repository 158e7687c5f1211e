package option_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/option"
)

// Options has a field of every type.
type Options struct {
	Separator *string
	Loud      bool
	HideTitle bool
	Padding   *float64
	Ratio     float64
	Columns   int
	Title     string
	Window    window
	Words     []string
	Scopes    []window
	Replace   map[string]string
	Lines     []int
	Extras
}

type Extras struct{ Mark string }

type window string

// lineNumbers is the text of Options.Lines.
type lineNumbers []int

func (l *lineNumbers) UnmarshalText(text []byte) error {
	*l = nil
	for c := range strings.SplitSeq(string(text), ",") {
		if len(c) != 1 {
			return errors.New("must be digits")
		}
		*l = append(*l, int(c[0]-'0'))
	}
	return nil
}

func (l *lineNumbers) MarshalText() ([]byte, error) {
	var text []string
	for _, n := range *l {
		text = append(text, string(rune('0'+n)))
	}
	return []byte(strings.Join(text, ",")), nil
}

func table() option.Table[Options] {
	type row = option.Option[Options]
	windows := []string{"mac", "none"}
	return option.New(
		row{Name: "separator", Default: "-", Example: "_", Doc: "A sign", Field: func(o *Options) any { return &o.Separator }},
		row{Name: "loud", Aliases: []string{"tone=loud"}, Example: "on", Doc: "Shout", Field: func(o *Options) any { return &o.Loud }},
		row{Name: "title", Default: "on", Example: "off", Doc: "Draw a title", Field: func(o *Options) any { return &o.HideTitle }},
		row{Name: "padding", Aliases: []string{"pad"}, Max: 256, Example: "0", Doc: "Padding", Field: func(o *Options) any { return &o.Padding }},
		row{Name: "ratio", Min: 1, Max: 3, Default: "1.5", Example: "2.5", Doc: "Ratio", Field: func(o *Options) any { return &o.Ratio }},
		row{Name: "maxColumns", Min: 10, Max: 80, Example: "40", Doc: "Columns", Field: func(o *Options) any { return &o.Columns }},
		row{Name: "heading", Flag: "head", Label: "The heading", Max: 4, Example: "ab", Doc: "Heading", Field: func(o *Options) any { return &o.Title }},
		row{Name: "window", Values: windows, Default: "mac", Example: "none", Doc: "Frame", Field: func(o *Options) any { return &o.Window }},
		row{Name: "words", Max: 3, Example: "a,b", Doc: "Words", Field: func(o *Options) any { return &o.Words }},
		row{Name: "scopes", Values: windows, Example: "none", Doc: "Scopes", Field: func(o *Options) any { return &o.Scopes }},
		row{Name: "replace", Example: "b=c;d=", Doc: "Pairs", Field: func(o *Options) any { return &o.Replace }},
		row{Name: "lines", Example: "3,5", Doc: "Lines", Field: func(o *Options) any { return (*lineNumbers)(&o.Lines) }},
		row{Name: "mark", Required: true, Example: "x", Doc: "Mark", Field: func(o *Options) any { return &o.Mark }},
	)
}

// validate is Check without the mark, which is required.
func validate(o Options) error {
	o.Mark = "x"
	return table().Check(&o).Err()
}

func TestTable(t *testing.T) {
	checkTable(t, table(), validate, func(o Options) string {
		text, err := json.Marshal(o)
		require.NoError(t, err)
		return string(text)
	})
	columns, ok := table().Lookup("maxColumns")
	require.True(t, ok)
	assert.Equal(t, []string{"max-columns", "Max columns", "integer"}, []string{columns.Flag, columns.Label, string(columns.Kind)})
	_, ok = table().Lookup("Columns")
	assert.False(t, ok)
	assert.Equal(t, []string{"separator", "loud", "title"}, table().Names()[:3])
}

// changed are the same options as a query and as JSON.
const (
	changedQuery = "heading=ab&lines=3%2C5&loud=on&maxColumns=40&padding=0&replace=b%3Dc%3Bd%3D&separator=&title=off&window=none&words=a%2Cb"
	changedJSON  = `{"heading":"ab","lines":"3,5","loud":true,"maxColumns":40,"padding":0,"replace":{"b":"c","d":""},"separator":"","title":false,"window":"none","words":["a","b"],"mark":null,"other":1}`
)

func TestTable_formsAgree(t *testing.T) {
	query, err := url.ParseQuery(changedQuery + "&other=1")
	require.NoError(t, err)
	var read, decoded Options
	require.NoError(t, table().SetQuery(&read, query))
	var object map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(changedJSON), &object))
	require.NoError(t, table().SetJSON(&decoded, object))
	assert.Equal(t, read, decoded)
	assert.Equal(t, changedQuery, table().Query(&read).Encode())
}

func TestTable_SetQuery(t *testing.T) {
	for text, want := range map[string]Options{
		"":                              {},
		"tone=loud&pad=3":               {Loud: true, Padding: new(3.0)},
		"tone=quiet&pad=3&padding=4":    {Padding: new(4.0)},
		"loud=false&title=true":         {},
		"padding=&words=&replace=":      {},
		"words=a+b&words=c":             {Words: []string{"a", "b", "c"}},
		"replace=a%3Db&replace=+c%3Dd;": {Replace: map[string]string{"a": "b", "c": "d"}},
	} {
		query, err := url.ParseQuery(strings.ReplaceAll(text, ";", "%3B"))
		require.NoError(t, err)
		var o Options
		require.NoError(t, table().SetQuery(&o, query), text)
		assert.Equal(t, want, o, text)
	}
	o := Options{Separator: new("-"), Ratio: 1.5, Window: "mac"}
	assert.Empty(t, table().Query(&o), "defaults are left out")
}

func TestTable_refuses(t *testing.T) {
	var o Options
	require.EqualError(t, table().SetQuery(&o, url.Values{
		"loud": {"maybe"}, "padding": {"x"}, "ratio": {"0"}, "maxColumns": {"1.5"}, "replace": {"a"}, "lines": {"12"},
	}), `loud: must be on or off
padding: must be a number from 0 to 256
ratio: must be a number from 1 to 3
maxColumns: must be a whole number from 10 to 80
replace: must be pairs such as b=c;d=
lines: must be digits`)
	assert.Zero(t, o)

	object := make(map[string]json.RawMessage)
	for _, name := range table().Names() {
		object[name] = json.RawMessage(`[{}]`)
	}
	require.EqualError(t, table().SetJSON(new(Options), object), `separator: must be a string
loud: must be true or false
title: must be true or false
padding: must be a number from 0 to 256
ratio: must be a number from 1 to 3
maxColumns: must be a whole number from 10 to 80
heading: must be a string
window: must be a string
words: must be an array of strings
scopes: must be an array of strings
replace: must be an object of strings
lines: must be a string
mark: must be a string`)

	o = Options{
		Padding: new(-1.0), Ratio: 4, Columns: 9, Title: "abcde", Window: "x", Words: make([]string, 4), Scopes: []window{"none", "x"}, Extras: Extras{Mark: "\xff"},
	}
	require.EqualError(t, table().Check(&o).Err(), `padding: must be 0 to 256
ratio: must be 1 to 3
maxColumns: must be 10 to 80
heading: has 5 characters, must have at most 4
window: must be one of mac, none
words: has 4 elements, must have at most 3
scopes: must be one of mac, none
mark: must be valid UTF-8`)
	require.EqualError(t, table().Check(new(Options)).Err(), "mark: is required")
}
