package gradient

import (
	"image/color"
	"math"
	"sync"

	"github.com/lucasb-eyer/go-colorful"
)

// vec is a colour in some space, its alpha last.
type vec [4]float64

// transfer is the sRGB transfer function as a table: a straight line between
// half levels, which is within 0.005 levels of the exact curve, and exact where
// eight bits change over.
type transfer struct {
	linear  [256]float64 // light of each level
	light   [512]float64 // light of each half level, and +Inf behind
	perStep [512]float64 // half levels per light from there to the next
	start   [startCells + 1]uint16
}

// startCells is how finely light is cut to find the first half level to try.
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
// 0 to 1. What is outside is clipped.
func (t *transfer) encode(light float64) float64 {
	half := t.halfLevels(light)
	light = min(max(light, 0), 1)
	return (float64(half) + (light-t.light[half])*t.perStep[half]) * 0.5
}

// encode8 is encode rounded to a level.
func (t *transfer) encode8(light float64) uint8 { return uint8((t.halfLevels(light) + 1) >> 1) }

// halfLevels returns how many half levels an amount of light reaches, 0 to 510.
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

// coordinates converts a colour into the space, its alpha 0 to 1. Rectangular
// spaces are premultiplied, and so are lightness and chroma of OKLCH. The hue
// of a grey is NaN.
func (s Space) coordinates(c color.NRGBA) vec {
	a := float64(c.A) / 255
	if s == SRGB {
		return vec{float64(c.R) * a, float64(c.G) * a, float64(c.B) * a, a}
	}
	t := transferTable()
	r, g, b := t.linear[c.R], t.linear[c.G], t.linear[c.B]
	if s == LinearRGB {
		return vec{r * a, g * a, b * a, a}
	}
	l, x, y := linearToOKLab(r, g, b)
	if s == OKLab {
		return vec{l * a, x * a, y * a, a}
	}
	_, chroma, hue := colorful.OkLabToOkLch(l, x, y)
	if chroma < greyChroma {
		hue = math.NaN()
	}
	return vec{l * a, chroma * a, hue, a}
}

// greyChroma is less than the chroma of any colour of eight bits that is not
// grey, and more than the rounding errors of a grey.
const greyChroma = 1e-4

// linearToOKLab and oklabToLinear use the matrices that Björn Ottosson gives
// for OKLab in "A perceptual color space for image processing" (2020, with the
// higher precision of 2021).
func linearToOKLab(r, g, b float64) (l, x, y float64) {
	p := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	q := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return 0.2104542553*p + 0.7936177850*q - 0.0040720468*s,
		1.9779984951*p - 2.4285922050*q + 0.4505937099*s,
		0.0259040371*p + 0.7827717662*q - 0.8086757660*s
}

func oklabToLinear(l, x, y float64) (r, g, b float64) {
	p := l + 0.3963377774*x + 0.2158037573*y
	q := l - 0.1055613458*x - 0.0638541728*y
	s := l - 0.0894841775*x - 1.2914855480*y
	p, q, s = p*p*p, q*q*q, s*s*s
	return 4.0767416621*p - 3.3077115913*q + 0.2309699292*s,
		-1.2684380046*p + 2.6097574011*q - 0.3413193965*s,
		-0.0041960863*p - 0.7034186147*q + 1.7076147010*s
}

// paint converts coordinates into what is painted: sRGB levels from 0 to 255,
// premultiplied, and alpha from 0 to 1.
func (s Space) paint(v vec, t *transfer) vec {
	if s == SRGB {
		return v
	}
	a := v[3]
	if a <= 0 {
		return vec{}
	}
	x, y, z := v[0], v[1], v[2]
	if a != 1 {
		x, y = x/a, y/a
		if s < OKLCH {
			z /= a
		}
	}
	x, y, z = s.light(x, y, z)
	return vec{t.encode(x) * a, t.encode(y) * a, t.encode(z) * a, a}
}

// light converts the coordinates of an opaque colour into linear light, which
// may be outside sRGB. The space is not sRGB.
func (s Space) light(x, y, z float64) (r, g, b float64) {
	if s == LinearRGB {
		return x, y, z
	}
	if s >= OKLCH {
		sin, cos := math.Sincos(z * (math.Pi / 180))
		y, z = y*cos, y*sin
	}
	return oklabToLinear(x, y, z)
}

// join makes the hues of two neighbours, in degrees, ready to be interpolated
// this way around. A grey takes the other's hue.
func (h Hue) join(from, to *vec) {
	h0, h1 := from[2], to[2]
	switch {
	case math.IsNaN(h0) && math.IsNaN(h1):
		h0, h1 = 0, 0
	case math.IsNaN(h0):
		h0 = h1
	case math.IsNaN(h1):
		h1 = h0
	}
	d := h1 - h0
	switch h {
	case LongerHue:
		if d > 0 && d < 180 {
			d -= 360
		} else if d > -180 && d <= 0 {
			d += 360
		}
	case IncreasingHue:
		if d < 0 {
			d += 360
		}
	case DecreasingHue:
		if d > 0 {
			d -= 360
		}
	default:
		if d > 180 {
			d -= 360
		} else if d < -180 {
			d += 360
		}
	}
	from[2], to[2] = h0, h0+d
}
