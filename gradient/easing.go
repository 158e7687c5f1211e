package gradient

import "math"

// Easing maps the distance travelled between two stops to the progress of the
// colour, like the easing functions of CSS. The zero Easing is linear;
// [ParseEasing] returns the others.
type Easing struct {
	curve    [4]float64 // x1, y1, x2, y2 of a Bézier curve
	hasCurve bool       // whether curve applies
	steps    int        // 0 for an easing without steps
	jump     jump
}

// jump selects the ends at which the steps of an [Easing] jump.
type jump uint8

const (
	jumpEnd jump = iota
	jumpStart
	jumpNone
	jumpBoth
)

var (
	jumpNames   = names{"jump-end", "jump-start", "jump-none", "jump-both", "end", "start"}
	easingNames = names{"linear", "ease", "ease-in", "ease-out", "ease-in-out"}
)

const (
	maxSteps     = 256
	easingWanted = "linear, ease, ease-in, ease-out, ease-in-out, cubic-bezier() or steps()"
)

// ParseEasing parses a CSS easing function: linear, ease, ease-in, ease-out,
// ease-in-out, cubic-bezier(x1, y1, x2, y2) with x1 and x2 from 0 to 1, or
// steps(n) with 1 to 256 steps and an optional keyword that says where it
// jumps; jump-none requires at least 2 steps. Progress below 0 or above 1 is
// clamped. The error is a [*ParseError].
func ParseEasing(css string) (Easing, error) {
	if err := checkLength(css); err != nil {
		return Easing{}, err
	}
	p := scanner{s: css}
	p.space()
	e := p.easing()
	if !p.end() {
		p.fail("nothing after the easing")
	}
	if p.err != nil {
		return Easing{}, p.err
	}
	return e, nil
}

func (p *scanner) easing() Easing {
	if i, ok := p.takeOneOf(easingNames); ok {
		curves := [...][4]float64{{}, {0.25, 0.1, 0.25, 1}, {0.42, 0, 1, 1}, {0, 0, 0.58, 1}, {0.42, 0, 0.58, 1}}
		return Easing{hasCurve: i > 0, curve: curves[i]}
	}
	steps := p.takeWord("steps")
	if !steps && !p.takeWord("cubic-bezier") {
		p.fail(easingWanted)
	}
	p.expect('(', "(")
	if steps {
		return p.stepsArguments()
	}
	return p.curveArguments()
}

func (p *scanner) curveArguments() Easing {
	e := Easing{hasCurve: true}
	for i := range e.curve {
		end := byte(',')
		if i == len(e.curve)-1 {
			end = ')'
		}
		p.space()
		at := p.i
		v := p.unitlessNumber()
		switch {
		case i%2 == 0 && !(v >= 0 && v <= 1):
			p.failAt(at, "a number from 0 to 1")
		case !(math.Abs(v) <= maxPosition):
			p.failAt(at, "a number from -1000000 to 1000000")
		}
		e.curve[i] = v
		p.expect(end, string(end))
	}
	return e
}

func (p *scanner) stepsArguments() Easing {
	p.space()
	at := p.i
	n := p.unitlessNumber()
	i := 0
	if p.take(',') {
		p.space()
		var ok bool
		if i, ok = p.takeOneOf(jumpNames); !ok {
			p.fail("jump-start, jump-end, jump-none, jump-both, start or end")
		}
		p.space()
	}
	p.expect(')', ")")
	e := Easing{jump: jump(i % 4)}
	if n != math.Trunc(n) || n > maxSteps || n < 1 || n < 2 && e.jump == jumpNone {
		p.failAt(at, "a whole number of steps from 1 to 256, from 2 with jump-none")
		return e
	}
	e.steps = int(n)
	return e
}

// unitlessNumber parses a number without a unit, and skips the space around it.
func (p *scanner) unitlessNumber() float64 {
	p.space()
	at := p.i
	v, u := p.number("a number")
	if u != noUnit {
		p.failAt(at, "a number")
	}
	p.space()
	return v
}

// pieces splits the range 0 to 1 where the easing jumps, and returns the
// progress on each piece.
func (e Easing) pieces() []piece {
	if e.steps == 0 {
		return []piece{{from: 0, to: 1, progress: e.progress}}
	}
	pieces := make([]piece, e.steps)
	for i := range pieces {
		level := e.level(i)
		pieces[i] = piece{
			from: float64(i) / float64(e.steps), to: float64(i+1) / float64(e.steps),
			progress: func(float64) float64 { return level },
		}
	}
	return pieces
}

// piece is a stretch without jumps.
type piece struct {
	from, to float64
	progress func(float64) float64
}

// level returns the progress during step i.
func (e Easing) level(i int) float64 {
	n := float64(e.steps)
	switch e.jump {
	case jumpStart:
		return float64(i+1) / n
	case jumpNone:
		return float64(i) / (n - 1)
	case jumpBoth:
		return float64(i+1) / (n + 1)
	default:
		return float64(i) / n
	}
}

// At returns the progress, from 0 to 1, at the fraction f of the distance. It
// clamps f to the range 0 to 1.
func (e Easing) At(f float64) float64 {
	if !(f > 0) {
		f = 0
	}
	f = min(f, 1)
	if e.steps > 0 {
		if f == 1 && (e.jump == jumpEnd || e.jump == jumpBoth) {
			return 1
		}
		return e.level(min(int(f*float64(e.steps)), e.steps-1))
	}
	return e.progress(f)
}

// progress returns the y of the curve at x, which it finds by bisection.
func (e Easing) progress(x float64) float64 {
	if !e.hasCurve || x <= 0 || x >= 1 {
		return x
	}
	low, high := 0.0, 1.0
	for range 52 {
		mid := (low + high) / 2
		if bezier(e.curve[0], e.curve[2], mid) < x {
			low = mid
		} else {
			high = mid
		}
	}
	return min(max(bezier(e.curve[1], e.curve[3], (low+high)/2), 0), 1)
}

// bezier returns one coordinate, at the parameter s, of a cubic Bézier curve
// from 0 to 1 with the control points p1 and p2.
func bezier(p1, p2, s float64) float64 {
	r := 1 - s
	return 3*r*r*s*p1 + 3*r*s*s*p2 + s*s*s
}
