package screenshot

import (
	"fmt"
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

func init() { option.Register(parameters) }

// parameters returns a row for each of the [Options] that can be text, which
// commands, pages and agents read. Requests have the theme and the [Extras] in
// their query.
var parameters = sync.OnceValue(func() option.Table[Options] {
	return slices.Concat(option.New(
		row{Name: "language", Short: "l", Kind: option.Name, Values: language.Names(), Example: "go", Doc: "Language of the code; detected unless given", Field: func(o *Options) any { return &o.Language }},
	), inQuery(row{
		Name: "theme", Short: "t", Kind: option.Name, Values: highlight.AllThemes(), Default: highlight.DefaultTheme, Example: "nord",
		Doc: "Colours of the code and its window", Field: func(o *Options) any { return &o.Theme },
	}), option.New(
		row{Name: "background", Max: maxBackground, Example: "linear-gradient(45deg, #ff7e5f, #feb47b)", Doc: "A CSS colour or gradient, or transparent", Field: func(o *Options) any { return &o.Background }},
		row{Name: "padding", Max: maxPadding, Step: 1, Default: decimal(defaultPadding), Example: "32", Doc: "Pixels around the window", Field: func(o *Options) any { return &o.Padding }},
		row{Name: "fontSize", Min: minFontSize, Max: maxFontSize, Step: 1, Default: decimal(defaultFontSize), Example: "18", Doc: "Font size in pixels", Field: func(o *Options) any { return &o.FontSize }},
		row{Name: "windowTitle", Flag: "title", Max: MaxTitle, Example: "main.go", Doc: "Text in the title bar", Field: func(o *Options) any { return &o.WindowTitle }},
		row{Name: "borderRadius", Max: maxBorderRadius, Step: 1, Default: decimal(defaultBorderRadius), Example: "0", Doc: "Radius of the window's corners in pixels", Field: func(o *Options) any { return &o.BorderRadius }},
		row{Name: "lineNumbers", Default: "on", Example: "off", Doc: "Draw line numbers", Field: func(o *Options) any { return &o.HideLineNumbers }},
		row{Name: "windowControls", Default: "on", Example: "off", Doc: "Draw the controls of the window", Field: func(o *Options) any { return &o.HideWindowControls }},
		row{Name: "shadow", Default: "on", Example: "off", Doc: "Draw a shadow below the window", Field: func(o *Options) any { return &o.HideShadow }},
	), extras())
})

func inQuery(rows ...row) option.Table[Options] {
	for i := range rows {
		rows[i].InQuery = true
	}
	return option.New(rows...)
}

// extras returns a row for each of the [Extras].
func extras() option.Table[Options] {
	return inQuery(
		row{Name: "highlight", Example: "3,7-9", Doc: "Lines to highlight", Field: func(o *Options) any { return &o.Highlight }},
		row{Name: "focus", Example: "3,7-9", Doc: "Lines to show; the others are dimmed", Field: func(o *Options) any { return &o.Focus }},
		row{Name: "inserted", Example: "3,7-9", Doc: "Lines to mark with + as in a diff", Field: func(o *Options) any { return &o.Inserted }},
		row{Name: "deleted", Example: "3,7-9", Doc: "Lines to mark with − as in a diff", Field: func(o *Options) any { return &o.Deleted }},
		row{Name: "lines", Example: "10-20", Doc: "Draw only this range of lines, with their numbers", Field: func(o *Options) any { return &o.Lines }},
		row{Name: "firstLine", Min: 1, Max: maxLineNumber, Default: "1", Example: "10", Doc: "Number of the first line", Field: func(o *Options) any { return &o.FirstLine }},
		row{Name: "wrap", Min: 10, Max: 1_000, Example: "80", Doc: "Wrap lines at this column, and make the window that wide", Field: func(o *Options) any { return &o.Columns }},
		row{Name: "tabWidth", Min: 1, Max: 16, Default: "4", Example: "8", Doc: "Columns between tab stops", Field: func(o *Options) any { return &o.TabWidth }},
		row{Name: "lineHeight", Min: 1, Max: 3, Default: "1.5", Example: "1.2", Doc: "Height of a line, times the font size", Field: func(o *Options) any { return &o.LineHeight }},
		row{Name: "watermark", Max: 100, Example: "example.com", Doc: "Small print in the bottom right corner", Field: func(o *Options) any { return &o.Watermark }},
		row{Name: "window", Values: windows, Default: windowMac, Example: windowNone, Doc: "Frame of the code", Field: func(o *Options) any { return &o.Window }},
		row{Name: "size", Retired: []string{"notation=shiki", "size=smallest"}, Kind: option.Name, Max: 9, Values: sizes, Labels: labels, Example: "1200x675", Doc: "Pixels of the picture at any scale: its width and height, or its width alone", Field: func(o *Options) any { return &o.Size }},
		row{Name: "ratio", Label: "Shape", Values: ratios, Labels: labels, Example: "16:9", Doc: "Extend the background to this aspect ratio", Field: func(o *Options) any { return &o.Ratio }},
		row{Name: "ligatures", Default: "on", Example: "off", Doc: "Use ligatures for characters such as =>", Field: func(o *Options) any { return &o.DisableLigatures }},
		row{Name: "input", Values: []string{inputANSI, inputPatch}, Example: inputANSI, Doc: "What the code is: terminal output, or the patch of a file", Field: func(o *Options) any { return &o.Input }},
		row{Name: "embed", Values: []string{embedConfig}, Example: embedConfig, Doc: "Embed the configuration in a PNG, so that the studio can open it", Field: func(o *Options) any { return &o.Embed }},
		row{Name: "fontFamily", Max: 100, Example: "Fira Code", Doc: "Font of the code: Fira Code, Geist Mono, Roboto Mono, or a family of the server", Field: func(o *Options) any { return &o.FontFamily }},
	)
}

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
	if t, ok := lookUpTheme(themes, name); ok {
		if t.Foreground == "" {
			f.Add("theme", "invalid_format", "must have colours, as themes of highlight.ParseTheme have")
		}
		return
	}
	names := highlight.AllThemes()
	for _, t := range themes {
		names = append(names, t.Name)
	}
	f.Add("theme", "not_one_of", "must be one of "+strings.Join(highlight.Themes(), ", ")+" or another known theme"+nearest.Question(name, names))
}

// ParseScale parses the scale of a PNG, from 1 to 4.
func ParseScale(s string) (float64, error) {
	scale, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		return 0, &invalid.Fault{Field: "scale", Reason: "invalid_type", Message: fmt.Sprintf("must be a number from %d to %d", MinScale, MaxScale)}
	}
	return scale, checkScale(scale)
}

func checkScale(scale float64) error {
	var f faults
	f.number("scale", scale, MinScale, MaxScale)
	return f.Err()
}
