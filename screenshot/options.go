package screenshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// The limits of a Config. Characters are Unicode code points.
const (
	MaxCode         = 50_000 // characters
	MaxTitle        = 200    // characters of WindowTitle
	MaxBackground   = 1_000  // characters
	MaxPadding      = 256    // CSS pixels
	MinFontSize     = 6      // CSS pixels
	MaxFontSize     = 72     // CSS pixels
	MaxBorderRadius = 64     // CSS pixels
)

// The limits of Extras.
const (
	MaxWatermark  = 100       // characters
	MaxRanges     = 1_000     // line ranges in one list
	MaxLineNumber = 9_999_999 // number shown beside a line
	MinColumns    = 10        // width to wrap at
	MaxColumns    = 1_000     // width to wrap at
	MinTabWidth   = 1         // columns
	MaxTabWidth   = 16        // columns
	MinLineHeight = 1         // times the font size
	MaxLineHeight = 3         // times the font size
	MaxFamily     = 100       // characters
)

// The frames of the code.
const (
	WindowMac     = "mac"     // three coloured buttons at the left
	WindowWindows = "windows" // three symbols at the right
	WindowNone    = "none"    // code directly on the background: no title bar, theme background or shadow
)

var windows = []string{WindowMac, WindowWindows, WindowNone}

// EmbedConfig is the value of [Extras].Embed that embeds the [Config] for
// [ReadConfig].
const EmbedConfig = "config"

// Options configures [New]. The zero Options gives a screenshot with the
// defaults described there.
type Options struct {
	Language   string // a name or alias in any case; "", "auto" and unknown names: detected. See also [Extras.Input]
	Theme      string // one of [highlight.AllThemes] or of Extras.Themes; "": dracula
	Background string // a CSS color or gradient; "": a purple gradient

	Padding      *float64 // around the window, 0 to 256 CSS pixels; nil: 64
	FontSize     *float64 // 6 to 72 CSS pixels; nil: 14
	BorderRadius *float64 // of the window, 0 to 64 CSS pixels; nil: 12

	HideLineNumbers    bool
	HideWindowControls bool
	HideShadow         bool
	WindowTitle        string // in the title bar, at most 200 characters

	Extras
}

// Extras are the settings that the contract of the HTTP API does not have.
// Options and Config share them, and the zero Extras change nothing.
//
// Line numbers are those shown beside the lines: the first line of the code has
// the number FirstLine.
type Extras struct {
	FirstLine int        // number of the first line; 0: 1
	Lines     LineRange  // show only these lines, with their numbers
	Highlight LineRanges // lines set off by the theme's selection colour
	Focus     LineRanges // lines that are not dimmed; nil: all
	Inserted  LineRanges // lines marked with + as in a diff
	Deleted   LineRanges // lines marked with − as in a diff

	Tints []Tint // colours of lines that are not inserted, deleted or highlighted, at most 5,000, in order

	Themes  []highlight.Theme // more themes that Options.Theme can name; they take precedence over highlight.AllThemes
	Palette *highlight.Theme  // a theme to use instead of Options.Theme, such as one of highlight.ParseTheme; nil: none

	Columns    int     // wrap lines between words at this column, 10 to 1,000, and make the window that wide; 0: as wide as the code
	TabWidth   int     // columns between tab stops, 1 to 16; 0: 4
	LineHeight float64 // times the font size, 1 to 3; 0: 1.5
	Watermark  string  // small print in the bottom right corner, at most 100 characters
	Window     string  // WindowMac, WindowWindows or WindowNone; "": WindowMac
	Ratio      string  // aspect ratio to extend the background to: 16:9, 4:3, 3:2, 1:1, 4:5, 9:16 or og, which is 1200:630; "": none

	Fonts      *Fonts // fonts for characters that the embedded font lacks; nil: none
	FontFamily string // family of Fonts for the code; "": the embedded JetBrains Mono

	DisableLigatures bool

	Input string // what the code is: InputANSI or InputPatch; "": code in Options.Language
	Embed string // EmbedConfig: embed the Config, including the code, in a PNG; "": do not

	// Workers is the number of goroutines that paint a PNG, at most 16; 0 and 1
	// mean only the caller's.
	Workers int
}

