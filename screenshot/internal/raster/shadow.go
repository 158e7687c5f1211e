package raster

import (
	"math"

	"github.com/devkiln/devkiln/screenshot/internal/scene"
)

// shadowSteps is the number of samples of the table per standard deviation.
// Linear interpolation between them has an error of less than a tenth of a
// colour level.
const shadowSteps = 6

// A shadow is the blurred shape of a window. The shadow is constant along the
// middle of long edges, so that a table for a small window, blurred once with
// few samples, describes it completely.
type shadow struct {
	box     scene.Box // in device pixels
	step    float64   // device pixels between samples
	margin  int       // samples outside the box
	columns int       // samples of the table
	tall    int
	shortW  float64 // size of the small window, in device pixels
	shortH  float64
	table   []float32
	row     []float32 // a row interpolated between two of the table

	across   []sample // position in the table of each pixel of a row
	last     float64  // position of the last row covered
	lastLeft int      // and its left end
}

func newShadow(window scene.Box, radius, scale float64, width int) *shadow {
	sigma := scene.ShadowBlur * scale
	s := &shadow{
		box:  scene.Box{X: window.X * scale, Y: (window.Y + scene.ShadowDrop) * scale, W: window.W * scale, H: window.H * scale},
		step: sigma / shadowSteps, margin: 3 * shadowSteps,
	}
	reach := radius*scale + 3*sigma
	s.shortW, s.shortH = min(s.box.W, 2*reach), min(s.box.H, 2*reach)
	s.columns = int(math.Ceil(s.shortW/s.step)) + 2*s.margin + 2
	s.tall = int(math.Ceil(s.shortH/s.step)) + 2*s.margin + 2
	s.table = s.blurred(min(radius*scale, s.shortH/2), sigma)
	s.row = make([]float32, s.columns)
	s.across = make([]sample, width)
	for x := range s.across {
		s.across[x] = s.sample(fold(float64(x)+0.5-s.box.X, s.box.W, s.shortW), s.columns)
	}
	s.last = math.Inf(-1)
	return s
}

// A sample is a position between two samples of a table. Outside the table,
// both weights are 0.
type sample struct {
	index       int32
	first, next float32
}

func (s *shadow) sample(at float64, count int) sample {
	at = at/s.step + float64(s.margin)
	index := int(math.Floor(at))
	if index < 0 || index+1 >= count {
		return sample{}
	}
	weight := float32(at - float64(index))
	return sample{int32(index), 1 - weight, weight}
}

// blurred returns the table: the integral of a normal distribution over the
// small window, which is cut into slices of equal width.
func (s *shadow) blurred(radius, sigma float64) []float32 {
	const steps = 12 // slices of a corner
	table := make([]float32, s.columns*s.tall)
	across := make([]float32, s.columns)
	within := func(from, to float64, i int) float32 {
		at := float64(i-s.margin) * s.step
		return float32(math.Erf((at-from)/sigma/math.Sqrt2)-math.Erf((at-to)/sigma/math.Sqrt2)) / 2
	}
	slice := func(from, to float64) {
		inset := scene.Corner(min((from+to)/2, s.shortH-(from+to)/2), radius)
		for x := range across {
			across[x] = within(inset, s.shortW-inset, x)
		}
		for y := range s.tall {
			weight := within(from, to, y)
			for x, v := range across {
				table[y*s.columns+x] += v * weight
			}
		}
	}
	slice(radius, s.shortH-radius)
	for i := range steps {
		from, to := radius*float64(i)/steps, radius*float64(i+1)/steps
		slice(from, to)
		slice(s.shortH-to, s.shortH-from)
	}
	return table
}

// fold maps a position along an edge of the box to the equivalent one along the
// small window.
func fold(at, long, short float64) float64 {
	if at > long/2 {
		return short - fold(long-at, long, short)
	}
	return min(at, short/2)
}

// coverage writes how much the shadow covers the pixels of row y, out of 256,
// before left and from right on. dst must hold the result of the last call,
// which is kept for an equal row; coverage reports whether it is.
func (s *shadow) coverage(dst []uint16, y, left, right int) (isSame bool) {
	at := fold(float64(y)+0.5-s.box.Y, s.box.H, s.shortH)
	if at == s.last && left == s.lastLeft {
		return true
	}
	s.last, s.lastLeft = at, left
	p := s.sample(at, s.tall)
	above, below := s.table[int(p.index)*s.columns:][:s.columns], s.table[(int(p.index)+1)*s.columns:][:s.columns]
	for i := range s.row {
		s.row[i] = (above[i]*p.first + below[i]*p.next) * (scene.ShadowOpacity * 256)
	}
	s.expand(dst[:left], s.across[:left])
	s.expand(dst[right:], s.across[right:])
	return false
}

// expand interpolates linearly between the samples of the row.
func (s *shadow) expand(dst []uint16, across []sample) {
	for i, p := range across {
		dst[i] = uint16(s.row[p.index]*p.first + s.row[p.index+1]*p.next + 0.5)
	}
}
