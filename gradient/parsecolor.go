package gradient

import (
	"image/color"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"
)

// isHex6 reports whether s is #RRGGBB.
func isHex6(s string) bool {
	_, ok := hexColor(strings.TrimPrefix(s, "#"))
	return ok && len(s) == 7
}

// hexColor parses the hex digits of a colour: 3, 4, 6 or 8, as in CSS.
func hexColor(digits string) (c color.NRGBA, ok bool) {
	if len(digits) == 3 || len(digits) == 4 {
		for i := len(digits) - 1; i >= 0; i-- { // each twice
			digits = digits[:i+1] + digits[i:]
		}
	}
	v, err := strconv.ParseUint(digits, 16, 32)
	if len(digits) == 6 {
		v = v<<8 | 0xff
	}
	return color.NRGBA{uint8(v >> 24), uint8(v >> 16), uint8(v >> 8), uint8(v)}, err == nil && (len(digits) == 6 || len(digits) == 8)
}

// ParseColor parses a colour of CSS Color 4: hex with 3, 4, 6 or 8 digits,
// rgb(), rgba(), hsl() and hsla() with or without commas, hwb(), lab(), lch(),
// oklab(), oklch(), color() in a [Space] of RGB, the 148 names and transparent.
// It ignores case and surrounding white space. Components out of range are
// clamped as in CSS. It does not read calc() and color-mix().
//
// The error is a [*ParseError].
func ParseColor(s string) (Color, error) {
	p := newScanner(s)
	c := p.color()
	if err := p.finish("color"); err != nil {
		return Color{}, err
	}
	return c, nil
}

const colorExpected = "a color"

func (p *scanner) color() Color {
	switch p.kind {
	case functionToken:
		return p.colorFunction()
	case hashToken:
		if c, ok := hexColor(p.word[1:]); ok {
			p.advance()
			return ColorOf(c)
		}
		p.fail("a color of 3, 4, 6 or 8 hex digits")
	case nameToken:
		if c, ok := namedColor(p.word); ok {
			p.advance()
			return ColorOf(c)
		}
	case noToken, numberToken, signToken:
	}
	p.fail(colorExpected)
	return Color{}
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
	token

	none bool
}

// legacyFunctions are the colour functions that are older than CSS Color 4.
// Commas may separate their components.
var legacyFunctions = map[string]Space{"rgb": SRGB, "rgba": SRGB, "hsl": HSL, "hsla": HSL}

func (p *scanner) colorFunction() Color {
	name := strings.TrimSuffix(p.word, "(")
	space, legacy := legacyFunctions[name]
	if i := slices.Index(spaceNames, name); i >= 0 && spaces[i].kinds != "RGB" {
		space = Space(name)
	} else if name == "color-mix" {
		p.fail(colorExpected + "; color-mix() is not supported")
	} else if !legacy && name != "color" {
		p.fail(colorExpected)
	}
	p.advance()
	if name == "color" {
		at := p.at
		i, ok := p.takeOneOf(spaceNames)
		if space = spaces[i].name; !ok || spaces[i].kinds != "RGB" {
			p.failAt(at, "srgb, srgb-linear or display-p3")
		}
	}
	args, commas := p.components()
	if commas && !legacy {
		p.failAt(args[1].at, name+"() without commas")
	}
	c := Color{Space: space, legacy: legacy || space == HWB}
	for i, a := range args {
		c.Missing[i] = a.none
		if i < 3 {
			c.Components[i] = p.level(c, i, args, commas)
		}
	}
	c.Alpha = p.alpha(args[3])
	return c
}

// components parses the three components and the alpha of a colour function up
// to its closing parenthesis, and reports whether commas separate them.
func (p *scanner) components() (args [4]component, commas bool) {
	for i := range 3 {
		comma := i > 0 && p.take(",")
		if i == 1 {
			commas = comma
		}
		if i > 0 && comma != commas {
			p.fail("the same separator between all components")
		}
		args[i] = p.component(commas)
	}
	separator := "/"
	if commas {
		separator = ","
	}
	args[3].value = 1
	if p.take(separator) {
		args[3] = p.component(commas)
	}
	if args[0].none && commas {
		p.failAt(args[0].at, "a number")
	}
	p.expect(")", ") at the end of the color")
	return args, commas
}

func (p *scanner) component(commas bool) component {
	c := component{p.token, p.is("none")}
	switch {
	case c.none && commas:
		p.fail("a number")
	case c.none:
		p.advance()
	default:
		p.takeNumber("a number or percentage")
	}
	return c
}

// level converts a component to the units of its space and clamps it as CSS
// does.
func (p *scanner) level(c Color, i int, args [4]component, commas bool) float64 {
	a, s, row := args[i], c.Space, c.Space.row()
	if a.none {
		return 0
	}
	if i == row.hueIndex() {
		if a.unit != noUnit && a.unit != deg {
			p.failAt(a.at, "a hue")
		}
		return reduced(a.value)
	}
	v, whole := a.value, row.whole[i]
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
	switch kind := row.kinds[i]; {
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
