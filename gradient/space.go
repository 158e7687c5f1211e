package gradient

import (
	"image/color"
	"math"
	"sync"

	"github.com/lucasb-eyer/go-colorful"

	"github.com/devkiln/devkiln/gradient/internal/colorspace"
)

// vec is a colour in some space; alpha is last.
type vec [4]float64

// transfer is the sRGB transfer function as a table. It interpolates linearly
// between half levels, which is within 0.005 levels of the exact curve, and is
// exact where the rounded level changes.
type transfer struct {
	linear  [256]float64 // light of each level
	light   [512]float64 // light of each half level, followed by +Inf
	perStep [512]float64 // half levels per unit of light, up to the next half level
	start   [startCells + 1]uint16
}

// startCells is the number of intervals of light, each with the half level at
// which a search starts.
const startCells = 4096

var transferTable = sync.OnceValue(func() *transfer {
	t := new(transfer)
	for i := range 511 {
		v := float64(i) / 510
		t.light[i], _, _ = colorful.Color{R: v, G: v, B: v}.LinearRgb()
		if i > 0 {
			t.perStep[i-1] = 1 / (t.light[i] - t.light[i-1])
		}
		if i%2 == 0 {
			t.linear[i/2] = t.light[i]
		}
	}
	t.light[510], t.light[511] = 1, math.Inf(1)
	half := 0
	for i := range t.start {
		for t.light[half+1] <= float64(i)/startCells {
			half++
		}
		t.start[i] = uint16(half)
	}
	return t
})

// encode returns the level, 0 to 255 with fractions, of an amount of light from
// 0 to 1. It clips values outside that range.
func (t *transfer) encode(light float64) float64 {
	half := t.halfLevels(light)
	light = min(max(light, 0), 1)
	return (float64(half) + (light-t.light[half])*t.perStep[half]) * 0.5
}

// encode8 returns encode rounded to a level.
func (t *transfer) encode8(light float64) uint8 { return uint8((t.halfLevels(light) + 1) >> 1) }

// halfLevels returns the highest half level, from 0 to 510, that an amount of
// light reaches.
func (t *transfer) halfLevels(light float64) int {
	if !(light > 0) {
		return 0
	}
	if light >= 1 {
		return 510
	}
	half := int(t.start[int(light*startCells)])
	for light >= t.light[half+1] {
		half++
	}
	return half
}

// coordinates converts the colour of a stop to the space, with alpha from 0 to
// 1. Missing coordinates, such as the hue of a grey, are NaN.
func (s Space) coordinates(stop Stop) vec {
	c := stop.Color
	if stop.wide != nil {
		return stop.wide.In(s).vec()
	}
	a := float64(c.A) / 255
	if s == SRGB {
		return vec{float64(c.R), float64(c.G), float64(c.B), a}
	}
	t := transferTable()
	v := colorspace.Space(s).FromLight(colorspace.Color{t.linear[c.R], t.linear[c.G], t.linear[c.B]})
	if hue := s.hueIndex(); hue >= 0 && c.R == c.G && c.G == c.B {
		v[hue] = math.NaN()
	}
	return vec{v[0], v[1], v[2], a}
}

// painted returns the premultiplied levels and the alpha of a colour.
func painted(c color.NRGBA) vec {
	a := float64(c.A) / 255
	return vec{float64(c.R) * a, float64(c.G) * a, float64(c.B) * a, a}
}

// hueIndex returns the index of the hue among the coordinates, or -1.
func (s Space) hueIndex() int { return colorspace.Space(s).HueIndex() }

// premultiply multiplies all coordinates except the hue by alpha.
func (s Space) premultiply(v vec) vec {
	hue := s.hueIndex()
	for i := range 3 {
		if i != hue {
			v[i] *= v[3]
		}
	}
	return v
}

// paint converts premultiplied coordinates to a painted colour: premultiplied
// levels of sRGB, and alpha from 0 to 1. With a transfer table, levels are
// clipped to 0 to 255; if t is nil, those of colours outside sRGB exceed that
// range.
func (s Space) paint(v vec, t *transfer) vec {
	a := v[3]
	if s == SRGB {
		if t == nil {
			return v
		}
		return vec{min(max(v[0], 0), 255*a), min(max(v[1], 0), 255*a), min(max(v[2], 0), 255*a), a}
	}
	if a <= 0 {
		return vec{}
	}
	if a != 1 {
		v = s.premultiply(vec{v[0], v[1], v[2], 1 / a})
	}
	light := s.light(v[0], v[1], v[2])
	if t == nil {
		light = colorspace.SRGB.FromLight(light)
		return vec{light[0] * 255 * a, light[1] * 255 * a, light[2] * 255 * a, a}
	}
	return vec{t.encode(light[0]) * a, t.encode(light[1]) * a, t.encode(light[2]) * a, a}
}

// light converts the coordinates of an opaque colour to linear light, which may
// be outside sRGB. The space must not be sRGB.
func (s Space) light(x, y, z float64) colorspace.Color {
	return colorspace.Space(s).Light(colorspace.Color{x, y, z})
}

// join prepares two adjacent colours for interpolation. It fills in a
// coordinate that one lacks from the other, and adjusts the hues, in degrees,
// for the direction h.
func (s Space) join(h Hue, from, to *vec) {
	for i := range from {
		switch {
		case math.IsNaN(from[i]) && math.IsNaN(to[i]):
			from[i], to[i] = 0, 0
		case math.IsNaN(from[i]):
			from[i] = to[i]
		case math.IsNaN(to[i]):
			to[i] = from[i]
		}
	}
	if i := s.hueIndex(); i >= 0 {
		to[i] = from[i] + h.turn(to[i]-from[i])
	}
}

// turn returns the angle to travel around the colour wheel for a difference d
// of hues.
func (h Hue) turn(d float64) float64 {
	switch {
	case h == LongerHue && d > 0 && d < 180, h == DecreasingHue && d > 0, h == ShorterHue && d > 180:
		return d - 360
	case h == LongerHue && d > -180 && d <= 0, h == IncreasingHue && d < 0, h == ShorterHue && d < -180:
		return d + 360
	default:
		return d
	}
}
