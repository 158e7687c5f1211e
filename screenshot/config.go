package screenshot

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/screenshot/internal/rgb"
)

// The defaults of [Options].
const (
	defaultBackground   = "linear-gradient(135deg, #667eea 0%, #764ba2 100%)"
	defaultPadding      = 64
	defaultFontSize     = 14
	defaultBorderRadius = 12
)

// A Config describes a screenshot completely: [Options] with all defaults
// filled in. Its JSON is the config of the HTTP API: the eleven fields of a
// request, in which the three Hide fields are inverted to lineNumbers,
// windowControls and shadow. Options with the same values give the same Config.
//
// Configs come from [New], [ParseFragment] and JSON. A Config from elsewhere is
// validated when it is rendered.
type Config struct {
	Code         string
	Language     string
	Theme        string
	Background   string
	Padding      float64
	FontSize     float64
	BorderRadius float64

	HideLineNumbers    bool
	HideWindowControls bool
	HideShadow         bool
	WindowTitle        string

	Extras
}

// configJSON is the JSON form of a Config.
type configJSON struct {
	Code           string  `json:"code"`
	Language       string  `json:"language"`
	Theme          string  `json:"theme"`
	Background     string  `json:"background"`
	Padding        float64 `json:"padding"`
	FontSize       float64 `json:"fontSize"`
	LineNumbers    bool    `json:"lineNumbers"`
	WindowControls bool    `json:"windowControls"`
	WindowTitle    string  `json:"windowTitle"`
	BorderRadius   float64 `json:"borderRadius"`
	Shadow         bool    `json:"shadow"`
}

// MarshalJSON writes the eleven fields of the API, without Extras. It leaves
// the escaping of <, > and & to the calling encoder.
func (c Config) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(configJSON{
		c.Code, c.Language, c.Theme, c.Background, c.Padding, c.FontSize,
		!c.HideLineNumbers, !c.HideWindowControls, c.WindowTitle, c.BorderRadius, !c.HideShadow,
	})
	return b.Bytes(), err
}

// UnmarshalJSON parses the JSON of [Config.MarshalJSON]. Missing fields are
// zero, which hides what they would show; unknown fields are an error.
func (c *Config) UnmarshalJSON(data []byte) error {
	var j configJSON
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&j); err != nil {
		return err
	}
	*c = Config{
		Code: j.Code, Language: j.Language, Theme: j.Theme, Background: j.Background,
		Padding: j.Padding, FontSize: j.FontSize, BorderRadius: j.BorderRadius, WindowTitle: j.WindowTitle,
		HideLineNumbers: !j.LineNumbers, HideWindowControls: !j.WindowControls, HideShadow: !j.Shadow,
	}
	return nil
}

// Options returns the options from which [New] makes c, given c.Code.
func (c Config) Options() Options {
	return Options{
		Language: c.Language, Theme: c.Theme, Background: c.Background,
		Padding: &c.Padding, FontSize: &c.FontSize, BorderRadius: &c.BorderRadius,
		HideLineNumbers: c.HideLineNumbers, HideWindowControls: c.HideWindowControls, HideShadow: c.HideShadow,
		WindowTitle: c.WindowTitle, Extras: c.Extras,
	}
}

// New completes the options for a screenshot of code, which must have 1 to
// 50,000 characters of valid UTF-8. By default the code is set at 14 pixels in
// the theme dracula, in a window with controls, line numbers, rounded corners
// and a shadow, with 64 pixels of a gradient around it.
//
// A known Language is kept in lower case. Otherwise the language is detected
// from the code, with a WindowTitle such as main.go as a hint, and is "text" if
// nothing fits.
//
// The error joins an option error for each invalid option.
func New(code string, o Options) (Config, error) {
	c := o.Fill(code)
	if err := c.check(); err != nil {
		return Config{}, err
	}
	if c.Language = language.Text; c.Input != inputANSI {
		c.Language = language.Resolve(o.Language, code, o.WindowTitle)
	}
	return c, nil
}

// Fill returns the Config of [New] without validation and with the language as
// given: for a form that shows options that may be invalid.
func (o Options) Fill(code string) Config {
	return Config{
		Code:     code,
		Theme:    cmp.Or(o.Theme, highlight.DefaultTheme),
		Language: o.Language, Background: strings.TrimSpace(cmp.Or(o.Background, defaultBackground)),
		Padding: orElse(o.Padding, defaultPadding), FontSize: orElse(o.FontSize, defaultFontSize), BorderRadius: orElse(o.BorderRadius, defaultBorderRadius),
		HideLineNumbers: o.HideLineNumbers, HideWindowControls: o.HideWindowControls, HideShadow: o.HideShadow,
		WindowTitle: o.WindowTitle, Extras: o.Extras,
	}
}

func orElse(v *float64, otherwise float64) float64 {
	if v == nil {
		return otherwise
	}
	return *v
}

// check returns every fault of a Config. It accepts any language: code in an
// unknown one is drawn as plain text.
func (c Config) check() error {
	var f faults
	if c.Code == "" {
		f.Add("code", "too_short", "must not be empty")
	}
	f.text("code", c.Code, MaxCode)
	f.theme(c.Themes, c.Theme)
	f.background(c.Background)
	o := c.Options()
	f.Faults = append(f.Faults, parameters().Check(&o)...)
	f.extras(c.Extras)
	return f.Err()
}

func (f *faults) background(s string) {
	if utf8.RuneCountInString(s) > maxBackground || !utf8.ValidString(s) {
		return // refused by the table
	}
	if _, err := parseBackground(s); err != nil {
		f.Add("background", "invalid_format", err.Error())
	}
}

func (f *faults) tints(tints []Tint) {
	if len(tints) > MaxLines {
		f.Addf("tints", "too_many", "has %d lines, must have at most %d", len(tints), MaxLines)
		return
	}
	for i, t := range tints {
		if _, err := rgb.Parse(t.Color); err != nil {
			f.Addf(fmt.Sprintf("tints[%d]", i), "invalid_format", "must be a colour such as #ff0000 or #ff000080")
		}
	}
}

// input refuses options that the input does not support.
func (f *faults) input(e Extras) {
	for i, isSet := range [...]bool{e.FirstLine != 0, e.Inserted != nil, e.Deleted != nil} {
		if isSet && e.Input == inputPatch {
			f.Add([...]string{"firstLine", "inserted", "deleted"}[i], "not_one_of", "must not be set if input is patch")
		}
	}
}

// extras refuses what only the options together, or with the fonts, say.
func (f *faults) extras(e Extras) {
	if e.Lines != (LineRange{}) && !e.Lines.valid() {
		f.Faults = append(f.Faults, badRange("lines"))
	}
	f.ranges("highlight", e.Highlight)
	f.ranges("focus", e.Focus)
	f.ranges("inserted", e.Inserted)
	f.ranges("deleted", e.Deleted)
	f.tints(e.Tints)
	f.input(e)
	f.size(e.Size, e.Ratio)
	f.number("workers", float64(e.Workers), 0, maxWorkers)
	if e.FontFamily != "" && !e.Fonts.typesetter().Has(e.FontFamily) {
		f.Add("fontFamily", "not_one_of", "must be "+strings.Join(e.Fonts.Families(), ", ")+", or a family of added fonts")
	}
}
