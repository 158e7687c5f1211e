package gradient

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/lucasb-eyer/go-colorful"
)

// vec is a colour in some space; alpha is last.
type vec [4]float64

// triple holds the components of a colour without its alpha, in the order and
// units of [Color].
type triple = [3]float64

// spaceRow describes a colour space. All conversions go through linear light of
// sRGB, which may be outside 0 to 1.
type spaceRow struct {
	name Space
	// kinds has a letter for each component. Equal letters mark components that
	// two spaces share; h is a hue, l a lightness and c a chroma.
	kinds     string
	whole     triple // what 100 % of a component stands for
	toLight   func(triple) triple
	fromLight func(triple) triple
}

var spaces = [...]spaceRow{
	{SRGB, "RGB", triple{1, 1, 1}, decodeAll, encodeAll},
	{LinearRGB, "RGB", triple{1, 1, 1}, unchanged, unchanged},
	{OKLab, "lab", triple{1, 0.4, 0.4}, oklabToLight, lightToOKLab},
	{OKLCH, "lch", triple{1, 0.4, 0}, oklchToLight, lightToOKLCH},
	{DisplayP3, "RGB", triple{1, 1, 1}, p3ToLight, lightToP3},
	{Lab, "lab", triple{100, 125, 125}, labToLight, lightToLab},
	{LCH, "lch", triple{100, 150, 0}, lchToLight, lightToLCH},
	{HSL, "hcl", triple{0, 100, 100}, hslToLight, lightToHSL},
	{HWB, "hwk", triple{0, 100, 100}, hwbToLight, lightToHWB},
}

var srgb = &spaces[0]

// row returns the row of a space, or of [SRGB] if there is none.
func (s Space) row() *spaceRow {
	return &spaces[max(0, slices.IndexFunc(spaces[:], func(r spaceRow) bool { return r.name == s }))]
}

// painted returns the premultiplied levels and the alpha of a colour.
func painted(c color.NRGBA) vec {
	a := float64(c.A) / 255
	return vec{float64(c.R) * a, float64(c.G) * a, float64(c.B) * a, a}
}

// hueIndex returns the index of the hue among the components, or -1.
func (s *spaceRow) hueIndex() int { return strings.IndexByte(s.kinds, 'h') }

func unchanged(c triple) triple { return c }

// decode converts an encoded component of sRGB or Display P3 to light, encode
// the reverse. Both mirror the curve at zero, as CSS Color 4 does and
// go-colorful does not.
func decode(v float64) float64 {
	if math.Abs(v) < 0.04045 {
		return v / 12.92
	}
	return math.Copysign(math.Pow((math.Abs(v)+0.055)/1.055, 2.4), v)
}

func encode(light float64) float64 {
	if math.Abs(light) < 0.0031308 {
		return light * 12.92
	}
	return math.Copysign(1.055*math.Pow(math.Abs(light), 1/2.4)-0.055, light)
}

func decodeAll(c triple) triple { return triple{decode(c[0]), decode(c[1]), decode(c[2])} }
func encodeAll(c triple) triple { return triple{encode(c[0]), encode(c[1]), encode(c[2])} }

func p3ToLight(c triple) triple {
	x, y, z := colorful.LinearDisplayP3ToXyz(decode(c[0]), decode(c[1]), decode(c[2]))
	r, g, b := colorful.XyzToLinearRgb(x, y, z)
	return triple{r, g, b}
}

func lightToP3(light triple) triple {
	x, y, z := colorful.LinearRgbToXyz(light[0], light[1], light[2])
	r, g, b := colorful.XyzToLinearDisplayP3(x, y, z)
	return triple{encode(r), encode(g), encode(b)}
}

// whiteD50 is the white point of Lab in CSS Color 4, section 10, as XYZ.
// go-colorful's own Lab has that of D65.
var whiteD50 = triple{0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585}

