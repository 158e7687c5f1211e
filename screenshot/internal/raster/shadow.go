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
	s.table = s.shape(radius * scale)
	s.blur()
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

// shape returns a table of the fraction of each sample's square that the small
// window covers.
func (s *shadow) shape(radius float64) []float32 {
	const slices = 8 // per square
	table := make([]float32, s.columns*s.tall)
	for y := range s.tall {
		for i := range slices {
			at := (float64(y-s.margin) + (float64(i)+0.5)/slices - 0.5) * s.step
			if at < 0 || at > s.shortH {
				continue
			}
			left := scene.Corner(min(at, s.shortH-at), radius)
			for x := range s.columns {
				from := (float64(x-s.margin) - 0.5) * s.step
				covered := min(from+s.step, s.shortW-left) - max(from, left)
				if covered > 0 {
					table[y*s.columns+x] += float32(covered / s.step / slices)
				}
			}
		}
	}
	return table
}

// blur blurs the table in both directions.
func (s *shadow) blur() {
	var weights [3*shadowSteps + 1]float32
	total := 0.0
	for i := range weights {
		total += gauss(i) * min(2, float64(i+1))
	}
	for i := range weights {
		weights[i] = float32(gauss(i) / total)
	}
	across := make([]float32, len(s.table))
	convolve(across, s.table, weights[:], s.columns, s.tall, 1, s.columns)
	convolve(s.table, across, weights[:], s.tall, s.columns, s.columns, 1)
}

func gauss(i int) float64 {
	d := float64(i) / shadowSteps
	return math.Exp(-d * d / 2)
}

// convolve blurs lines of n samples each. Samples are stride apart, and lines
// pitch.
func convolve(dst, src, weights []float32, n, lines, stride, pitch int) {
	for line := range lines {
		for i := range n {
			sum := weights[0] * src[line*pitch+i*stride]
			for d := 1; d < len(weights); d++ {
				if i-d >= 0 {
					sum += weights[d] * src[line*pitch+(i-d)*stride]
				}
				if i+d < n {
					sum += weights[d] * src[line*pitch+(i+d)*stride]
				}
			}
			dst[line*pitch+i*stride] = sum
		}
	}
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
// which is kept for an equal row.
func (s *shadow) coverage(dst []uint16, y, left, right int) {
	at := fold(float64(y)+0.5-s.box.Y, s.box.H, s.shortH)
	if at == s.last && left == s.lastLeft {
		return
	}
	s.last, s.lastLeft = at, left
	p := s.sample(at, s.tall)
	above, below := s.table[int(p.index)*s.columns:][:s.columns], s.table[(int(p.index)+1)*s.columns:][:s.columns]
	for i := range s.row {
		s.row[i] = (above[i]*p.first + below[i]*p.next) * (scene.ShadowOpacity * 256)
	}
	s.expand(dst[:left], s.across[:left])
	s.expand(dst[right:], s.across[right:])
}

// expand interpolates linearly between the samples of the row.
func (s *shadow) expand(dst []uint16, across []sample) {
	for i, p := range across {
		dst[i] = uint16(s.row[p.index]*p.first + s.row[p.index+1]*p.next + 0.5)
	}
}
