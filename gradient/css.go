package gradient

import (
	"image/color"
	"math"
	"strconv"
)

// decimals limits numbers to four decimals, in memory as in text: 0.0001 % of
// the diagonal of a 16k screen is a fiftieth of a pixel.
const decimals = 1e4

func round4(v float64) float64 { return math.Round(v*decimals) / decimals }

// CSS returns the gradient as a CSS value, such as
//
//	linear-gradient(90deg, #ff0000 0%, #0000ff 100%)
//
// Positions are always written, so that the text does not depend on defaults.
// Colours are written as #rrggbb, or as rgba() if they are not opaque.
func (g Gradient) CSS() string {
	var room [320]byte
	return string(g.appendCSS(room[:0]))
}

// appendCSS appends the value that [Gradient.CSS] returns.
func (g Gradient) appendCSS(dst []byte) []byte {
	if len(g.stops) == 0 {
		return append(dst, "none"...)
	}
	dst = g.appendFunction(dst)
	start := len(dst)
	switch g.kind {
	case Linear:
		dst = g.appendDirection(dst)
	case Radial:
		dst = g.appendSize(dst)
		dst = g.appendCenter(dst, start)
	case Conic:
		if g.angle != 0 {
			dst = append(dst, "from "...)
			dst = append(appendNumber(dst, g.angle), "deg"...)
		}
		dst = g.appendCenter(dst, start)
	}
	if g.space != SRGB || g.hasWideColors() {
		dst = appendSpaceFrom(dst, start)
		dst = append(dst, "in "...)
		dst = append(dst, g.space.String()...)
		if g.hue != ShorterHue {
			dst = append(append(append(dst, ' '), g.hue.String()...), " hue"...)
		}
	}
	if len(dst) > start {
		dst = append(dst, ", "...)
	}
	return append(g.appendStops(dst), ')')
}

func (g Gradient) appendFunction(dst []byte) []byte {
	if g.repeating {
		dst = append(dst, "repeating-"...)
	}
	return append(append(dst, g.kind.String()...), "-gradient("...)
}

func (g Gradient) appendDirection(dst []byte) []byte {
	if g.toCorner != noCorner {
		return append(append(dst, "to "...), g.Corner()...)
	}
	return append(appendNumber(dst, g.angle), "deg"...)
}

func (g Gradient) appendSize(dst []byte) []byte {
	if g.radii.X > 0 {
		dst = appendPercent(dst, g.radii.X)
		return appendPercent(append(dst, ' '), g.radii.Y)
	}
	dst = append(dst, g.shape.String()...)
	if g.extent != FarthestCorner {
		dst = append(append(dst, ' '), g.extent.String()...)
	}
	return dst
}

func (g Gradient) appendCenter(dst []byte, start int) []byte {
	if g.center == middle {
		return dst
	}
	dst = append(appendSpaceFrom(dst, start), "at "...)
	return g.appendPoint(dst)
}

func (g Gradient) appendPoint(dst []byte) []byte {
	dst = appendPercent(dst, g.center.X)
	return appendPercent(append(dst, ' '), g.center.Y)
}

// appendSpaceFrom appends a space unless dst[start:] is empty.
func appendSpaceFrom(dst []byte, start int) []byte {
	if len(dst) > start {
		return append(dst, ' ')
	}
	return dst
}

func (g Gradient) appendStops(dst []byte) []byte {
	for i, s := range g.stops {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if s.wide != nil {
			dst = append(s.wide.append(dst), ' ')
		} else {
			dst = append(appendColor(dst, s.Color), ' ')
		}
		dst = appendPercent(dst, s.Position)
		if s.Hint != nil {
			dst = appendPercent(append(dst, ", "...), *s.Hint)
		}
	}
	return dst
}