func labToLight(c triple) triple {
	x, y, z := colorful.LabToXyzWhiteRef(c[0]/100, c[1]/100, c[2]/100, whiteD50)
	x, y, z = colorful.D50ToD65(x, y, z)
	r, g, b := colorful.XyzToLinearRgb(x, y, z)
	return triple{r, g, b}
}

func lightToLab(light triple) triple {
	x, y, z := colorful.LinearRgbToXyz(light[0], light[1], light[2])
	x, y, z = colorful.D65ToD50(x, y, z)
	l, a, b := colorful.XyzToLabWhiteRef(x, y, z, whiteD50)
	return triple{l * 100, a * 100, b * 100}
}

func lchToLight(c triple) triple     { return labToLight(cartesian(c)) }
func lightToLCH(light triple) triple { return polar(lightToLab(light)) }

func oklchToLight(c triple) triple     { return oklabToLight(cartesian(c)) }
func lightToOKLCH(light triple) triple { return polar(lightToOKLab(light)) }

// lightToOKLab and oklabToLight use the matrices that Björn Ottosson gives for
// OKLab in "A perceptual color space for image processing" (2020, with the
// higher precision of 2021). Those of go-colorful give white a chroma of 1e-4,
// and so a hue.
func lightToOKLab(c triple) triple {
	r, g, b := c[0], c[1], c[2]
	p := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	q := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return triple{
		0.2104542553*p + 0.7936177850*q - 0.0040720468*s,
		1.9779984951*p - 2.4285922050*q + 0.4505937099*s,
		0.0259040371*p + 0.7827717662*q - 0.8086757660*s,
	}
}

func oklabToLight(c triple) triple {
	l, x, y := c[0], c[1], c[2]
	p := l + 0.3963377774*x + 0.2158037573*y
	q := l - 0.1055613458*x - 0.0638541728*y
	s := l - 0.0894841775*x - 1.2914855480*y
	p, q, s = p*p*p, q*q*q, s*s*s
	return triple{
		4.0767416621*p - 3.3077115913*q + 0.2309699292*s,
		-1.2684380046*p + 2.6097574011*q - 0.3413193965*s,
		-0.0041960863*p - 0.7034186147*q + 1.7076147010*s,
	}
}

// cartesian converts lightness, chroma and hue to the axes of Lab or OKLab;
// polar converts back.
func cartesian(c triple) triple {
	sin, cos := math.Sincos(c[2] * (math.Pi / 180))
	return triple{c[0], c[1] * cos, c[1] * sin}
}

func polar(c triple) triple {
	return triple{c[0], math.Hypot(c[1], c[2]), reduced(math.Atan2(c[2], c[1]) * (180 / math.Pi))}
}

// reduced reduces an angle to the range of 0 to 360 degrees.
func reduced(degrees float64) float64 {
	if degrees = math.Mod(degrees, 360); degrees < 0 {
		degrees += 360
	}
	return degrees
}

func hslToLight(c triple) triple {
	rgb := colorful.Hsl(reduced(c[0]), c[1]/100, c[2]/100)
	return decodeAll(triple{rgb.R, rgb.G, rgb.B})
}

func lightToHSL(light triple) triple {
	c := encodeAll(light)
	hue, saturation, lightness := colorful.Color{R: c[0], G: c[1], B: c[2]}.Hsl()
	if saturation < 0 { // beyond sRGB
		hue, saturation = reduced(hue+180), -saturation
	}
	return triple{hue, saturation * 100, lightness * 100}
}

// hwbToLight mixes a pure hue with white and black.
func hwbToLight(c triple) triple {
	white, black := c[1]/100, c[2]/100
	if sum := white + black; sum >= 1 {
		return decodeAll(triple{white / sum, white / sum, white / sum})
	}
	pure, rest := colorful.Hsl(reduced(c[0]), 1, 0.5), 1-white-black
	return decodeAll(triple{pure.R*rest + white, pure.G*rest + white, pure.B*rest + white})
}

