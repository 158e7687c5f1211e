package gradient

import (
	"fmt"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/internal/invalid"
)

// Kind is the geometry of a gradient. Its text is the one of the HTTP API.
type Kind uint8

// The kinds of gradient.
const (
	Linear Kind = iota // along a line
	Radial             // outwards from a centre
	Conic              // around a centre, clockwise
)

// Shape is the ending shape of a radial gradient, as CSS calls it.
type Shape uint8

// The shapes of a radial gradient.
const (
	Circle  Shape = iota
	Ellipse       // with the proportions of the box
)

// Extent is where the 100 % of a radial gradient lies.
type Extent uint8

// The extents of a radial gradient: the farthest or closest corner or side of
// the box as seen from the centre.
const (
	FarthestCorner Extent = iota
	ClosestSide
	FarthestSide
	ClosestCorner
)

// Space is a colour space of CSS Color 4, of a [Color] or for interpolation.
// Its text is the one that follows "in" in CSS.
type Space uint8

// The colour spaces.
const (
	SRGB      Space = iota // the default of CSS
	LinearRGB              // linear in light
	OKLab                  // perceptually uniform
	OKLCH                  // polar OKLab: keeps chroma up
	DisplayP3              // wide-gamut screens
	Lab
	LCH
	HSL
	HWB
)

// Hue is the direction around the colour wheel in which OKLCH, LCH, HSL and HWB
// interpolate. Its text is the word before "hue" in CSS (CSS Color 4, section
// 12.4).
type Hue uint8

// The ways around the colour wheel.
const (
	ShorterHue    Hue = iota // by at most 180 degrees
	LongerHue                // by at least 180 degrees
	IncreasingHue            // clockwise
	DecreasingHue            // counter-clockwise
)

// names lists the texts of an enumeration in the order of its values.
type names []string

var (
	kindNames   = names{"linear", "radial", "conic"}
	shapeNames  = names{"circle", "ellipse"}
	extentNames = names{"farthest-corner", "closest-side", "farthest-side", "closest-corner"}
	spaceNames  = namesOfSpaces()
	hueNames    = names{"shorter", "longer", "increasing", "decreasing"}
)

func namesOfSpaces() (n names) {
	for _, s := range spaces {
		n = append(n, s.name)
	}
	return n
}

// of returns the text of a value, or the likes of Kind(9) for an unknown value.
func (n names) of(typ string, value uint8) string {
	if int(value) < len(n) {
		return n[value]
	}
	return fmt.Sprintf("%s(%d)", typ, value)
}

// prose lists the texts for a message: a, b or c.
func (n names) prose() string {
	last := len(n) - 1
	return strings.Join(n[:last], ", ") + " or " + n[last]
}

// checkEnum records a fault if the enumeration does not have the value.
func checkEnum[E ~uint8](faults *invalid.Inputs, field string, value E, n names) {
	if int(value) >= len(n) {
		faults.Add(field, "not_one_of", "must be "+n.prose())
	}
}

// parseEnum sets a value from its text. The error is an option error for the
// field.
func parseEnum[E ~uint8](value *E, field string, text []byte, n names) error {
	i := slices.Index(n, string(text))
	if i < 0 {
		return &invalid.Input{Field: field, Reason: "not_one_of", Message: "must be " + n.prose()}
	}
	*value = E(i)
	return nil
}

// UnmarshalText parses "linear", "radial" or "conic", in lower case. The error
// is an option error for the field type.
func (k *Kind) UnmarshalText(text []byte) error { return parseEnum(k, "type", text, kindNames) }

// UnmarshalText parses "circle" or "ellipse". The error is an option error for
// the field shape.
func (s *Shape) UnmarshalText(text []byte) error { return parseEnum(s, "shape", text, shapeNames) }

// UnmarshalText parses a CSS keyword such as "closest-side". The error is an
// option error for the field extent.
func (e *Extent) UnmarshalText(text []byte) error { return parseEnum(e, "extent", text, extentNames) }

// UnmarshalText parses the text of a space, such as "oklab", in lower case. The
// error is an option error for the field space.
func (s *Space) UnmarshalText(text []byte) error { return parseEnum(s, "space", text, spaceNames) }

// UnmarshalText parses "shorter", "longer", "increasing" or "decreasing". The
// error is an option error for the field hue.
func (h *Hue) UnmarshalText(text []byte) error { return parseEnum(h, "hue", text, hueNames) }

// String returns "linear", "radial" or "conic".
func (k Kind) String() string { return kindNames.of("Kind", uint8(k)) }

// String returns "circle" or "ellipse".
func (s Shape) String() string { return shapeNames.of("Shape", uint8(s)) }

// String returns the CSS keyword, such as "closest-side".
func (e Extent) String() string { return extentNames.of("Extent", uint8(e)) }

// String returns the text that follows "in" in CSS, such as "oklch".
func (s Space) String() string { return spaceNames.of("Space", uint8(s)) }

// reversed returns the opposite direction.
func (h Hue) reversed() Hue {
	if h == IncreasingHue {
		return DecreasingHue
	}
	if h == DecreasingHue {
		return IncreasingHue
	}
	return h
}

// String returns the word before "hue" in CSS, such as "longer".
func (h Hue) String() string { return hueNames.of("Hue", uint8(h)) }
