package gradient

import (
	"slices"
	"strings"

	"github.com/devkiln/devkiln/internal/invalid"
)

// Kind is the geometry of a gradient. "" in [Options] means [Linear].
type Kind string

// The kinds of gradient.
const (
	Linear Kind = "linear" // along a line
	Radial Kind = "radial" // outwards from a centre
	Conic  Kind = "conic"  // around a centre, clockwise
)

// Shape is the ending shape of a radial gradient, as CSS calls it. "" in
// [Options] means [Circle].
type Shape string

// The shapes of a radial gradient.
const (
	Circle  Shape = "circle"
	Ellipse Shape = "ellipse" // with the proportions of the box
)

// Extent is where the 100 % of a radial gradient lies. "" in [Options] means
// [FarthestCorner].
type Extent string

// The extents of a radial gradient: the farthest or closest corner or side of
// the box as seen from the centre.
const (
	FarthestCorner Extent = "farthest-corner"
	ClosestSide    Extent = "closest-side"
	FarthestSide   Extent = "farthest-side"
	ClosestCorner  Extent = "closest-corner"
)

// Space is a colour space of CSS Color 4, of a [Color] or for interpolation, by
// the text that follows "in" in CSS: [SRGB], [LinearRGB], [OKLab], [OKLCH],
// [DisplayP3], [Lab], [LCH], [HSL] or [HWB]. "" means [SRGB].
type Space string

// The colour spaces.
const (
	SRGB      Space = "srgb"        // the default of CSS
	LinearRGB Space = "srgb-linear" // linear in light
	OKLab     Space = "oklab"       // perceptually uniform
	OKLCH     Space = "oklch"       // polar OKLab: keeps chroma up
	DisplayP3 Space = "display-p3"  // wide-gamut screens
	Lab       Space = "lab"
	LCH       Space = "lch"
	HSL       Space = "hsl"
	HWB       Space = "hwb"
)

// Hue is the direction around the colour wheel in which OKLCH, LCH, HSL and HWB
// interpolate, by the word before "hue" in CSS (CSS Color 4, section 12.4):
// [ShorterHue], [LongerHue], [IncreasingHue] or [DecreasingHue]. "" in [Options]
// means [ShorterHue].
type Hue string

// The ways around the colour wheel.
const (
	ShorterHue    Hue = "shorter"    // by at most 180 degrees
	LongerHue     Hue = "longer"     // by at least 180 degrees
	IncreasingHue Hue = "increasing" // clockwise
	DecreasingHue Hue = "decreasing" // counter-clockwise
)

// names lists the values of an option, the default first.
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
		n = append(n, string(s.name))
	}
	return n
}

// prose lists the texts for a message: a, b or c.
func (n names) prose() string {
	last := len(n) - 1
	return strings.Join(n[:last], ", ") + " or " + n[last]
}

// optionName returns a value or, if it is empty, the default. It records a
// fault if the value is not among the names.
func optionName[T ~string](faults *invalid.Faults, field string, value T, n names) T {
	if value == "" {
		return T(n[0])
	}
	if !slices.Contains(n, string(value)) {
		faults.Add(field, "not_one_of", "must be "+n.prose())
	}
	return value
}
