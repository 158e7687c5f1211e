package gradient

import (
	"image/color"
	"math"
)

// ramp is a gradient line ready to be sampled. Places on it are fractions: 0 is
// 0 %, 1 is 100 %.
type ramp struct {
	space     *spaceRow
	hue       Hue
	repeating bool
	first     float64 // place of the first stop
	last      float64 // place of the last stop, not before first
	segments  []segment
	ends      [2]color.NRGBA // colours of the first and the last stop
	outside   [2]vec         // painted colours before the first and after the last stop
	transfer  *transfer
}

// segment is the stretch between two adjacent stops. A segment has a positive
// length; segments without length are left out.
type segment struct {
	start, end float64
	perLength  float64 // 1 / (end - start)
	from, step vec     // coordinates at start, and their difference to those at end
}

// newRamp places the stops of a gradient, each no earlier than those before,
// and connects them.
func newRamp(stops []Stop, g Gradient) *ramp {
	if len(stops) == 0 {
		return nil
	}
	first := stops[0].Position / 100
	last := stops[len(stops)-1]
	r := &ramp{
		space: g.space.row(), hue: g.hue, repeating: g.repeating, first: first, transfer: transferTable(),
		segments: make([]segment, 0, len(stops)-1),
		ends:     [2]color.NRGBA{stops[0].Color, last.Color},
		outside:  [2]vec{stops[0].painted(), last.painted()},
	}
	reached := first
	for i, s := range stops[:len(stops)-1] {
		next := stops[i+1]
		hint := math.Inf(-1)
		if s.Hint != nil {
			hint = max(reached, *s.Hint/100)
		}
		end := max(reached, hint, next.Position/100)
		if end > reached {
			r.connect(s, next, reached, hint, end)
		}
		reached = end
	}
	r.last = reached
	return r
}

// connect appends the segments between two stops: one or, with a colour hint,
// the ten between the places of [hintStops].
func (r *ramp) connect(s, next Stop, start, hint, end float64) {
	from, to := r.space.coordinates(s), r.space.coordinates(next)
	r.space.join(r.hue, &from, &to)
	from, to = r.space.scale(from, from[3]), r.space.scale(to, to[3])
	whole := newSegment(from, to, start, end)
	switch {
	case s.Hint == nil || hint-start == end-hint:
		r.segments = append(r.segments, whole)
	case hint == start:
		r.segments = append(r.segments, newSegment(to, to, start, end))
	case hint == end:
		r.segments = append(r.segments, newSegment(from, from, start, end))
	default:
		exponent := math.Log(0.5) / math.Log((hint-start)*whole.perLength)
		for _, place := range hintStops(start, hint, end) {
			at := whole.at(math.Pow((place-whole.start)*whole.perLength, exponent))
			r.segments = append(r.segments, newSegment(from, at, start, place))
			from, start = at, place
		}
		r.segments = append(r.segments, newSegment(from, to, start, end))
	}
}

// hintStops returns the places of the nine stops with which browsers
// approximate the curve of a colour hint. Blink, Gecko and WebKit use the same
// ones.
func hintStops(start, hint, end float64) (places [9]float64) {
	left, right := hint-start, end-hint
	for i := range places {
		switch {
		case left > right && i < 7:
			places[i] = start + left*float64(7+i)/13
		case left > right:
			places[i] = hint + right*float64(i-6)/3
		case i < 2:
			places[i] = start + left*float64(i+1)/3
		default:
			places[i] = hint + right*float64(i-2)/13
		}
	}
	return places
}

func newSegment(from, to vec, start, end float64) segment {
	g := segment{start: start, end: end, perLength: 1 / (end - start), from: from}
	for i := range to {
		g.step[i] = to[i] - from[i]
	}
	return g
}

// toward returns the vector at a fraction f of the way from v to another.
func (v vec) toward(to vec, f float64) vec {
	for i := range v {
		v[i] += (to[i] - v[i]) * f
	}
	return v
}

