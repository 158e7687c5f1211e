package screenshot

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/nearest"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// A Kind is the form of a parameter's text.
type Kind string

// The kinds of parameters.
const (
	KindSwitch  Kind = "switch"  // on or off
	KindInteger Kind = "integer" // from Min to Max
	KindNumber  Kind = "number"  // from Min to Max
	KindText    Kind = "text"    // at most Max characters
	KindChoice  Kind = "choice"  // one of Values
	KindLines   Kind = "lines"   // lines and line ranges: 3,7-9
)

// A Parameter is an option that can be set as text: in the query of a request,
// on the command line, in a form. [Parameters] lists them all, so that each of
// these offers the same.
type Parameter struct {
	Name     string
	Kind     Kind
	Min, Max float64  // of numbers and texts
	Values   []string // of choices
	Default  string
	Doc      string // one sentence without a full stop

	set func(*Options, string) error
	get func(*Options) string // "" for the default
}

// Parameters returns a parameter for each option of [Extras], and theme.
func Parameters() []Parameter {
	return []Parameter{
		{
			Name: "theme", Kind: KindChoice, Values: highlight.AllThemes(), Default: highlight.DefaultTheme, Doc: "Colours of the code and its window",
			set: setTheme, get: extraTheme,
		},
		lines("highlight", "Lines to highlight", func(o *Options) *[]LineRange { return &o.Highlight }),
		lines("focus", "Lines to show; the others are dimmed", func(o *Options) *[]LineRange { return &o.Focus }),
		lines("inserted", "Lines to mark with + as in a diff", func(o *Options) *[]LineRange { return &o.Inserted }),
		lines("deleted", "Lines to mark with − as in a diff", func(o *Options) *[]LineRange { return &o.Deleted }),
		{
			Name: "lines", Kind: KindLines, Doc: "Draw only this range of lines, with their numbers",
			set: func(o *Options, s string) (err error) { o.Lines, err = ParseLineRange(s); return err },
			get: func(o *Options) string { return o.Lines.String() },
		},
		number("firstLine", KindInteger, 1, MaxLineNumber, "1", "Number of the first line", strconv.Atoi, func(o *Options) *int { return &o.FirstLine }),
		number("wrap", KindInteger, MinColumns, MaxColumns, "", "Wrap lines at this column, and make the window that wide", strconv.Atoi, func(o *Options) *int { return &o.Columns }),
		number("tabWidth", KindInteger, MinTabWidth, MaxTabWidth, "4", "Columns between tab stops", strconv.Atoi, func(o *Options) *int { return &o.TabWidth }),
		number("lineHeight", KindNumber, MinLineHeight, MaxLineHeight, "1.5", "Height of a line, times the font size", parseFloat, func(o *Options) *float64 { return &o.LineHeight }),
		text("watermark", MaxWatermark, "Small print in the bottom right corner", func(o *Options) *string { return &o.Watermark }),
		choice("window", windows, WindowMac, "Frame of the code", func(o *Options) *string { return &o.Window }),
		choice("ratio", ratios(), "", "Extend the background to this aspect ratio", func(o *Options) *string { return &o.Ratio }),
		{
			Name: "ligatures", Kind: KindSwitch, Default: "on", Doc: "Use ligatures for characters such as =>",
			set: setLigatures, get: ligatures,
		},
		choice("input", []string{InputANSI, InputPatch}, "", "What the code is: terminal output, or the patch of a file", func(o *Options) *string { return &o.Input }),
		choice("embed", []string{EmbedConfig}, "", "Embed the configuration in a PNG, so that the studio can open it", func(o *Options) *string { return &o.Embed }),
		text("fontFamily", MaxFamily, "A font family of the server for the code", func(o *Options) *string { return &o.FontFamily }),
	}
}

// lookUpTheme returns the theme of that name from themes, or else a built-in
// one.
func lookUpTheme(themes []highlight.Theme, name string) (highlight.Theme, bool) {
	if i := slices.IndexFunc(themes, func(t highlight.Theme) bool { return t.Name == name }); i >= 0 {
		return themes[i], true
	}
	return highlight.LookupTheme(name)
}

func setTheme(o *Options, name string) error {
	o.Theme, o.Palette = name, nil
	return nil
}

