package screenshot

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/internal/nearest"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// row is short for a row of the tables below.
type row = option.Option[Options]

// Parameters returns a row for each of the [Options] that can be text, with its
// name, range and description. Commands, pages and agents read it.
func Parameters() option.Table[Options] { return slices.Concat(contractTable(), extraTable()) }

// ExtraParameters returns the [Parameters] that requests have in their query:
// theme, and those of [Extras].
func ExtraParameters() option.Table[Options] { return slices.Concat(themeTable(), extraTable()) }

var contractTable = sync.OnceValue(func() option.Table[Options] {
	return slices.Concat(option.New(
		row{Name: "language", Short: "l", Kind: option.Name, Values: language.Names(), Example: "go", Doc: "Language of the code; detected unless given", Field: func(o *Options) any { return &o.Language }},
	), themeTable(), option.New(
		row{Name: "background", Max: MaxBackground, Example: "linear-gradient(45deg, #ff7e5f, #feb47b)", Doc: "A CSS colour or gradient, or transparent", Field: func(o *Options) any { return &o.Background }},
		row{Name: "padding", Max: MaxPadding, Step: 1, Default: decimal(defaultPadding), Example: "32", Doc: "Pixels around the window", Field: func(o *Options) any { return &o.Padding }},
		row{Name: "fontSize", Min: MinFontSize, Max: MaxFontSize, Step: 1, Default: decimal(defaultFontSize), Example: "18", Doc: "Font size in pixels", Field: func(o *Options) any { return &o.FontSize }},
		row{Name: "windowTitle", Flag: "title", Max: MaxTitle, Example: "main.go", Doc: "Text in the title bar", Field: func(o *Options) any { return &o.WindowTitle }},
		row{Name: "borderRadius", Max: MaxBorderRadius, Step: 1, Default: decimal(defaultBorderRadius), Example: "0", Doc: "Radius of the window's corners in pixels", Field: func(o *Options) any { return &o.BorderRadius }},
		row{Name: "lineNumbers", Default: "on", Example: "off", Doc: "Draw line numbers", Field: func(o *Options) any { return &o.HideLineNumbers }},
		row{Name: "windowControls", Default: "on", Example: "off", Doc: "Draw the controls of the window", Field: func(o *Options) any { return &o.HideWindowControls }},
		row{Name: "shadow", Default: "on", Example: "off", Doc: "Draw a shadow below the window", Field: func(o *Options) any { return &o.HideShadow }},
	))
})

var themeTable = sync.OnceValue(func() option.Table[Options] {
	return option.New(row{
		Name: "theme", Short: "t", Kind: option.Name, Values: highlight.AllThemes(), Default: highlight.DefaultTheme, Example: "nord",
		Doc: "Colours of the code and its window", Field: func(o *Options) any { return &o.Theme },
	})
})

var extraTable = sync.OnceValue(func() option.Table[Options] {
	return option.New(
		row{Name: "highlight", Example: "3,7-9", Doc: "Lines to highlight", Field: func(o *Options) any { return &o.Highlight }},
		row{Name: "focus", Example: "3,7-9", Doc: "Lines to show; the others are dimmed", Field: func(o *Options) any { return &o.Focus }},
		row{Name: "inserted", Example: "3,7-9", Doc: "Lines to mark with + as in a diff", Field: func(o *Options) any { return &o.Inserted }},
		row{Name: "deleted", Example: "3,7-9", Doc: "Lines to mark with − as in a diff", Field: func(o *Options) any { return &o.Deleted }},
		row{Name: "lines", Example: "10-20", Doc: "Draw only this range of lines, with their numbers", Field: func(o *Options) any { return &o.Lines }},
		row{Name: "firstLine", Min: 1, Max: MaxLineNumber, Default: "1", Example: "10", Doc: "Number of the first line", Field: func(o *Options) any { return &o.FirstLine }},
		row{Name: "wrap", Min: MinColumns, Max: MaxColumns, Example: "80", Doc: "Wrap lines at this column, and make the window that wide", Field: func(o *Options) any { return &o.Columns }},
		row{Name: "tabWidth", Min: MinTabWidth, Max: MaxTabWidth, Default: "4", Example: "8", Doc: "Columns between tab stops", Field: func(o *Options) any { return &o.TabWidth }},
		row{Name: "lineHeight", Min: MinLineHeight, Max: MaxLineHeight, Default: "1.5", Example: "1.2", Doc: "Height of a line, times the font size", Field: func(o *Options) any { return &o.LineHeight }},
		row{Name: "watermark", Max: MaxWatermark, Example: "example.com", Doc: "Small print in the bottom right corner", Field: func(o *Options) any { return &o.Watermark }},
		row{Name: "window", Values: windows, Default: WindowMac, Example: WindowNone, Doc: "Frame of the code", Field: func(o *Options) any { return &o.Window }},
		row{Name: "ratio", Values: ratios(), Example: "16:9", Doc: "Extend the background to this aspect ratio", Field: func(o *Options) any { return &o.Ratio }},
		row{Name: "ligatures", Default: "on", Example: "off", Doc: "Use ligatures for characters such as =>", Field: func(o *Options) any { return &o.DisableLigatures }},
		row{Name: "input", Values: []string{InputANSI, InputPatch}, Example: InputANSI, Doc: "What the code is: terminal output, or the patch of a file", Field: func(o *Options) any { return &o.Input }},
		row{Name: "embed", Values: []string{EmbedConfig}, Example: EmbedConfig, Doc: "Embed the configuration in a PNG, so that the studio can open it", Field: func(o *Options) any { return &o.Embed }},
		row{Name: "fontFamily", Max: MaxFamily, Example: "DejaVu Sans Mono", Doc: "A font family of the server for the code", Field: func(o *Options) any { return &o.FontFamily }},
	)
})

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// lookUpTheme returns the theme of that name from themes, or else a built-in
// one.
func lookUpTheme(themes []highlight.Theme, name string) (highlight.Theme, bool) {
	if i := slices.IndexFunc(themes, func(t highlight.Theme) bool { return t.Name == name }); i >= 0 {
		return themes[i], true
	}
	return highlight.LookupTheme(name)
}

