// Package colorspace converts colours between the spaces of CSS Color 4.
//
// All conversions go through linear light of sRGB, which may be outside 0 to 1.
// Components have the order and the units of CSS: hues in degrees; saturation,
// whiteness and the lightness of Lab from 0 to 100; all others roughly from 0
// to 1.
package colorspace

import (
	"math"
	"sync"

	"github.com/lucasb-eyer/go-colorful"
)

// Space is a colour space.
type Space uint8

// The spaces of CSS Color 4.
const (
	SRGB Space = iota
	LinearRGB
	OKLab
	OKLCH
	DisplayP3
	LinearP3
	A98RGB
	ProPhotoRGB
	Rec2020
	XYZD65
	XYZD50
	Lab
	LCH
	HSL
	HWB
)

// Color holds three components.
type Color [3]float64

// HueIndex returns the index of the hue, or -1.
func (s Space) HueIndex() int {
	switch s {
	case OKLCH, LCH:
		return 2
	case HSL, HWB:
		return 0
	default:
		return -1
	}
}

// Light converts components to linear light of sRGB.
func (s Space) Light(c Color) Color {
	switch s {
	case SRGB:
		return each(c, s.decode)
	case OKLab:
		return oklabToLight(c)
	case OKLCH:
		return oklabToLight(cartesian(c))
	case Lab:
		return labToLight(c)
	case LCH:
		return labToLight(cartesian(c))
	case HSL:
		return each(hslToRGB(c), SRGB.decode)
	case HWB:
		return each(hwbToRGB(c), SRGB.decode)
	case A98RGB, ProPhotoRGB, Rec2020, DisplayP3:
		c = each(c, s.decode)
	default: // linear light of other primaries
	}
	return matrices()[s].light.times(c)
}

// FromLight converts linear light of sRGB to components. The hue of a grey is
// arbitrary.
func (s Space) FromLight(light Color) Color {
	switch s {
	case SRGB:
		return each(light, SRGB.encode)
	case OKLab:
		return lightToOKLab(light)
	case OKLCH:
		return polar(lightToOKLab(light))
	case Lab:
		return lightToLab(light)
	case LCH:
		return polar(lightToLab(light))
	case HSL:
		return rgbToHSL(each(light, SRGB.encode))
	case HWB:
		return rgbToHWB(each(light, SRGB.encode))
	case A98RGB, ProPhotoRGB, Rec2020, DisplayP3:
		return each(matrices()[s].back.times(light), s.encode)
	default:
		return matrices()[s].back.times(light)
	}
}

func each(c Color, f func(float64) float64) Color { return Color{f(c[0]), f(c[1]), f(c[2])} }

// curve is a transfer function, linear near zero and a power above. It decodes
// a value v to ((v+offset)/(1+offset)) to the power of gamma from dark on, and
// to v/slope below.
type curve struct{ gamma, offset, slope, dark float64 }

// curve returns the transfer function of an RGB space with the constants of CSS
// Color 4, section 10. Rec. 2020 is encoded as in ITU-R BT.2020, which is what
// browsers paint.
func (s Space) curve() curve {
	switch s {
	case A98RGB:
		return curve{gamma: 563.0 / 256}
	case ProPhotoRGB:
		return curve{gamma: 1.8, slope: 16, dark: 16.0 / 512}
	case Rec2020:
		return curve{gamma: 1 / 0.45, offset: 0.09929682680944, slope: 4.5, dark: 4.5 * 0.018053968510807}
	default: // sRGB and Display P3
		return curve{gamma: 2.4, offset: 0.055, slope: 12.92, dark: 0.04045}
	}
}

// decode and encode are odd functions: they mirror the curve at zero.
func (s Space) decode(v float64) float64 {
	c := s.curve()
	if math.Abs(v) < c.dark {
		return v / c.slope
	}
	return math.Copysign(math.Pow((math.Abs(v)+c.offset)/(1+c.offset), c.gamma), v)
}

func (s Space) encode(v float64) float64 {
	c := s.curve()
	if math.Abs(v)*c.slope < c.dark {
		return v * c.slope
	}
	return math.Copysign((1+c.offset)*math.Pow(math.Abs(v), 1/c.gamma)-c.offset, v)
}

// matrix maps the light of one set of primaries to that of another.
type matrix [3]Color

func (m matrix) times(c Color) (out Color) {
	for i, row := range m {
		out[i] = row[0]*c[0] + row[1]*c[1] + row[2]*c[2]
	}
	return out
}