// extraTheme returns the theme unless the JSON of a Config has it.
func extraTheme(o *Options) string {
	if slices.Contains(highlight.Themes(), o.Theme) {
		return ""
	}
	return o.Theme
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

func setLigatures(o *Options, s string) error {
	if s != "on" && s != "off" {
		return &invalid.Input{Field: "ligatures", Reason: "not_one_of", Message: "must be on or off"}
	}
	o.DisableLigatures = s == "off"
	return nil
}

func ligatures(o *Options) string {
	if o.DisableLigatures {
		return "off"
	}
	return ""
}

// retired are the parameters that links and pictures of earlier versions may
// have, with the value of each. They change nothing now.
var retired = map[string]string{"notation": "shiki", "size": "smallest"}

// SetValues sets options from the parameters of a query or a form. Several
// values of one parameter form one list. The error joins an option error for
// each name that is not among the [Parameters], and for each value that cannot
// be parsed.
func (o *Options) SetValues(values url.Values) error {
	all := Parameters()
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if value, ok := retired[name]; ok && values.Get(name) == value {
			continue
		}
		i := slices.IndexFunc(all, func(p Parameter) bool { return p.Name == name })
		if i < 0 {
			errs = append(errs, unknownParameter(name, all))
			continue
		}
		if value := strings.Join(values[name], ","); value != "" {
			errs = append(errs, all[i].set(o, value))
		}
	}
	return errors.Join(errs...)
}

func unknownParameter(name string, all []Parameter) error {
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = p.Name
	}
	return &invalid.Input{Field: name, Reason: "unknown_field", Message: "is not a parameter of a picture" + nearest.Question(name, names)}
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

// ParseScale parses the scale of a PNG, from 1 to 4.
func ParseScale(s string) (float64, error) {
	scale, err := parseFloat(strings.TrimSpace(s))
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

// Values returns the parameters that differ from their defaults, as
// [Options.SetValues] parses them. They do not include Config.Theme, which is
// in the JSON of a Config.
func (c Config) Values() url.Values {
	o := c.Options()
	values := make(url.Values)
	for _, p := range Parameters() {
		if value := p.get(&o); value != "" {
			values.Set(p.Name, value)
		}
	}
	return values
}

func choice(name string, values []string, otherwise, doc string, field func(*Options) *string) Parameter {
	p := text(name, 0, doc, field)
	p.Kind, p.Max, p.Values, p.Default = KindChoice, 0, values, otherwise
	return p
}

func text(name string, limit float64, doc string, field func(*Options) *string) Parameter {
	return Parameter{
		Name: name, Kind: KindText, Max: limit, Doc: doc,
		set: func(o *Options, s string) error { *field(o) = s; return nil },
		get: func(o *Options) string { return *field(o) },
	}
}

// number returns a parameter whose field is 0 for the default; the text "0" is
// an error.
func number[T int | float64](name string, kind Kind, low, high float64, otherwise, doc string, parse func(string) (T, error), field func(*Options) *T) Parameter {
	return Parameter{
		Name: name, Kind: kind, Min: low, Max: high, Default: otherwise, Doc: doc,
		set: func(o *Options, s string) error {
			v, err := parse(s)
			if err != nil || v == 0 {
				noun := "number"
				if kind == KindInteger {
					noun = "whole number"
				}
				return &invalid.Input{Field: name, Reason: "invalid_type", Message: fmt.Sprintf("must be a %s from %.0f to %.0f", noun, low, high)}
			}
			*field(o) = v
			return nil
		},
		get: func(o *Options) string {
			if v := *field(o); v != 0 {
				return fmt.Sprint(v)
			}
			return ""
		},
	}
}

func parseFloat(s string) (float64, error) { return strconv.ParseFloat(s, 64) }

func lines(name, doc string, field func(*Options) *[]LineRange) Parameter {
	return Parameter{
		Name: name, Kind: KindLines, Doc: doc,
		set: func(o *Options, s string) (err error) { *field(o), err = parseLineRanges(name, s); return err },
		get: func(o *Options) string {
			var parts []string
			for _, r := range *field(o) {
				parts = append(parts, r.String())
			}
			return strings.Join(parts, ",")
		},
	}
}

// parseLineRanges parses lists of line ranges such as "3,7-9".
func parseLineRanges(name, s string) ([]LineRange, error) {
	var ranges []LineRange
	for part := range strings.SplitSeq(s, ",") {
		r, err := ParseLineRange(part)
		if err != nil {
			return nil, badRange(name)
		}
		ranges = append(ranges, r)
	}
	return ranges, nil
}