// CSSWithPrefixes returns declarations of the background property, one per
// line, with the standard one last. The -webkit-, -moz- and -o- forms before it
// paint the same picture in browsers from before 2013. They measure angles
// counter-clockwise from the right, so 90deg becomes 0deg.
//
// Only the standard declaration is returned for gradients that have no prefixed
// form: conic gradients, gradients that interpolate outside sRGB, and those
// with colour hints, with corners (a prefixed corner is a different direction
// unless the box is square) or with the percentages of an ellipse.
// [Gradient.Expand] replaces spaces and hints, and so makes prefixed forms
// possible.
func (g Gradient) CSSWithPrefixes() string {
	var room [1024]byte
	dst := room[:0]
	if g.hasPrefixedForm() {
		var shared [320]byte
		legacy := g.appendLegacy(shared[:0])
		for _, prefix := range [...]string{"-webkit-", "-moz-", "-o-"} {
			dst = append(dst, "background: "...)
			dst = append(dst, prefix...)
			dst = append(dst, legacy...)
			dst = append(dst, ";\n"...)
		}
	}
	dst = append(dst, "background: "...)
	return string(append(g.appendCSS(dst), ';'))
}

// CSSWithFallback returns declarations for a CSS rule. The first is the
// gradient expanded to plain sRGB stops by [Gradient.Expand], with prefixed
// forms where they exist. An @supports block follows with the original
// gradient, for browsers that support its colour space. A gradient that needs
// no fallback gives the result of [Gradient.CSSWithPrefixes]. The error is that
// of Expand.
func (g Gradient) CSSWithFallback(o ExpandOptions) (string, error) {
	if g.space == SRGB && !g.hasWideColors() {
		return g.CSSWithPrefixes(), nil
	}
	plain, err := g.Expand(o)
	if err != nil {
		return "", err
	}
	css := g.CSS()
	return plain.CSSWithPrefixes() + "\n@supports (background: " + css + ") {\n  background: " + css + ";\n}", nil
}

func (g Gradient) hasPrefixedForm() bool {
	if len(g.stops) == 0 || g.kind == Conic || g.space != SRGB || g.hasWideColors() || g.toCorner != noCorner || g.radii.X > 0 {
		return false
	}
	for _, s := range g.stops {
		if s.Hint != nil {
			return false
		}
	}
	return true
}

// appendLegacy appends the function that follows a vendor prefix.
func (g Gradient) appendLegacy(dst []byte) []byte {
	dst = g.appendFunction(dst)
	if g.kind == Linear {
		dst = append(appendNumber(dst, legacyAngle(g.angle)), "deg"...)
	} else {
		if g.center != middle {
			dst = append(g.appendPoint(dst), ", "...)
		}
		dst = g.appendSize(dst)
	}
	return append(g.appendStops(append(dst, ", "...)), ')')
}

// legacyAngle converts between angles clockwise from the top and angles
// counter-clockwise from the right. It is its own inverse.
func legacyAngle(degrees float64) float64 {
	return normalAngle(90 - degrees)
}

func appendPercent(dst []byte, v float64) []byte {
	return append(appendNumber(dst, v), '%')
}

// appendNumber appends v with at most four decimals and no trailing zeros.
func appendNumber(dst []byte, v float64) []byte {
	return strconv.AppendFloat(dst, round4(v)+0, 'f', -1, 64) // no negative zero
}

func appendColor(dst []byte, c color.NRGBA) []byte {
	if c.A == 255 {
		return appendHex(append(dst, '#'), c.R, c.G, c.B)
	}
	dst = append(dst, "rgba("...)
	for _, v := range [...]uint8{c.R, c.G, c.B} {
		dst = strconv.AppendUint(dst, uint64(v), 10)
		dst = append(dst, ", "...)
	}
	return append(appendNumber(dst, alphaNumber(c.A)), ')')
}

// alphaNumber returns the shortest number that parses back as a: two decimals
// if they suffice, else three.
func alphaNumber(a uint8) float64 {
	v := float64(a) / 255
	if short := math.Round(v*100) / 100; math.Round(short*255) == float64(a) {
		return short
	}
	return math.Round(v*1000) / 1000
}

func appendHex(dst []byte, channels ...uint8) []byte {
	const digits = "0123456789abcdef"
	for _, v := range channels {
		dst = append(dst, digits[v>>4], digits[v&15])
	}
	return dst
}

// FormatHex returns a colour as #rrggbb, or #rrggbbaa if it is not opaque.
func FormatHex(c color.NRGBA) string {
	room := [9]byte{'#'}
	dst := appendHex(room[:1], c.R, c.G, c.B)
	if c.A != 255 {
		dst = appendHex(dst, c.A)
	}
	return string(dst)
}
