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
	maxBackground   = 1_000  // characters
	maxPadding      = 256    // CSS pixels
	minFontSize     = 6      // CSS pixels
	maxFontSize     = 72     // CSS pixels
	maxBorderRadius = 64     // CSS pixels
)

// The limits of Extras that are not in the table of parameters.
const (
	maxRanges     = 1_000     // line ranges in one list
	maxLineNumber = 9_999_999 // number shown beside a line
)

// The frames of the code.
const (
	windowMac     = "mac"     // three coloured buttons at the left
	windowWindows = "windows" // three symbols at the right
	windowNone    = "none"    // code directly on the background: no title bar, theme background or shadow
)

var windows = []string{windowMac, windowWindows, windowNone}

// embedConfig is the value of [Extras].Embed.
const embedConfig = "config"

// Options configures [New]. The zero Options gives a screenshot with the
// defaults that New describes.
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

// Extras are the settings beyond the eleven fields of the HTTP API, which has
// them as parameters of the query. Options and Config share them, and the zero
// Extras change nothing.
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

	Themes []highlight.Theme // more themes that Options.Theme can name; they take precedence over highlight.AllThemes

	Columns    int     // wrap lines between words at this column, 10 to 1,000, and make the window that wide; 0: as wide as the code
	TabWidth   int     // columns between tab stops, 1 to 16; 0: 4
	LineHeight float64 // times the font size, 1 to 3; 0: 1.5
	Watermark  string  // small print in the bottom right corner, at most 100 characters
	Window     string  // the frame: mac, windows, or none, which draws the code directly on the background; "": mac
	Ratio      string  // aspect ratio to extend the background to: 16:9, 4:3, 3:2, 1:1, 4:5, 9:16 or og, which is 1200:630; "": none
	Size       string  // of the picture in pixels at any scale, to which it is drawn smaller or up to 4 times as large: 1200x675, or a width such as 1660; "": as the code

	Fonts      *Fonts // fonts for characters that the embedded font lacks; nil: none
	FontFamily string // one of [Fonts.Families] for the code; "": JetBrains Mono

	DisableLigatures bool

	Input string // what the code is: ansi, terminal output with escape sequences, or patch, of one file, as git and diff -u write it; "": code in Options.Language
	Embed string // config: embed the Config, including the code, in a PNG, which the studio opens; "": do not

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

// UnmarshalText parses "12" and "10-20".
func (r *LineRange) UnmarshalText(text []byte) error {
	from, to, both := strings.Cut(string(text), "-")
	if !both {
		to = from
	}
	first, noFirst := strconv.Atoi(strings.TrimSpace(from))
	last, noLast := strconv.Atoi(strings.TrimSpace(to))
	*r = LineRange{first, last}
	if noFirst != nil || noLast != nil || last == 0 || !r.valid() {
		*r = LineRange{}
		return badRange("lines")
	}
	return nil
}

// String formats a range as UnmarshalText parses it; the zero LineRange is "".
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

// LineRanges are ranges of lines, written 3,7-9.
type LineRanges []LineRange

// String formats the ranges as UnmarshalText parses them.
func (all LineRanges) String() string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint([]LineRange(all)), "[]"), " ", ",")
}

// UnmarshalText parses "3,7-9".
func (all *LineRanges) UnmarshalText(text []byte) error {
	*all = nil
	for part := range strings.SplitSeq(string(text), ",") {
		var r LineRange
		if err := r.UnmarshalText([]byte(part)); err != nil {
			return err
		}
		*all = append(*all, r)
	}
	return nil
}

func badRange(field string) *invalid.Fault {
	return &invalid.Fault{Field: field, Reason: "invalid_format", Message: fmt.Sprintf("must be a line or a range of lines such as 10-20, with numbers from 1 to %d", maxLineNumber)}
}

func (r LineRange) valid() bool {
	return r.From >= 1 && r.From <= maxLineNumber && (r.To == 0 || r.To >= r.From && r.To <= maxLineNumber)
}

func (r LineRange) contains(line int) bool {
	return r.From != 0 && line >= r.From && line <= max(r.From, r.To)
}

func contains(ranges LineRanges, line int) bool {
	return slices.ContainsFunc(ranges, func(r LineRange) bool { return r.contains(line) })
}

// faults collects the faults of a Config.
type faults struct{ invalid.Faults }

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
	if len(ranges) > maxRanges {
		f.Addf(field, "too_many", "has %d ranges, must have at most %d", len(ranges), maxRanges)
		return
	}
	for i, r := range ranges {
		if !r.valid() {
			f.Faults = append(f.Faults, badRange(fmt.Sprintf("%s[%d]", field, i)))
		}
	}
}