func (m matrix) after(n matrix) (out matrix) {
	for k := range 3 {
		column := m.times(Color{n[0][k], n[1][k], n[2][k]})
		out[0][k], out[1][k], out[2][k] = column[0], column[1], column[2]
	}
	return out
}

func (m matrix) inverse() (out matrix) {
	for i := range 3 {
		for k := range 3 {
			a, b, c, d := (k+1)%3, (k+2)%3, (i+1)%3, (i+2)%3
			out[i][k] = m[a][c]*m[b][d] - m[a][d]*m[b][c]
		}
	}
	det := m[0][0]*out[0][0] + m[0][1]*out[1][0] + m[0][2]*out[2][0]
	for i := range out {
		for k := range out[i] {
			out[i][k] /= det
		}
	}
	return out
}

// conversion converts a space's linear components to light of sRGB and back.
type conversion struct{ light, back matrix }

// whites returns the white points of CSS Color 4, section 10, as XYZ with Y 1.
func whites() (d65, d50 Color) { return xyz(0.3127, 0.3290), xyz(0.3457, 0.3585) }

// xyz converts a chromaticity to XYZ with Y 1.
func xyz(x, y float64) Color { return Color{x / y, 1, (1 - x - y) / y} }

// matrices are derived from the chromaticities of red, green and blue in CSS
// Color 4, section 10.
var matrices = sync.OnceValue(func() *[HWB + 1]conversion {
	d65, d50 := whites()
	same := matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	fromD50 := adaptation(d50, d65)
	fromXYZ := primaries(d65, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06).inverse()
	p3 := primaries(d65, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060)
	toXYZ := map[Space]matrix{
		LinearRGB:   fromXYZ.inverse(),
		DisplayP3:   p3,
		LinearP3:    p3,
		A98RGB:      primaries(d65, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06),
		Rec2020:     primaries(d65, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046),
		ProPhotoRGB: fromD50.after(primaries(d50, 0.734699, 0.265301, 0.159597, 0.840403, 0.036598, 0.000105)),
		XYZD50:      fromD50,
		XYZD65:      same,
	}
	all := new([HWB + 1]conversion)
	for s, m := range toXYZ {
		light := fromXYZ.after(m)
		all[s] = conversion{light, light.inverse()}
	}
	all[LinearRGB] = conversion{same, same}
	return all
})

// primaries returns the matrix from light to XYZ for three primaries, given as
// chromaticities, that mix to white.
func primaries(white Color, rx, ry, gx, gy, bx, by float64) matrix {
	r, g, b := xyz(rx, ry), xyz(gx, gy), xyz(bx, by)
	m := matrix{{r[0], g[0], b[0]}, {r[1], g[1], b[1]}, {r[2], g[2], b[2]}}
	return m.scaled(m.inverse().times(white))
}

// scaled multiplies each column by the component of by with its index.
func (m matrix) scaled(by Color) matrix {
	for i := range m {
		for k := range by {
			m[i][k] *= by[k]
		}
	}
	return m
}