func lightToHWB(light triple) triple {
	c := encodeAll(light)
	hue, _, _ := colorful.Color{R: c[0], G: c[1], B: c[2]}.Hsl()
	return triple{hue, min(c[0], c[1], c[2]) * 100, (1 - max(c[0], c[1], c[2])) * 100}
}

// transfer is the sRGB transfer function as tables: a power per channel would
// make [Gradient.At] take twice as long (BenchmarkGradientAt/oklab).
type transfer struct {
	light [256]float64               // of each level
	level [transferSteps + 2]float64 // of evenly spaced amounts of light
}

// transferSteps is such that linear interpolation is within 0.005 levels of the
// exact curve.
const transferSteps = 4096

var transferTable = sync.OnceValue(func() *transfer {
	t := new(transfer)
	for i := range t.light {
		t.light[i] = decode(float64(i) / 255)
	}
	for i := range t.level {
		t.level[i] = 255 * min(encode(float64(i)/transferSteps), 1)
	}
	return t
})

// encode returns the level, 0 to 255 with fractions, of an amount of light,
// which it clips to 0 to 1.
func (t *transfer) encode(light float64) float64 {
	if !(light > 0) {
		return 0
	}
	at := min(light, 1) * transferSteps
	i := int(at)
	return t.level[i] + (at-float64(i))*(t.level[i+1]-t.level[i])
}

// coordinates converts the colour of a stop to the space, with alpha from 0 to
// 1. Missing coordinates, such as the hue of a grey, are NaN.
func (s *spaceRow) coordinates(stop Stop) vec {
	c := stop.Color
	if stop.wide != nil {
		return stop.wide.In(s.name).vec()
	}
	a := float64(c.A) / 255
	if s == srgb {
		return vec{float64(c.R), float64(c.G), float64(c.B), a}
	}
	t := transferTable()
	v := s.fromLight(triple{t.light[c.R], t.light[c.G], t.light[c.B]})
	if hue := s.hueIndex(); hue >= 0 && c.R == c.G && c.G == c.B {
		v[hue] = math.NaN()
	}
	return vec{v[0], v[1], v[2], a}
}

// scale multiplies all coordinates except the hue and alpha by f: by alpha, to
// premultiply them.
func (s *spaceRow) scale(v vec, f float64) vec {
	hue := s.hueIndex()
	for i := range 3 {
		if i != hue {
			v[i] *= f
		}
	}
	return v
}

// paint converts premultiplied coordinates to a painted colour: premultiplied
// levels of sRGB, clipped to 0 to 255, and alpha from 0 to 1.
func (s *spaceRow) paint(v vec, t *transfer) vec {
	a := v[3]
	if s == srgb {
		return vec{min(max(v[0], 0), 255*a), min(max(v[1], 0), 255*a), min(max(v[2], 0), 255*a), a}
	}
	if a <= 0 {
		return vec{}
	}
	if a != 1 {
		v = s.scale(v, 1/a)
	}
	light := s.toLight(triple{v[0], v[1], v[2]})
	return vec{t.encode(light[0]) * a, t.encode(light[1]) * a, t.encode(light[2]) * a, a}
}

// join prepares two adjacent colours for interpolation. It fills in a
// coordinate that one lacks from the other, and adjusts the hues, in degrees,
// for the direction h.
func (s *spaceRow) join(h Hue, from, to *vec) {
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
		to[i] = from[i] + h.travel(to[i]-from[i])
	}
}

// travel returns the angle to go around the colour wheel for a difference d
// of hues.
func (h Hue) travel(d float64) float64 {
	switch {
	case h == LongerHue && d > 0 && d < 180, h == DecreasingHue && d > 0, h == ShorterHue && d > 180:
		return d - 360
	case h == LongerHue && d > -180 && d <= 0, h == IncreasingHue && d < 0, h == ShorterHue && d < -180:
		return d + 360
	default:
		return d
	}
}