// at returns the coordinates at a fraction f of the segment.
func (g *segment) at(f float64) vec {
	return vec{g.from[0] + g.step[0]*f, g.from[1] + g.step[1]*f, g.from[2] + g.step[2]*f, g.from[3] + g.step[3]*f}
}

// fold moves a place on a repeating gradient into the first period.
func (r *ramp) fold(t float64) float64 {
	period := r.last - r.first
	if !r.repeating || period <= 0 {
		return t
	}
	n := (t - r.first) / period
	return r.first + (n-math.Floor(n))*period
}

// find returns the segment at a place. Outside all segments it returns nil, and
// 0 before the first or 1 after the last.
func (r *ramp) find(t float64) (s *segment, end int) {
	if len(r.segments) == 0 && r.repeating {
		return nil, 1
	}
	if !(t >= r.first) {
		return nil, 0
	}
	if t >= r.last {
		return nil, 1
	}
	low, high := 0, len(r.segments)-1
	for low < high {
		mid := (low + high) / 2
		if t < r.segments[mid].end {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return &r.segments[low], 0
}

// isSmooth reports whether one segment reaches from one place to another and is
// several times as long, or all between them is outside the segments.
func (r *ramp) isSmooth(from, to float64) bool {
	const several = 4
	a, b := r.fold(from), r.fold(to)
	s, end := r.find(a)
	t, other := r.find(b)
	return a <= b && s == t && end == other && (s == nil || (to-from)*s.perLength*several < 1)
}

// paint returns the painted colour at a place, as [spaceRow.paint] describes it.
func (r *ramp) paint(t float64) vec {
	t = r.fold(t)
	g, end := r.find(t)
	if g == nil {
		return r.outside[end]
	}
	return r.space.paint(g.at((t-g.start)*g.perLength), r.transfer)
}

// mean returns what is painted where a gradient has no length: the last colour,
// or the mean of a repeating gradient, as if its period were much less than a
// pixel (CSS Images 3, section 3.6).
func (r *ramp) mean() vec {
	period := r.last - r.first
	if !r.repeating || period <= 0 {
		return r.outside[1]
	}
	var sum vec
	for i := range r.segments {
		s := &r.segments[i]
		for k, v := range s.at(0.5) {
			sum[k] += v * (s.end - s.start) / period
		}
	}
	return r.space.paint(sum, r.transfer)
}

// At returns the colour at t on the gradient line, where 0 is 0 % and 1 is 100
// %. Unless the gradient repeats, it returns the colour of the first stop
// before that stop, and that of the last stop beyond it. At a stop it returns
// exactly the stop's colour. NaN counts as 0.
func (g Gradient) At(t float64) color.NRGBA {
	r := g.ramp
	if r == nil {
		return color.NRGBA{}
	}
	t = r.fold(t)
	s, end := r.find(t)
	if s == nil {
		return r.ends[end]
	}
	f := (t - s.start) * s.perLength
	if r.space == srgb && s.from[3] == 1 && s.step[3] == 0 {
		return color.NRGBA{level8(s.from[0] + s.step[0]*f), level8(s.from[1] + s.step[1]*f), level8(s.from[2] + s.step[2]*f), 255}
	}
	return straight(r.space.paint(s.at(f), r.transfer))
}

// straight converts painted levels to a colour that is not premultiplied.
func straight(v vec) color.NRGBA {
	if v[3] >= 1 {
		return color.NRGBA{round8(v[0]), round8(v[1]), round8(v[2]), 255}
	}
	if v[3] <= 0 {
		return color.NRGBA{}
	}
	return color.NRGBA{level8(v[0] / v[3]), level8(v[1] / v[3]), level8(v[2] / v[3]), round8(v[3] * 255)}
}

// round8 rounds a level from 0 to 255.
func round8(v float64) uint8 { return uint8(v + 0.5) }