// A Tint is the background colour of a line.
type Tint struct {
	Line  int
	Color string // #rrggbb or #rrggbbaa, painted over the window's background
}

// A LineRange is the lines From to To, inclusive. If To is 0, it is the line
// From alone. The zero LineRange is no line, or as Extras.Lines all lines.
type LineRange struct{ From, To int }

// ParseLineRange parses "12" and "10-20".
func ParseLineRange(s string) (LineRange, error) {
	from, to, both := strings.Cut(s, "-")
	if !both {
		to = from
	}
	first, noFirst := strconv.Atoi(strings.TrimSpace(from))
	last, noLast := strconv.Atoi(strings.TrimSpace(to))
	r := LineRange{first, last}
	if noFirst != nil || noLast != nil || last == 0 || !r.valid() {
		return LineRange{}, badRange("lines")
	}
	return r, nil
}

// String formats a range as [ParseLineRange] parses it; the zero LineRange is
// "".
func (r LineRange) String() string {
	switch {
	case r == LineRange{}:
		return ""
	case r.To == 0 || r.To == r.From:
		return strconv.Itoa(r.From)
	default:
		return strconv.Itoa(r.From) + "-" + strconv.Itoa(r.To)
	}
}

// UnmarshalText implements [encoding.TextUnmarshaler] by [ParseLineRange].
func (r *LineRange) UnmarshalText(text []byte) (err error) {
	*r, err = ParseLineRange(string(text))
	return err
}

// LineRanges are ranges of lines, written 3,7-9.
type LineRanges []LineRange

// String formats the ranges as UnmarshalText parses them.
func (all LineRanges) String() string {
	texts := make([]string, len(all))
	for i, r := range all {
		texts[i] = r.String()
	}
	return strings.Join(texts, ",")
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (all *LineRanges) UnmarshalText(text []byte) error {
	*all = nil
	for part := range strings.SplitSeq(string(text), ",") {
		r, err := ParseLineRange(part)
		if err != nil {
			return err
		}
		*all = append(*all, r)
	}
	return nil
}

func badRange(field string) *invalid.Input {
	return &invalid.Input{Field: field, Reason: "invalid_format", Message: fmt.Sprintf("must be a line or a range of lines such as 10-20, with numbers from 1 to %d", MaxLineNumber)}
}

func (r LineRange) valid() bool {
	return r.From >= 1 && r.From <= MaxLineNumber && (r.To == 0 || r.To >= r.From && r.To <= MaxLineNumber)
}

func (r LineRange) contains(line int) bool {
	return r.From != 0 && line >= r.From && line <= max(r.From, r.To)
}

func contains(ranges LineRanges, line int) bool {
	return slices.ContainsFunc(ranges, func(r LineRange) bool { return r.contains(line) })
}

// faults collects the faults of a Config.
type faults struct{ invalid.Inputs }

func (f *faults) number(field string, v, low, high float64) {
	if !(v >= low && v <= high) { // also NaN
		f.Addf(field, "out_of_range", "must be %v to %v", low, high)
	}
}

func (f *faults) text(field, s string, limit int) {
	if !utf8.ValidString(s) {
		f.Add(field, "invalid_format", "must be valid UTF-8")
	} else if n := utf8.RuneCountInString(s); n > limit {
		f.Addf(field, "too_long", "has %d characters, must have at most %d", n, limit)
	}
}

func (f *faults) ranges(field string, ranges LineRanges) {
	if len(ranges) > MaxRanges {
		f.Addf(field, "too_many", "has %d ranges, must have at most %d", len(ranges), MaxRanges)
		return
	}
	for i, r := range ranges {
		if !r.valid() {
			f.Inputs = append(f.Inputs, badRange(fmt.Sprintf("%s[%d]", field, i)))
		}
	}
}
