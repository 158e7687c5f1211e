package gradient

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/internal/invalid"
)

// Box is the size, in CSS pixels, of the box that a gradient is painted into.
type Box struct{ Width, Height float64 }

// Parse parses a CSS gradient: linear-gradient, radial-gradient and
// conic-gradient, their repeating- forms, the -webkit-, -moz-, -o- and -ms-
// forms of the first two, whose angles are converted.
// The package comment lists what is not supported. Case, white space and
// comments are ignored.
//
//   - Angles are in deg, grad, rad or turn, or "to" a side or corner. A
//     prefixed corner becomes the standard "to" the opposite corner, which is
//     the same direction in a square box.
//   - Positions are percentages or, for conic gradients, also angles. A stop
//     may have two positions, and a colour hint may stand between two stops.
//   - Colours are those of [ParseColor].
//   - "in" followed by a [Space] and a [Hue] sets the interpolation. By default
//     it is sRGB, or OKLab if any colour has a form that CSS Color 4 added.
//
// Omitted positions are filled in, and angles are reduced and numbers rounded
// as [Options] describes. There may be 2 to 1,024 stops. The error is a
// [*ParseError].
func Parse(css string) (Gradient, error) { return parse(css, nil) }

// ParseIn is like [Parse] for a gradient painted into a box. It also reads
// lengths, with em and rem as 16 pixels, and converts them to percentages of
// that box. The error is a [*ParseError], or joins an option error for each of
// width and height that is not from 1 to 1,000,000.
func ParseIn(css string, box Box) (Gradient, error) {
	if err := box.check(); err != nil {
		return Gradient{}, err
	}
	return parse(css, &box)
}

func (b Box) check() error {
	var faults invalid.Faults
	for i, side := range []float64{b.Width, b.Height} {
		if !(side >= 1 && side <= maxPosition) {
			faults.Add([]string{"width", "height"}[i], "out_of_range", "must be from 1 to 1000000")
		}
	}
	return faults.Err()
}

func parse(css string, box *Box) (Gradient, error) {
	p := gradientParser{scanner: newScanner(css), box: box, g: Gradient{center: middle, extent: FarthestCorner, space: SRGB, hue: ShorterHue}}
	p.function()
	p.arguments()
	if err := p.finish("gradient"); err != nil {
		return Gradient{}, err
	}
	p.placeStops()
	if !p.spaced && p.g.hasWideColors() {
		p.g.space = OKLab
	}
	return p.g.finished(), nil
}

// gradientParser reads one gradient into g.
type gradientParser struct {
	scanner
	box      *Box // nil if lengths cannot be read
	g        Gradient
	prefixed bool
	spaced   bool // whether the text names a colour space
	round    bool // whether the radius is the length of a circle
	places   []place

	// percentPerDegree and percentPerPixel convert angles and lengths on the
	// gradient line; 0 if it has none.
	percentPerDegree, percentPerPixel float64
}

const gradientExpected = "a linear-, radial- or conic-gradient()"

func (p *gradientParser) function() {
	name := strings.TrimSuffix(p.word, "(")
	for _, prefix := range [...]string{"-webkit-", "-moz-", "-o-", "-ms-"} {
		if rest, found := strings.CutPrefix(name, prefix); found {
			name, p.prefixed = rest, true
			break
		}
	}
	if p.prefixed && name == "gradient" {
		p.fail(gradientExpected + "; -webkit-gradient() is not supported")
	}
	name, p.g.repeating = strings.CutPrefix(name, "repeating-")
	name, isGradient := strings.CutSuffix(name, "-gradient")
	p.g.kind = Kind(name)
	switch {
	case !slices.Contains(kindNames, name) || !isGradient || p.prefixed && p.g.kind == Conic:
		p.fail(gradientExpected)
	case p.kind != functionToken:
		p.failAt(p.end, "(")
	}
	p.advance()
}

func (p *gradientParser) arguments() {
	switch {
	case p.prefixed && p.g.kind == Linear:
		p.comma(p.legacyDirection())
	case p.prefixed:
		p.legacyRadial()
	default:
		p.comma(p.layout())
	}
	p.stops()
}

// comma expects a comma after something that may be left out, if it is present.
func (p *gradientParser) comma(present bool) {
	if present {
		p.expect(",", "a comma")
	}
}

