package screenshot

import (
	"strings"

	"github.com/devkiln/devkiln/internal/language"
)

// The values of a Config whose Options are zero.
const (
	defaultBackground   = "linear-gradient(135deg, #667eea 0%, #764ba2 100%)"
	defaultPadding      = 64
	defaultFontSize     = 14
	defaultBorderRadius = 12
)

// A Config describes a screenshot completely. Its JSON is the config of the
// server's API: the eleven fields of a request, all filled in. Options with the
// same values give the same Config.
//
// Configs come from [New] and [ParseFragment]. One that is written by hand is
// checked when it is drawn.
type Config struct {
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

	Extras `json:"-"`
}

// New completes the options for a screenshot of code, which must have 1 to
// 50,000 characters of valid UTF-8. Where options are zero, the code is set in
// 14 pixels on the theme dracula, in a window with controls, line numbers,
// rounded corners and a shadow, 64 pixels inside a gradient.
//
// A Language that is known is kept in lower case; otherwise the language is
// detected from the code, with a WindowTitle such as main.go as a hint, and is
// "text" where nothing fits.
//
// The error joins an [OptionError] for every option that cannot be used.
func New(code string, o Options) (Config, error) {
	c := Config{
		Code:           code,
		Theme:          or(o.Theme, defaultTheme),
		Background:     strings.TrimSpace(or(o.Background, defaultBackground)),
		Padding:        orElse(o.Padding, defaultPadding),
		FontSize:       orElse(o.FontSize, defaultFontSize),
		LineNumbers:    !o.HideLineNumbers,
		WindowControls: !o.HideWindowControls,
		WindowTitle:    o.WindowTitle,
		BorderRadius:   orElse(o.BorderRadius, defaultBorderRadius),
		Shadow:         !o.HideShadow,
		Extras:         o.Extras,
	}
	if err := c.check(); err != nil {
		return Config{}, err
	}
	c.Language = language.Resolve(o.Language, code, o.WindowTitle)
	return c, nil
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func orElse(v *float64, otherwise float64) float64 {
	if v == nil {
		return otherwise
	}
	return *v
}

// check returns every fault of a Config. It does not look at the language:
// code in an unknown one is drawn as plain text.
func (c Config) check() error {
	var f faults
	if c.Code == "" {
		f.add("code", "too_short", "must not be empty")
	}
	f.text("code", c.Code, MaxCode)
	if _, ok := LookupTheme(c.Theme); !ok {
		f.add("theme", "not_one_of", "must be one of "+strings.Join(Themes(), ", "))
	}
	f.background(c.Background)
	f.number("padding", c.Padding, 0, MaxPadding)
	f.number("fontSize", c.FontSize, MinFontSize, MaxFontSize)
	f.text("windowTitle", c.WindowTitle, MaxTitle)
	f.number("borderRadius", c.BorderRadius, 0, MaxBorderRadius)
	f.extras(c.Extras)
	return f.err()
}

func (f *faults) background(s string) {
	before := len(*f)
	f.text("background", s, MaxBackground)
	if len(*f) > before {
		return
	}
	if _, err := parseBackground(s); err != nil {
		f.add("background", "invalid_format", err.Error())
	}
}

func (f *faults) extras(e Extras) {
	if e.FirstLine < 0 || e.FirstLine > MaxLineNumber {
		f.addf("firstLine", "out_of_range", "must be 1 to %d", MaxLineNumber)
	}
	if e.Lines != (LineRange{}) && !e.Lines.valid() {
		*f = append(*f, badRange("lines"))
	}
	f.ranges("highlight", e.Highlight)
	f.ranges("inserted", e.Inserted)
	f.ranges("deleted", e.Deleted)
	if e.Columns != 0 {
		f.number("columns", float64(e.Columns), MinColumns, MaxColumns)
	}
	f.text("watermark", e.Watermark, MaxWatermark)
	f.number("workers", float64(e.Workers), 0, maxWorkers)
	if e.FontFamily != "" && !e.Fonts.has(e.FontFamily) {
		f.add("fontFamily", "not_one_of", "must be a family of the given fonts")
	}
}
