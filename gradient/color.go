package gradient

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"
)

// Color is a colour of CSS Color 4. The zero Color is transparent black.
type Color struct {
	Space Space // one that has no constant here counts as [SRGB]

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
		Space:      SRGB,
		Components: [3]float64{float64(c.R) / 255, float64(c.G) / 255, float64(c.B) / 255},
		Alpha:      float64(c.A) / 255, legacy: true,
	}
}

// NRGBA returns the colour as browsers paint it on an sRGB screen: each channel
// is clipped.
func (c Color) NRGBA() color.NRGBA {
	v := c.convert(SRGB)
	return color.NRGBA{level8(v[0] * 255), level8(v[1] * 255), level8(v[2] * 255), level8(c.Alpha * 255)}
}

func (c Color) convert(s Space) triple {
	if s == c.Space {
		return c.Components
	}
	return s.row().fromLight(c.Space.row().toLight(c.Components))
}

// In converts the colour to another space without mapping it into the gamut. A
// missing component stays missing if the space has an analogous one, and a grey
// has no hue (CSS Color 4, section 12.2).
func (c Color) In(s Space) Color {
	if s == c.Space {
		return c
	}
	out := Color{Space: s.row().name, Components: c.convert(s), Alpha: c.Alpha, Missing: [4]bool{3: c.Missing[3]}}
	if hue := s.row().hueIndex(); hue >= 0 && s.grey(out.Components) {
		out.Missing[hue] = true
	}
	was, is := c.Space.row().kinds, s.row().kinds
	for k := range 3 {
		for i := range 3 {
			out.Missing[k] = out.Missing[k] || c.Missing[i] && was[i] == is[k]
		}
		if out.Missing[k] {
			out.Components[k] = 0
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
			return cssColor(n)
		}
		return fmt.Sprintf("rgb(%d, %d, %d)", n.R, n.G, n.B)
	}
	row := c.Space.row()
	start := string(row.name) + "("
	if row.kinds == "RGB" {
		start = "color(" + string(row.name) + " "
	}
	var parts []string
	for i, v := range c.Components {
		part := componentText(v, c.Missing[i])
		if (c.Space == HSL || c.Space == HWB) && i > 0 && !c.Missing[i] {
			part += "%"
		}
		parts = append(parts, part)
	}
	if c.Alpha != 1 || c.Missing[3] {
		parts = append(parts, "/", componentText(c.Alpha, c.Missing[3]))
	}
	return start + strings.Join(parts, " ") + ")"
}

func componentText(v float64, missing bool) string {
	if missing {
		return "none"
	}
	return strconv.FormatFloat(round6(v), 'f', -1, 64)
}

// round6 rounds to six decimals, as [Color.String] writes them.
func round6(v float64) float64 {
	return math.Round(v*1e6)/1e6 + 0 // no negative zero
}
