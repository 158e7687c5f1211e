package gradient

import (
	"image/color"
	"math"

	"github.com/lucasb-eyer/go-colorful"
	"golang.org/x/image/colornames"
)

// strictHex reads #RRGGBB and nothing else.
func strictHex(s string) (color.NRGBA, bool) {
	if len(s) != 7 || s[0] != '#' {
		return color.NRGBA{}, false
	}
	return hexColor(s[1:])
}

// hexColor reads the digits of a colour in any of the four lengths of CSS.
func hexColor(digits string) (color.NRGBA, bool) {
	var v [8]uint8
	if len(digits) > len(v) {
		return color.NRGBA{}, false
	}
	for i := range len(digits) {
		d, ok := hexDigit(digits[i])
		if !ok {
			return color.NRGBA{}, false
		}
		v[i] = d
	}
	switch len(digits) {
	case 3:
		return color.NRGBA{v[0] * 17, v[1] * 17, v[2] * 17, 255}, true
	case 4:
		return color.NRGBA{v[0] * 17, v[1] * 17, v[2] * 17, v[3] * 17}, true
	case 6:
		return color.NRGBA{v[0]<<4 | v[1], v[2]<<4 | v[3], v[4]<<4 | v[5], 255}, true
	case 8:
		return color.NRGBA{v[0]<<4 | v[1], v[2]<<4 | v[3], v[4]<<4 | v[5], v[6]<<4 | v[7]}, true
	}
	return color.NRGBA{}, false
}

func hexDigit(c byte) (uint8, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}

// ParseColor reads one CSS colour: hex with 3, 4, 6 or 8 digits, rgb(), rgba(),
// hsl() and hsla() with commas or without, hwb(), the 148 names of CSS Color 4
// and transparent. Case does not count, space around it is skipped. Components
// out of range are clamped as CSS does, and a component "none" is 0.
//
// The error is a [*ParseError].
func ParseColor(s string) (color.NRGBA, error) {
	if err := checkLength(s); err != nil {
		return color.NRGBA{}, err
	}
	p := scanner{s: s}
	p.space()
	c, err := p.color()
	if err != nil {
		return color.NRGBA{}, err
	}
	if !p.end() {
		return color.NRGBA{}, p.fail("nothing after the color")
	}
	return c, nil
}

const colorExpected = "a color"

func (p *scanner) color() (color.NRGBA, error) {
	if p.peek() == '#' {
		return p.hex()
	}
	w := p.peekWord()
	if w.n == 0 {
		return color.NRGBA{}, p.fail(colorExpected)
	}
	if end := p.i + w.n; end < len(p.s) && p.s[end] == '(' {
		return p.colorFunction(w)
	}
	c, ok := namedColor(string(w.text[:w.n]))
	if !ok {
		return color.NRGBA{}, p.fail(colorExpected)
	}
	p.i += w.n
	return c, nil
}

func (p *scanner) hex() (color.NRGBA, error) {
	start := p.i
	end := start + 1
	for end < len(p.s) && end <= start+9 && isWordByte(p.s[end]|0x20) {
		end++
	}
	c, ok := hexColor(p.s[start+1 : end])
	if !ok {
		return c, p.fail("a color of 3, 4, 6 or 8 hex digits")
	}
	p.i = end
	return c, nil
}

// namedColor looks a lower-case name up. The table of x/image is that of SVG
// 1.1; CSS has added one name since.
func namedColor(name string) (color.NRGBA, bool) {
	switch name {
	case "transparent":
		return color.NRGBA{}, true
	case "rebeccapurple":
		return color.NRGBA{0x66, 0x33, 0x99, 255}, true
	}
	c, ok := colornames.Map[name]
	return color.NRGBA(c), ok
}

// component is one argument of a colour function.
type component struct {
	value float64
	unit  unit
	none  bool
	at    int
}