// adaptation returns the matrix that adapts XYZ from one white to another by
// the Bradford method.
func adaptation(from, to Color) matrix {
	cones := matrix{{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}
	a, b := cones.times(from), cones.times(to)
	return cones.inverse().scaled(Color{b[0] / a[0], b[1] / a[1], b[2] / a[2]}).after(cones)
}

func labToLight(c Color) Color {
	_, white := whites()
	x, y, z := colorful.LabToXyzWhiteRef(c[0]/100, c[1]/100, c[2]/100, white)
	return matrices()[XYZD50].light.times(Color{x, y, z})
}

func lightToLab(light Color) Color {
	_, white := whites()
	c := matrices()[XYZD50].back.times(light)
	l, a, b := colorful.XyzToLabWhiteRef(c[0], c[1], c[2], white)
	return Color{l * 100, a * 100, b * 100}
}

// cartesian converts lightness, chroma and hue to Lab or OKLab axes; polar
// converts back.
func cartesian(c Color) Color {
	sin, cos := math.Sincos(c[2] * (math.Pi / 180))
	return Color{c[0], c[1] * cos, c[1] * sin}
}

func polar(c Color) Color {
	return Color{c[0], math.Hypot(c[1], c[2]), Turned(math.Atan2(c[2], c[1]) * (180 / math.Pi))}
}

// Turned reduces an angle to the range of 0 to 360 degrees. An infinite one, of
// calc(), counts as 0, as in browsers.
func Turned(hue float64) float64 {
	if math.IsInf(hue, 0) {
		return 0
	}
	if hue = math.Mod(hue, 360); hue < 0 {
		hue += 360
	}
	return hue
}

// lightToOKLab and oklabToLight use the matrices that Björn Ottosson gives for
// OKLab in "A perceptual color space for image processing" (2020, with the
// higher precision of 2021).
func lightToOKLab(c Color) Color {
	r, g, b := c[0], c[1], c[2]
	p := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	q := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return Color{
		0.2104542553*p + 0.7936177850*q - 0.0040720468*s,
		1.9779984951*p - 2.4285922050*q + 0.4505937099*s,
		0.0259040371*p + 0.7827717662*q - 0.8086757660*s,
	}
}

func oklabToLight(c Color) Color {
	l, x, y := c[0], c[1], c[2]
	p := l + 0.3963377774*x + 0.2158037573*y
	q := l - 0.1055613458*x - 0.0638541728*y
	s := l - 0.0894841775*x - 1.2914855480*y
	p, q, s = p*p*p, q*q*q, s*s*s
	return Color{
		4.0767416621*p - 3.3077115913*q + 0.2309699292*s,
		-1.2684380046*p + 2.6097574011*q - 0.3413193965*s,
		-0.0041960863*p - 0.7034186147*q + 1.7076147010*s,
	}
}

func hslToRGB(c Color) Color {
	hue, light := Turned(c[0])/30, c[2]/100
	amount := c[1] / 100 * min(light, 1-light)
	channel := func(n float64) float64 {
		k := math.Mod(n+hue, 12)
		return light - amount*max(-1, min(k-3, 9-k, 1))
	}
	return Color{channel(0), channel(8), channel(4)}
}

func rgbToHSL(c Color) Color {
	hue, saturation, light := colorful.Color{R: c[0], G: c[1], B: c[2]}.Hsl()
	if saturation < 0 { // beyond sRGB
		hue, saturation = Turned(hue+180), -saturation
	}
	return Color{hue, saturation * 100, light * 100}
}

// hwbToRGB mixes a pure hue with white and black.
func hwbToRGB(c Color) Color {
	white, black := c[1]/100, c[2]/100
	if sum := white + black; sum >= 1 {
		return Color{white / sum, white / sum, white / sum}
	}
	return each(hslToRGB(Color{c[0], 100, 50}), func(v float64) float64 { return v*(1-white-black) + white })
}

func rgbToHWB(c Color) Color {
	hue, _, _ := colorful.Color{R: c[0], G: c[1], B: c[2]}.Hsl()
	return Color{hue, min(c[0], c[1], c[2]) * 100, (1 - max(c[0], c[1], c[2])) * 100}
}

// Fit maps light into the gamut of an RGB space as CSS Color 4, section 13.2,
// specifies: it reduces the chroma in OKLCH until clipping makes no visible
// difference.
func (s Space) Fit(light Color) Color {
	const (
		visible = 0.02
		least   = 1e-4
	)
	c := OKLCH.FromLight(light)
	switch {
	case c[0] >= 1:
		return Color{1, 1, 1}
	case c[0] <= 0:
		return Color{}
	case s.contains(light):
		return light
	}
	clipped := s.clip(light)
	if distance(clipped, light) < visible {
		return clipped
	}
	low, high, within := 0.0, c[1], true
	for high-low > least {
		c[1] = (low + high) / 2
		at := OKLCH.Light(c)
		if within && s.contains(at) {
			low = c[1]
			continue
		}
		clipped = s.clip(at)
		d := distance(clipped, at)
		if d >= visible {
			high = c[1]
			continue
		}
		if visible-d < least {
			return clipped
		}
		low, within = c[1], false
	}
	return clipped
}

// contains reports whether every component is from 0 to 1, apart from rounding.
func (s Space) contains(light Color) bool {
	const rounding = 1e-6
	for _, v := range s.FromLight(light) {
		if v < -rounding || v > 1+rounding {
			return false
		}
	}
	return true
}

func (s Space) clip(light Color) Color {
	return s.Light(each(s.FromLight(light), func(v float64) float64 { return min(max(v, 0), 1) }))
}

// distance returns the colour difference of a and b in OKLab.
func distance(a, b Color) float64 {
	x, y := lightToOKLab(a), lightToOKLab(b)
	return math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2])
}
