// Package export writes gradients for targets other than CSS: Tailwind, native
// toolkits and design tools.
//
// Start with [Write], which takes the name of one of [Formats]: css,
// css-fallback, tailwind4, swiftui, compose, flutter, android-xml, svg or json.
// Features that a target lacks are converted so that its picture matches the CSS: colour
// spaces, hints and easing become plain sRGB stops, and angles follow the
// target's convention. A gradient that cannot be converted is refused with the
// reason, as an option error for the field format.
//
// Targets measure in pixels or in fractions of a box. The result is right for
// the box of [Options], and for boxes of the same proportions where the target
// allows.
package export

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/internal/invalid"
)

// Options configures [Write]. The zero Options means a box of 400 by 300 pixels
// and colours of the stops within 2 steps of 1/255 of those of the CSS.
type Options struct {
	// Name is the identifier for targets that need one: a letter followed by
	// letters, digits and hyphens, at most 64 characters, and no reserved word
	// of the target. Empty means "gradient".
	Name string

	// Width and Height are the size of the box in pixels, each from 1 to
	// 2,097,152. 0 means 400 for Width and 300 for Height.
	Width, Height int

	// MaxError is that of [gradient.ExpandOptions]. 0 means 2.
	MaxError float64
}

// Format is a target that [Write] supports.
type Format struct {
	Name     string // in options and URLs, such as "swiftui"
	Title    string // for people, such as "SwiftUI"
	About    string // what the text is, such as "a class for any element"
	Language string // of the text, by the names of package share's snippets

	// Error is the largest difference, in steps of 1/255, between the picture
	// that the text describes with the zero Options, by the target's
	// documentation, and the one that Chromium paints for the CSS. A test
	// measures it.
	Error int

	write func(*job) error
}

// Formats returns the targets in display order.
func Formats() []Format {
	return []Format{
		{"css", "CSS", "a declaration for any element", "css", 0, writeCSS},
		{"css-fallback", "CSS with fallback", "declarations for any element, with prefixes and plain stops for old browsers", "css", 3, writeFallback},
		{"tailwind4", "Tailwind 4", "a class for any element", "text", 0, writeTailwind},
		{"swiftui", "SwiftUI", "a gradient, to fill a shape or as a background", "swift", 3, native("swiftui")},
		{"compose", "Jetpack Compose", "a Brush", "kotlin", 3, native("compose")},
		{"flutter", "Flutter", "a Gradient, for the decoration of a box", "dart", 3, native("flutter")},
		{"android-xml", "Android XML", "a vector drawable", "xml", 3, native("android-xml")},
		{"svg", "SVG", "an SVG document", "xml", 1, writeSVG},
		{"json", "Design tokens", "a token of the Design Tokens format", "json", 3, writeTokens},
	}
}

// FormatNames returns the names of [Formats] in the same order.
func FormatNames() []string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// reserved holds the words of each language that cannot name a constant.
var reserved = map[string]string{
	"swiftui": "associatedtype break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate for func as guard if import in init inout internal is let nil Any Self operator private protocol public repeat rethrows return self static struct subscript super switch throw throws true try typealias var where while",
	"compose": "as break class continue do else false for fun if in interface is null object package return super this throw true try typealias typeof val var when while",
	"flutter": "assert break case catch class const continue default do else enum extends false final finally for if in is new null rethrow return super switch this throw true try var void while with",
}

var nameRule = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{0,63}$`)

// Write writes a gradient in the format of that name, one of [Formats]. The
// text ends with a line feed.
//
// The error is that of w, or joins an option error for each invalid field:
// format, name, width, height and maxError.
func Write(w io.Writer, g gradient.Gradient, format string, o Options) error {
	var faults invalid.Faults
	all := Formats()
	i := slices.IndexFunc(all, func(f Format) bool { return f.Name == format })
	if i < 0 {
		faults.Add("format", "not_one_of", "must be one of "+strings.Join(FormatNames(), ", "))
	}
	o.Name = cmp.Or(o.Name, "gradient")
	switch {
	case !nameRule.MatchString(o.Name):
		faults.Add("name", "invalid_format", "must be a letter, then letters, digits and hyphens, at most 64")
	case slices.Contains(strings.Fields(reserved[format]), o.Name):
		faults.Add("name", "invalid_format", "must not be "+o.Name+", which is a reserved word")
	}
	o.Width, o.Height, o.MaxError = cmp.Or(o.Width, 400), cmp.Or(o.Height, 300), cmp.Or(o.MaxError, 2)
	plain, err := g.Resolve(o.Width, o.Height, o.MaxError)
	if err := errors.Join(faults.Err(), err); err != nil {
		return err
	}
	j := &job{g: g, resolved: plain, o: o}
	if err := all[i].write(j); err != nil {
		return &invalid.Fault{Field: "format", Reason: "unsupported", Message: "must not be " + format + " for this gradient: " + err.Error()}
	}
	_, err = io.WriteString(w, strings.TrimRight(j.String(), "\n")+"\n")
	return err
}

// job writes one gradient as text.
type job struct {
	strings.Builder
	g        gradient.Gradient
	resolved gradient.Resolved
	o        Options
}

func (j *job) print(format string, args ...any) { _, _ = fmt.Fprintf(j, format, args...) }

// camel returns the name in camel case.
func (j *job) camel() string {
	parts := strings.Split(j.o.Name, "-")
	for i := range parts {
		if i > 0 && parts[i] != "" {
			parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
		}
	}
	return strings.Join(parts, "")
}

// number formats a number with at most six decimals.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e6)/1e6+0, 'f', -1, 64) // no negative zero
}

func writeCSS(j *job) error {
	j.print("background: %s;", j.g.CSS())
	return nil
}

func writeFallback(j *job) error {
	css, err := j.g.CSSWithFallback(gradient.ExpandOptions{MaxError: max(1, j.o.MaxError)})
	j.print("%s", css)
	return err
}

// writeTailwind writes a class with an arbitrary value, in which underscores
// stand for spaces.
func writeTailwind(j *job) error {
	j.print("bg-[%s]", strings.ReplaceAll(j.g.CSS(), " ", "_"))
	return nil
}

func writeSVG(j *job) error { return j.g.WriteSVG(j, j.o.Width, j.o.Height) }