// stops parses the list of stops and hints, and the closing parenthesis.
func (p *gradientParser) stops() {
	p.g.stops = make([]Stop, 0, 8)
	p.places = make([]place, 0, 8)
	p.measure()
	for first := true; first || p.take(","); first = false {
		if p.isNumber() {
			p.hint()
		}
		p.stop()
	}
	if p.is(")") && len(p.g.stops) < 2 {
		p.fail("a comma and a second color stop")
	}
	p.expect(")", "a comma, a position or )")
}

// measure sets how positions convert angles and lengths to percentages.
func (p *gradientParser) measure() {
	switch {
	case p.g.kind == Conic:
		p.percentPerDegree = 100.0 / 360
	case p.box != nil:
		m := p.g.geometry(p.box.Width, p.box.Height)
		p.percentPerPixel = 100 * m.dx
		if p.g.kind == Linear {
			p.percentPerPixel = 100 * math.Hypot(m.dx, m.dy)
		}
	}
}

func (p *gradientParser) hint() {
	if len(p.g.stops) == 0 {
		p.fail(colorExpected)
	}
	p.places = append(p.places, place{position: p.position(), known: true, stop: len(p.g.stops) - 1, hint: true})
	p.comma(true)
}

func (p *gradientParser) stop() {
	start := p.at
	c := stopOf(p.color())
	for n := 0; n == 0 || n == 1 && p.isNumber(); n++ {
		if len(p.g.stops) == maxStops {
			p.failAt(start, "at most "+strconv.Itoa(maxStops)+" color stops")
		}
		at := place{stop: len(p.g.stops), known: p.isNumber()}
		if at.known {
			at.position = p.position()
		}
		p.g.stops = append(p.g.stops, c)
		p.places = append(p.places, at)
	}
}

// position parses a position on the gradient line, in percent.
func (p *gradientParser) position() float64 {
	expected := "a percentage"
	switch {
	case p.percentPerDegree != 0:
		expected = "a percentage or an angle"
	case p.percentPerPixel != 0:
		expected = "a percentage or a length"
	}
	v := p.takeNumber(expected)
	switch {
	case v.unit == percent, v.unit == noUnit && v.value == 0:
	case v.unit == deg && p.percentPerDegree != 0:
		v.value *= p.percentPerDegree
	case v.unit == px && p.percentPerPixel != 0:
		v.value *= p.percentPerPixel
	default:
		p.failAt(v.at, expected)
	}
	return p.bounded(v.at, v.value)
}

// bounded rounds a percentage, and fails if it is out of range.
func (p *gradientParser) bounded(at int, v float64) float64 {
	if !(math.Abs(v) <= maxPosition) {
		p.failAt(at, "a percentage from -1000000 to 1000000")
	}
	return round4(v)
}

// place is the position of a stop or of the hint after it. Hints count as
// neighbours of stops without a position.
type place struct {
	position float64
	known    bool
	stop     int
	hint     bool
}

// placeStops fills in omitted positions as CSS does: the first is 0 %, the last
// 100 %, the others are evenly spaced between their neighbours, and none is
// before an earlier one.
func (p *gradientParser) placeStops() {
	places := p.places
	last := len(places) - 1
	if !places[last].known {
		places[last].position, places[last].known = 100, true
	}
	places[0].known = true
	reached := places[0].position
	for i := 1; i <= last; i++ {
		from := i
		for !places[i].known {
			i++
		}
		to := max(reached, places[i].position)
		step := (to - reached) / float64(i-from+1)
		for k := from; k < i; k++ {
			places[k].position = round4(reached + step*float64(k-from+1))
		}
		reached = to
	}
	for _, at := range places {
		if at.hint {
			p.g.stops[at.stop].Hint = new(at.position)
		} else {
			p.g.stops[at.stop].Position = at.position
		}
	}
}

// ParseError reports where CSS text is invalid.
type ParseError struct {
	Offset   int    // in bytes from the start of the text
	Expected string // what was expected there, such as "a color"
	Found    string // the beginning of the text there, empty at the end
}

func (e *ParseError) Error() string {
	found := "the end"
	if e.Found != "" {
		found = strconv.Quote(e.Found)
	}
	return "offset " + strconv.Itoa(e.Offset) + ": expected " + e.Expected + ", found " + found
}

// maxFound is the length of the longest text that a ParseError quotes, in
// bytes.
const maxFound = 24

func parseErrorAt(s string, offset int, expected string) *ParseError {
	found := s[offset:]
	if len(found) > maxFound {
		found = found[:maxFound]
	}
	return &ParseError{Offset: offset, Expected: expected, Found: found}
}
