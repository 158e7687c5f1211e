package gradient

import (
	"image/color"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"
)

// strictHex parses #RRGGBB.
func strictHex(s string) (color.NRGBA, bool) {
	if len(s) != 7 || s[0] != '#' {
		return color.NRGBA{}, false
	}
	return hexColor(s[1:])
}

// hexColor parses the hex digits of a colour: 3, 4, 6 or 8, as in CSS.
func hexColor(digits string) (color.NRGBA, bool) {
	v, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		return color.NRGBA{}, false
	}
	switch len(digits) {
	case 3:
		return color.NRGBA{uint8(v>>8) * 17, uint8(v>>4&15) * 17, uint8(v&15) * 17, 255}, true
	case 4:
		return color.NRGBA{uint8(v>>12) * 17, uint8(v>>8&15) * 17, uint8(v>>4&15) * 17, uint8(v&15) * 17}, true
	case 6:
		return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}, true
	case 8:
		return color.NRGBA{uint8(v >> 24), uint8(v >> 16), uint8(v >> 8), uint8(v)}, true
	}
	return color.NRGBA{}, false
}

// ParseColor parses a colour of CSS Color 4: hex with 3, 4, 6 or 8 digits,
// rgb(), rgba(), hsl() and hsla() with or without commas, hwb(), lab(), lch(),
// oklab(), oklch(), color() in a [Space] of RGB, the 148 names and transparent.
// It ignores case and surrounding white space. Components out of range are
// clamped as in CSS. It does not read calc() and color-mix().
//
// The error is a [*ParseError].
func ParseColor(s string) (Color, error) {
	if err := checkLength(s); err != nil {
		return Color{}, err
	}
	p := scanner{s: s}
	p.space()
	c := p.color()
	if !p.end() {
		p.fail("nothing after the color")
	}
	if p.err != nil {
		return Color{}, p.err
	}
	return c, nil
}

const colorExpected = "a color"

func (p *scanner) color() Color {
	if p.peek() == '#' {
		return p.hex()
	}
	w := p.peekWord()
	if w != "" && strings.HasPrefix(p.s[p.i+len(w):], "(") {
		return p.colorFunction(w)
	}
	c, ok := namedColor(w)
	if !ok {
		p.fail(colorExpected)
		return Color{}
	}
	p.i += len(w)
	return ColorOf(c)
}

func (p *scanner) hex() Color {
	start := p.i
	end := start + 1
	for end < len(p.s) && end <= start+9 && isWordByte(p.s[end]) {
		end++
	}
	c, ok := hexColor(p.s[start+1 : end])
	if !ok {
		p.fail("a color of 3, 4, 6 or 8 hex digits")
		return Color{}
	}
	p.i = end
	return ColorOf(c)
}

// namedColor looks up a lower-case name. The table of x/image has the names of
// SVG 1.1; CSS has since added one.
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

// legacyFunctions are the colour functions that are older than CSS Color 4.
// Commas may separate their components.
var legacyFunctions = map[string]Space{"rgb": SRGB, "rgba": SRGB, "hsl": HSL, "hsla": HSL}

func (p *scanner) colorFunction(name string) Color {
	space, legacy := legacyFunctions[name]
	named := name == "color"
	if !legacy && !named {
		i := slices.Index(spaceNames, name)
		switch {
		case name == "color-mix":
			p.fail(colorExpected + "; color-mix() is not supported")
			return Color{}
		case i < 0, spaces[i].kinds == "RGB":
			p.fail(colorExpected)
			return Color{}
		}
		space = Space(i)
	}
	p.i += len(name) + 1
	if named {
		space = p.colorSpace()
	}
	args, commas := p.components()
	if commas && !legacy {
		p.failAt(args[1].at, name+"() without commas")
	}
	c := Color{Space: space, legacy: legacy || space == HWB}
	for i, a := range args[:3] {
		c.Missing[i] = a.none
		c.Components[i] = p.value(c, i, args, commas)
	}
	c.Missing[3] = args[3].none
	c.Alpha = p.alpha(args[3])
	return c
}

// colorSpace parses the space of color().
func (p *scanner) colorSpace() Space {
	p.space()
	at := p.i
	i, ok := p.takeOneOf(spaceNames)
	if !ok || spaces[i].kinds != "RGB" {
		p.failAt(at, "srgb, srgb-linear or display-p3")
	}
	return Space(i)
}

// components parses the three components and the alpha of a colour function up
// to its closing parenthesis, and reports whether commas separate them.
func (p *scanner) components() (args [4]component, commas bool) {
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
		} else if i > 0 {
			comma := p.take(',')
			if i == 1 {
				commas = comma
			}
			if comma != commas {
				p.fail("the same separator between all components")
			}
		}
		p.space()
		args[i] = p.component()
	}
	for _, a := range args {
		if a.none && commas {
			p.failAt(a.at, "a number")
		}
	}
	p.space()
	p.expect(')', ") at the end of the color")
	return args, commas
}

func (p *scanner) component() component {
	at := p.i
	if p.takeWord("none") {
		return component{none: true, at: at}
	}
	v, u := p.number("a number or percentage")
	return component{value: v, unit: u, at: at}
}

// value converts a component to the units of its space and clamps it as CSS
// does.
func (p *scanner) value(c Color, i int, args [4]component, commas bool) float64 {
	a, s := args[i], c.Space
	if a.none {
		return 0
	}
	if i == s.hueIndex() {
		if a.unit != noUnit && a.unit != deg {
			p.failAt(a.at, "a hue")
		}
		return reduced(a.value)
	}
	v, whole := a.value, spaces[s].whole[i]
	switch {
	case s == SRGB && (commas && a.unit != args[0].unit || a.unit > percent):
		p.failAt(a.at, "only numbers or only percentages")
	case (s == HSL || s == HWB) && a.unit != percent && (commas || a.unit != noUnit):
		p.failAt(a.at, "a percentage")
	case a.unit > percent:
		p.failAt(a.at, "a number or percentage")
	case a.unit == percent:
		v = v / 100 * whole
	case s == SRGB && c.legacy:
		v /= 255
	}
	switch kind := spaces[s].kinds[i]; {
	case c.legacy, kind == 'l':
		return min(max(v, 0), whole)
	case kind == 'c':
		return min(max(v, 0), maxPosition)
	}
	return min(max(v, -maxPosition), maxPosition)
}

func (p *scanner) alpha(a component) float64 {
	if a.unit > percent {
		p.failAt(a.at, "an alpha number or percentage")
	}
	if a.unit == percent {
		a.value /= 100
	}
	return min(max(a.value, 0), 1)
}

// level8 rounds a level and clamps it to 0 to 255. It also rounds up a half
// whose last bits a conversion has lost.
func level8(v float64) uint8 {
	const lost = 1e-9
	return uint8(min(max(v, 0), 255) + 0.5 + lost)
}
