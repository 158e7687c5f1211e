package gradient

import (
	"math"

	"github.com/devkiln/devkiln/internal/invalid"
)

// Easing says how far the colours between two stops have changed on the way
// from one to the other, as the easing functions of CSS do. The zero Easing is
// linear.
type Easing struct {
	curve [4]float64 // x1, y1, x2, y2 of a Bézier curve
	bent  bool       // whether there is a curve
	steps int        // 0 unless there are steps
	jump  Jump
}

// Jump says at which ends the steps of an [Easing] jump.
type Jump uint8

// The ends at which steps jump.
const (
	JumpEnd   Jump = iota // the last step ends with a jump
	JumpStart             // the first step begins with a jump
	JumpNone              // both ends rest
	JumpBoth              // both ends jump
)

const (
	jumpNames    = names("jump-end|jump-start|jump-none|jump-both|end|start")
	easingNames  = names("linear|ease|ease-in|ease-out|ease-in-out")
	maxSteps     = 256
	easingWanted = "linear, ease, ease-in, ease-out, ease-in-out, cubic-bezier() or steps()"
)

// String returns the CSS keyword, such as "jump-end".
func (j Jump) String() string { return jumpNames.orNumber("Jump", int(j)) }

// EaseIn starts slowly: cubic-bezier(0.42, 0, 1, 1).
func EaseIn() Easing { return Easing{bent: true, curve: [4]float64{0.42, 0, 1, 1}} }

// EaseOut ends slowly: cubic-bezier(0, 0, 0.58, 1).
func EaseOut() Easing { return Easing{bent: true, curve: [4]float64{0, 0, 0.58, 1}} }

// EaseInOut starts and ends slowly: cubic-bezier(0.42, 0, 0.58, 1).
func EaseInOut() Easing { return Easing{bent: true, curve: [4]float64{0.42, 0, 0.58, 1}} }

// CubicBezier is the curve from (0, 0) to (1, 1) with two control points. x1
// and x2 are from 0 to 1, y1 and y2 finite. Where the curve leaves the range
// between two colours, it rests at the nearer.
//
// The error joins an option error for each of x1, y1, x2 and y2 at fault.
func CubicBezier(x1, y1, x2, y2 float64) (Easing, error) {
	var faults invalid.Inputs
	for i, x := range []float64{x1, x2} {
		if !(x >= 0 && x <= 1) {
			faults.Add([]string{"x1", "x2"}[i], "out_of_range", "must be from 0 to 1")
		}
	}
	for i, y := range []float64{y1, y2} {
		if !(math.Abs(y) <= maxPosition) {
			faults.Add([]string{"y1", "y2"}[i], "out_of_range", "must be from -1000000 to 1000000")
		}
	}
	if err := faults.Err(); err != nil {
		return Easing{}, err
	}
	return Easing{bent: true, curve: [4]float64{x1, y1, x2, y2}}, nil
}

// Steps is n steps of equal length, 1 to 256, and at least 2 with [JumpNone].
//
// The error joins an option error for each of steps and jump at fault.
func Steps(n int, jump Jump) (Easing, error) {
	var faults invalid.Inputs
	least := 1
	if jump == JumpNone {
		least = 2
	}
	if n < least || n > maxSteps {
		faults.Add("steps", "out_of_range", "must be from 1 to 256, from 2 with jump-none")
	}
	if jump > JumpBoth {
		faults.Add("jump", "not_one_of", "must be jump-end, jump-start, jump-none or jump-both")
	}
	if err := faults.Err(); err != nil {
		return Easing{}, err
	}
	return Easing{steps: n, jump: jump}, nil
}

// ParseEasing reads an easing function of CSS: linear, ease, ease-in, ease-out,
// ease-in-out, cubic-bezier(x1, y1, x2, y2), or steps(n) with an optional
// keyword that says where it jumps. The error is a [*ParseError], or that of
// [CubicBezier] or [Steps].
func ParseEasing(css string) (Easing, error) {
	if err := checkLength(css); err != nil {
		return Easing{}, err
	}
	p := scanner{s: css}
	p.space()
	e, err := p.easing()
	if err == nil && !p.end() {
		p.fail("nothing after the easing")
	}
	if p.err != nil {
		return Easing{}, p.err
	}
	return e, err
}

func (p *scanner) easing() (Easing, error) {
	if i, ok := p.takeOneOf(easingNames); ok {
		return [...]Easing{{}, {bent: true, curve: [4]float64{0.25, 0.1, 0.25, 1}}, EaseIn(), EaseOut(), EaseInOut()}[i], nil
	}
	w := p.peekWord()
	if !w.is("cubic-bezier") && !w.is("steps") {
		p.fail(easingWanted)
	}
	p.i += w.n
	p.expect('(', "(")
	if w.is("steps") {
		return p.stepsArguments()
	}
	var v [4]float64
	for i := range v {
		end := byte(',')
		if i == len(v)-1 {
			end = ')'
		}
		v[i] = p.plainNumber()
		p.expect(end, string(end))
	}
	return CubicBezier(v[0], v[1], v[2], v[3])
}

func (p *scanner) stepsArguments() (Easing, error) {
	p.space()
	at := p.i
	n := p.plainNumber()
	if n != math.Trunc(n) || math.Abs(n) > maxPosition {
		p.failAt(at, "a whole number of steps")
		return Easing{}, p.err
	}
	jump := 0
	if p.take(',') {
		p.space()
		i, ok := p.takeOneOf(jumpNames)
		if !ok {
			p.fail("jump-start, jump-end, jump-none, jump-both, start or end")
		}
		jump = i % 4
		p.space()
	}
	p.expect(')', ")")
	return Steps(int(n), Jump(jump))
}

// plainNumber reads a number without a unit and the space around it.
func (p *scanner) plainNumber() float64 {
	p.space()
	at := p.i
	v, u := p.number("a number")
	if u != noUnit {
		p.failAt(at, "a number")
	}
	p.space()
	return v
}

// pieces cuts the way from 0 to 1 where the easing jumps, and returns the
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

// level is the progress during step i.
func (e Easing) level(i int) float64 {
	n := float64(e.steps)
	switch e.jump {
	case JumpStart:
		return float64(i+1) / n
	case JumpNone:
		return float64(i) / (n - 1)
	case JumpBoth:
		return float64(i+1) / (n + 1)
	default:
		return float64(i) / n
	}
}

// At returns the progress, 0 to 1, after the fraction f of the way. Outside of
// 0 to 1, f counts as the nearer end.
func (e Easing) At(f float64) float64 {
	if !(f > 0) {
		f = 0
	}
	f = min(f, 1)
	if e.steps > 0 {
		if f == 1 && (e.jump == JumpEnd || e.jump == JumpBoth) {
			return 1
		}
		return e.level(min(int(f*float64(e.steps)), e.steps-1))
	}
	return e.progress(f)
}

// progress follows the curve: it looks for the parameter that gives x.
func (e Easing) progress(x float64) float64 {
	if !e.bent || x <= 0 || x >= 1 {
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

// bezier is one coordinate of a cubic curve from 0 to 1 with the controls p1
// and p2.
func bezier(p1, p2, s float64) float64 {
	r := 1 - s
	return 3*r*r*s*p1 + 3*r*s*s*p2 + s*s*s
}