// theme refuses an unknown theme.
func (f *faults) theme(themes []highlight.Theme, name string) {
	if _, ok := lookUpTheme(themes, name); ok {
		return
	}
	names := highlight.AllThemes()
	for _, t := range themes {
		names = append(names, t.Name)
	}
	f.Add("theme", "not_one_of", "must be one of "+strings.Join(highlight.Themes(), ", ")+" or another known theme"+nearest.Question(name, names))
}

// retired are the parameters that links and pictures of earlier versions may
// have, with the value of each. They change nothing now.
var retired = map[string]string{"notation": "shiki", "size": "smallest"}

// SetValues sets options from the [ExtraParameters] of a query or a form. A
// theme that is set replaces the Palette. The error joins an option error for
// each name that is not among the parameters, and for each value that cannot be
// parsed.
func (o *Options) SetValues(values url.Values) error {
	table := ExtraParameters()
	var faults invalid.Inputs
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if value, ok := retired[name]; ok && values.Get(name) == value {
			continue
		}
		if _, ok := table.Lookup(name); !ok {
			faults.Add(name, "unknown_field", "is not a parameter of a picture"+nearest.Question(name, table.Names()))
		}
	}
	if values.Get("theme") != "" {
		o.Palette = nil
	}
	given := maps.Clone(values)
	maps.DeleteFunc(given, func(_ string, texts []string) bool { return strings.Join(texts, "") == "" })
	unread, _ := invalid.Of(table.SetQuery(o, given))
	return append(faults, unread...).Err()
}

// NewWith is [New] with the options overridden by parameters, which
// [Options.SetValues] parses. The error joins those of both, one for each
// field.
func NewWith(code string, o Options, values url.Values) (Config, error) {
	unread := o.SetValues(values)
	c, illegal := New(code, o)
	faults, _ := invalid.Of(illegal)
	more, _ := invalid.Of(unread)
	if err := faults.With(more).Err(); err != nil {
		return Config{}, err
	}
	return c, nil
}

// Values returns the parameters that differ from their defaults, as
// [Options.SetValues] parses them, without a theme that is in the JSON of the
// Config.
func (c Config) Values() url.Values {
	o := c.Options()
	values := ExtraParameters().Query(&o)
	if slices.Contains(highlight.Themes(), o.Theme) {
		values.Del("theme")
	}
	return values
}

// ParseScale parses the scale of a PNG, from 1 to 4.
func ParseScale(s string) (float64, error) {
	scale, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		return 0, &invalid.Input{Field: "scale", Reason: "invalid_type", Message: fmt.Sprintf("must be a number from %d to %d", MinScale, MaxScale)}
	}
	return scale, checkScale(scale)
}

func checkScale(scale float64) error {
	var f faults
	f.number("scale", scale, MinScale, MaxScale)
	return f.Err()
}
