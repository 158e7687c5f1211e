package gradient

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/internal/invalid"
)

// maxText is the length of the longest text to parse, in bytes: enough for
// MaxStops stops with colours as functions and two positions.
const maxText = 128 << 10

func checkLength(s string) error {
	if len(s) > maxText {
		return parseErrorAt(s, maxText, "at most "+strconv.Itoa(maxText)+" bytes")
	}
	return nil
}

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
// as [Options] describes. There may be 2 to [MaxStops] stops. The error is a
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
	var faults invalid.Inputs
	for i, side := range []float64{b.Width, b.Height} {
		if !(side >= 1 && side <= maxPosition) {
			faults.Add([]string{"width", "height"}[i], "out_of_range", "must be from 1 to 1000000")
		}
	}
	return faults.Err()
}

func parse(css string, box *Box) (Gradient, error) {
	if err := checkLength(css); err != nil {
		return Gradient{}, err
	}
	p := gradientParser{scanner: scanner{s: css}, box: box}
	p.space()
	p.function()
	p.arguments()
	if !p.end() {
		p.fail("nothing after the gradient")
	}
	if p.err != nil {
		return Gradient{}, p.err
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
	start, name := p.i, p.peekWord()
	p.i += len(name)
	for _, prefix := range [...]string{"-webkit-", "-moz-", "-o-", "-ms-"} {
		if rest, found := strings.CutPrefix(name, prefix); found {
			name, p.prefixed = rest, true
			break
		}
	}
	name, p.g.repeating = strings.CutPrefix(name, "repeating-")
	kind := slices.Index(kindNames, strings.TrimSuffix(name, "-gradient"))
	p.g.kind = Kind(max(kind, 0))
	known := kind >= 0 && strings.HasSuffix(name, "-gradient") && (!p.prefixed || p.g.kind != Conic)
	switch {
	case p.prefixed && name == "gradient":
		p.failAt(start, gradientExpected+"; -webkit-gradient() is not supported")
	case !known:
		p.failAt(start, gradientExpected)
	}
	p.expect('(', "(")
}

func (p *gradientParser) arguments() {
	p.g.center = middle
	present := false
	switch {
	case p.prefixed && p.g.kind == Linear:
		present = p.legacyDirection()
	case p.prefixed:
		p.legacyRadial()
		return
	default:
		present = p.layout()
	}
	if present {
		p.comma()
	}
	p.stops()
}

func (p *scanner) comma() {
	p.space()
	p.expect(',', "a comma")
}

// stops parses the list of stops and hints, and the closing parenthesis.
func (p *gradientParser) stops() {
	p.g.stops = make([]Stop, 0, 8)
	p.places = make([]place, 0, 8)
	p.measure()
	for {
		p.space()
		if p.atNumber() {
			p.hint()
		}
		p.stop()
		p.space()
		if p.take(',') {
			continue
		}
		if p.peek() == ')' && len(p.g.stops) < 2 {
			p.fail("a comma and a second color stop")
		}
		p.expect(')', "a comma, a position or )")
		return
	}
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
	p.comma()
	p.space()
}

func (p *gradientParser) stop() {
	start := p.i
	c := p.color()
	for n := 0; n == 0 || n == 1 && p.atNumber(); n++ {
		if len(p.g.stops) == MaxStops {
			p.failAt(start, "at most "+strconv.Itoa(MaxStops)+" color stops")
		}
		p.space()
		at := place{stop: len(p.g.stops), known: p.atNumber()}
		if at.known {
			at.position = p.position()
			p.space()
		}
		p.g.stops = append(p.g.stops, stopOf(c))
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
	at := p.i
	v, u := p.number(expected)
	switch {
	case u == percent, u == noUnit && v == 0:
	case u == deg && p.percentPerDegree != 0:
		v *= p.percentPerDegree
	case u == px && p.percentPerPixel != 0:
		v *= p.percentPerPixel
	default:
		p.failAt(at, expected)
	}
	return p.bounded(at, v)
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
