package gradient

import (
	"image/color"
	"math"
	"strconv"

	"github.com/devkiln/devkiln/internal/invalid"
)

// Color is a colour of CSS Color 4. The zero Color is transparent black.
type Color struct {
	Space Space

	// Components holds the components in the order and units of CSS: hues in
	// degrees; saturation, whiteness, blackness and the lightness of Lab and
	// LCH from 0 to 100; components of color() and OKLab roughly from 0 to 1.
	// The components of a colour outside the gamut exceed these ranges.
	Components [3]float64

	// Alpha ranges from 0, transparent, to 1, opaque.
	Alpha float64

	// Missing reports which components are "none", alpha last. A missing
	// component counts as 0, but in interpolation takes the value of the other
	// colour (CSS Color 4, section 4.4).
	Missing [4]bool

	legacy bool // in a form older than CSS Color 4, with eight bits per channel
}

// ColorOf returns an [SRGB] colour with eight bits per channel.
func ColorOf(c color.NRGBA) Color {
	return Color{
		Components: [3]float64{float64(c.R) / 255, float64(c.G) / 255, float64(c.B) / 255},
		Alpha:      float64(c.A) / 255, legacy: true,
	}
}

// NRGBA returns the colour as browsers paint it on an sRGB screen: each channel
// is clipped. [Color.Fit] preserves lightness and hue instead.
func (c Color) NRGBA() color.NRGBA {
	v := c.convert(SRGB)
	return color.NRGBA{level8(v[0] * 255), level8(v[1] * 255), level8(v[2] * 255), level8(c.Alpha * 255)}
}

func (c Color) convert(s Space) triple {
	if s == c.Space {
		return c.Components
	}
	return spaces[s].fromLight(spaces[c.Space].toLight(c.Components))
}

// In converts the colour to another space without mapping it into the gamut. A
// missing component stays missing if the space has an analogous one, and a grey
// has no hue (CSS Color 4, section 12.2).
func (c Color) In(s Space) Color {
	if s == c.Space {
		return c
	}
	out := Color{Space: s, Components: c.convert(s), Alpha: c.Alpha, Missing: [4]bool{3: c.Missing[3]}}
	if hue := s.hueIndex(); hue >= 0 && s.grey(out.Components) {
		out.Missing[hue] = true
	}
	was, is := spaces[c.Space].kinds, spaces[s].kinds
	for i := range 3 {
		for k := range 3 {
			if c.Missing[i] && was[i] == is[k] {
				out.Missing[k] = true
			}
		}
	}
	for i := range out.Components {
		if out.Missing[i] {
			out.Components[i] = 0
		}
	}
	return out
}

// grey reports whether a colour has no chroma, apart from rounding. The limits
// are those of CSS Color 4.
func (s Space) grey(c [3]float64) bool {
	switch s {
	case OKLCH:
		return c[1] <= 4e-6
	case HWB:
		return c[1]+c[2] >= 99.999
	default: // LCH, HSL
		return c[1] <= 0.0015
	}
}

// Fit converts the colour to an RGB space such as [SRGB] and maps it into the
// gamut of that space by reducing its chroma as far as necessary (CSS Color 4,
// section 13.2). The error is an option error for a space that has no gamut.
func (c Color) Fit(s Space) (Color, error) {
	if spaces[s].kinds != "RGB" {
		return Color{}, &invalid.Input{Field: "space", Reason: "not_one_of", Message: "must be an RGB space"}
	}
	light := spaces[c.Space].toLight(c.Components)
	return Color{Space: s, Components: s.clip(s.fit(light)), Alpha: c.Alpha}, nil
}

// fit reduces the chroma of light in OKLCH until clipping to the gamut makes no
// visible difference.
func (s Space) fit(light triple) triple {
	const (
		visible = 0.02
		precise = 1e-4
	)
	visibleIn := func(light triple) bool { return distance(spaces[s].toLight(s.clip(light)), light) >= visible }
	c := lightToOKLCH(light)
	switch {
	case c[0] >= 1:
		return triple{1, 1, 1}
	case c[0] <= 0:
		return triple{}
	case !visibleIn(light):
		return light
	}
	low, high := 0.0, c[1]
	for high-low > precise {
		c[1] = (low + high) / 2
		if visibleIn(oklchToLight(c)) {
			high = c[1]
		} else {
			low = c[1]
		}
	}
	c[1] = low
	return oklchToLight(c)
}

// clip converts light to components of an RGB space from 0 to 1.
func (s Space) clip(light triple) triple {
	c := spaces[s].fromLight(light)
	return triple{min(max(c[0], 0), 1), min(max(c[1], 0), 1), min(max(c[2], 0), 1)}
}

// distance returns the colour difference of a and b in OKLab.
func distance(a, b triple) float64 {
	x, y := lightToOKLab(a), lightToOKLab(b)
	return math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2])
}

// vec returns the components and the alpha, with NaN for those missing.
// Components of sRGB are levels from 0 to 255.
func (c Color) vec() vec {
	v := vec{c.Components[0], c.Components[1], c.Components[2], c.Alpha}
	for i, missing := range c.Missing {
		if missing {
			v[i] = math.NaN()
		}
	}
	if c.Space == SRGB {
		v[0], v[1], v[2] = v[0]*255, v[1]*255, v[2]*255
	}
	return v
}

// String returns the CSS serialization of the colour, with at most six decimals
// per number. Colours written as names, hex digits, rgb(), hsl() or hwb()
// become rgb() or rgba().
func (c Color) String() string {
	if c.legacy {
		n := c.NRGBA()
		if n.A != 255 {
			return string(appendColor(nil, n))
		}
		return "rgb(" + strconv.Itoa(int(n.R)) + ", " + strconv.Itoa(int(n.G)) + ", " + strconv.Itoa(int(n.B)) + ")"
	}
	return string(c.append(nil))
}

func (c Color) append(dst []byte) []byte {
	unit := ""
	switch c.Space {
	case HSL, HWB:
		unit = "%"
		fallthrough
	case Lab, LCH, OKLab, OKLCH:
		dst = append(append(dst, c.Space.String()...), '(')
	default:
		dst = append(append(append(dst, "color("...), c.Space.String()...), ' ')
	}
	for i := range c.Components {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = appendComponent(dst, c.Components[i], c.Missing[i])
		if i != c.Space.hueIndex() && !c.Missing[i] {
			dst = append(dst, unit...)
		}
	}
	if c.Alpha != 1 || c.Missing[3] {
		dst = appendComponent(append(dst, " / "...), c.Alpha, c.Missing[3])
	}
	return append(dst, ')')
}

func appendComponent(dst []byte, v float64, missing bool) []byte {
	if missing {
		return append(dst, "none"...)
	}
	return strconv.AppendFloat(dst, round6(v), 'f', -1, 64)
}

// round6 rounds to six decimals, as [Color.String] writes them.
func round6(v float64) float64 {
	return math.Round(v*1e6)/1e6 + 0 // no negative zero
}