func (p *scanner) colorFunction(w word) (color.NRGBA, error) {
	isRGB := w.is("rgb") || w.is("rgba")
	isHSL := w.is("hsl") || w.is("hsla")
	if !isRGB && !isHSL && !w.is("hwb") {
		return color.NRGBA{}, p.fail(colorExpected)
	}
	p.i += w.n + 1
	args, commas, err := p.components()
	if err != nil {
		return color.NRGBA{}, err
	}
	var c color.NRGBA
	switch {
	case isRGB:
		c, err = p.rgb(args, commas)
	case commas && !isHSL:
		err = p.failAt(args[1].at, "hwb() without commas")
	default:
		c, err = p.hueColor(args, commas, isHSL)
	}
	if err != nil {
		return color.NRGBA{}, err
	}
	c.A, err = p.alpha(args[3])
	return c, err
}

// components reads the three components and the alpha of a colour function up
// to its closing parenthesis, and reports whether commas separate them.
func (p *scanner) components() (args [4]component, commas bool, err error) {
	args[3] = component{value: 1}
	for i := range args {
		p.space()
		if i == 3 {
			separator := byte('/')
			if commas {
				separator = ','
			}
			if !p.take(separator) {
				break
			}
			p.space()
		} else if i > 0 {
			comma := p.take(',')
			if i == 1 {
				commas = comma
			}
			if comma != commas {
				return args, commas, p.fail("the same separator between all components")
			}
			p.space()
		}
		if args[i], err = p.component(); err != nil {
			return args, commas, err
		}
	}
	for _, a := range args {
		if a.none && commas {
			return args, commas, p.failAt(a.at, "a number")
		}
	}
	p.space()
	if !p.take(')') {
		return args, commas, p.fail(") at the end of the color")
	}
	return args, commas, nil
}

func (p *scanner) component() (component, error) {
	at := p.i
	if p.takeWord("none") {
		return component{none: true, at: at}, nil
	}
	v, u, err := p.number("a number or percentage")
	return component{value: v, unit: u, at: at}, err
}

// rgb converts red, green and blue. With commas they must be all numbers or all
// percentages.
func (p *scanner) rgb(args [4]component, commas bool) (color.NRGBA, error) {
	var v [3]uint8
	for i, a := range args[:3] {
		if commas && a.unit != args[0].unit || a.unit > percent {
			return color.NRGBA{}, p.failAt(a.at, "only numbers or only percentages")
		}
		level := a.value
		if a.unit == percent {
			level = level * 255 / 100
		}
		v[i] = level8(level)
	}
	return color.NRGBA{v[0], v[1], v[2], 255}, nil
}

// hueColor converts the components of hsl() or hwb().
func (p *scanner) hueColor(args [4]component, commas, isHSL bool) (color.NRGBA, error) {
	hue := args[0].value
	if args[0].unit != noUnit {
		d, ok := args[0].unit.degrees(hue)
		if !ok {
			return color.NRGBA{}, p.failAt(args[0].at, "a hue")
		}
		hue = d
	}
	var part [2]float64
	for i, a := range args[1:3] {
		if !a.none && a.unit != percent && (commas || a.unit != noUnit) {
			return color.NRGBA{}, p.failAt(a.at, "a percentage")
		}
		part[i] = min(max(a.value/100, 0), 1)
	}
	if hue = math.Mod(hue, 360); hue < 0 {
		hue += 360
	}
	if isHSL {
		return opaque(colorful.Hsl(hue, part[0], part[1])), nil
	}
	return opaque(hwb(hue, part[0], part[1])), nil
}

// hwb converts hue, whiteness and blackness: it is HSV with two of its axes
// turned.
func hwb(hue, white, black float64) colorful.Color {
	if sum := white + black; sum >= 1 {
		grey := white / sum
		return colorful.Color{R: grey, G: grey, B: grey}
	}
	value := 1 - black
	return colorful.Hsv(hue, 1-white/value, value)
}

func opaque(c colorful.Color) color.NRGBA {
	return color.NRGBA{level8(c.R * 255), level8(c.G * 255), level8(c.B * 255), 255}
}

func (p *scanner) alpha(a component) (uint8, error) {
	switch a.unit {
	case noUnit:
		return level8(a.value * 255), nil
	case percent:
		return level8(a.value * 255 / 100), nil
	default:
		return 0, p.failAt(a.at, "an alpha number or percentage")
	}
}

// level8 rounds a level from 0 to 255, and clamps any other. A half that has
// lost its last bits to a conversion is still a half.
func level8(v float64) uint8 {
	const lost = 1e-9
	return uint8(min(max(v, 0), 255) + 0.5 + lost)
}
