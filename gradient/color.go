package gradient

import (
	"image/color"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"

	"github.com/devkiln/devkiln/gradient/internal/colorspace"
)

// strictHex parses #RRGGBB or, with alpha, #RRGGBBAA.
func strictHex(s string, alpha bool) (color.NRGBA, bool) {
	if len(s) != 7 && (len(s) != 9 || !alpha) || s[0] != '#' {
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

// ParseColor parses a CSS colour as [ParseWideColor] does, and returns it as
// browsers paint it in sRGB, with eight bits per channel.
//
// The error is a [*ParseError].
func ParseColor(s string) (color.NRGBA, error) {
	c, err := ParseWideColor(s)
	return c.NRGBA(), err
}

// ParseWideColor parses a colour of CSS Color 4: hex with 3, 4, 6 or 8 digits,
// rgb(), rgba(), hsl() and hsla() with or without commas, hwb(), lab(), lch(),
// oklab(), oklch(), color(), color-mix() of two colours, the 148 names and
// transparent. It ignores case and surrounding white space. Components may be
// calc(); those out of range are clamped as in CSS.
//
// The error is a [*ParseError].
func ParseWideColor(s string) (Color, error) {
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

// colorSyntax describes the components of a colour function.
type colorSyntax struct {
	space  Space
	whole  [3]float64 // the value that 100 % stands for
	commas bool       // whether commas may separate them
}

var colorSyntaxes = map[string]colorSyntax{
	"rgb":   {SRGB, [3]float64{1, 1, 1}, true},
	"rgba":  {SRGB, [3]float64{1, 1, 1}, true},
	"hsl":   {HSL, [3]float64{0, 100, 100}, true},
	"hsla":  {HSL, [3]float64{0, 100, 100}, true},
	"hwb":   {HWB, [3]float64{0, 100, 100}, false},
	"lab":   {Lab, [3]float64{100, 125, 125}, false},
	"lch":   {LCH, [3]float64{100, 150, 0}, false},
	"oklab": {OKLab, [3]float64{1, 0.4, 0.4}, false},
	"oklch": {OKLCH, [3]float64{1, 0.4, 0}, false},
	"color": {SRGB, [3]float64{1, 1, 1}, false},
}

func (p *scanner) colorFunction(name string) Color {
	if name == "color-mix" {
		return p.colorMix()
	}
	syntax, ok := colorSyntaxes[name]
	if !ok {
		p.fail(colorExpected)
		return Color{}
	}
	p.i += len(name) + 1
	named := name == "color"
	if named {
		syntax.space = p.colorSpace()
	}
	args, commas := p.components()
	if commas && !syntax.commas {
		p.failAt(args[1].at, name+"() without commas")
	}
	c := Color{Space: syntax.space, legacy: !named && (syntax.commas || syntax.space == HWB)}
	for i, a := range args[:3] {
		c.Missing[i] = a.none
		c.Components[i] = p.value(syntax, i, args, commas, c.legacy)
	}
	c.Missing[3] = args[3].none
	c.Alpha = p.alpha(args[3])
	return c
}

// colorSpace parses the space of color().
func (p *scanner) colorSpace() Space {
	p.space()
	at := p.i
	s, ok := p.takeSpace()
	if !ok || s.componentKinds() != "RGB" {
		p.failAt(at, "a color space of RGB or XYZ")
	}
	return s
}

// takeSpace skips the name of a colour space if one is next.
func (p *scanner) takeSpace() (Space, bool) {
	if p.takeWord("xyz") {
		return XYZ, true
	}
	i, ok := p.takeOneOf(spaceNames)
	return Space(i), ok
}

// colorMix parses color-mix() of two colours.
func (p *scanner) colorMix() Color {
	const deepest = 16
	if p.depth++; p.depth > deepest {
		p.fail("at most 16 nested colors")
		return Color{}
	}
	defer func() { p.depth-- }()
	p.i += len("color-mix(")
	p.space()
	if !p.takeWord("in") {
		p.fail("in")
	}
	space, hue := p.interpolation()
	var colors [2]Color
	shares := [2]float64{-1, -1}
	for i := range colors {
		p.comma()
		colors[i], shares[i] = p.share()
	}
	at := p.i
	p.expect(')', ") at the end of the color")
	shares = filledShares(shares)
	sum := shares[0] + shares[1]
	if sum == 0 {
		p.failAt(at, "percentages with a sum above 0")
	}
	if p.err != nil {
		return Color{}
	}
	c := mix(colors[0], colors[1], space, hue, shares[1]/sum)
	c.Alpha *= min(1, sum/100)
	if space == HSL || space == HWB {
		c = c.In(SRGB)
	}
	return c
}

// filledShares fills in omitted percentages, which are -1.
func filledShares(shares [2]float64) [2]float64 {
	switch {
	case shares[0] < 0 && shares[1] < 0:
		return [2]float64{50, 50}
	case shares[0] < 0:
		return [2]float64{100 - shares[1], shares[1]}
	case shares[1] < 0:
		return [2]float64{shares[0], 100 - shares[0]}
	}
	return shares
}

// share parses a colour and its percentage, which may precede it. An omitted
// percentage is -1.
func (p *scanner) share() (c Color, percentage float64) {
	percentage = p.mixPercentage()
	c = p.color()
	p.space()
	if percentage < 0 {
		percentage = p.mixPercentage()
	}
	return c, percentage
}

// mixPercentage parses a percentage, if one is next, and the space around it.
func (p *scanner) mixPercentage() float64 {
	p.space()
	if !p.atNumber() {
		return -1
	}
	const expected = "a percentage from 0 to 100"
	at := p.i
	v, u := p.number(expected)
	if u != percent || v < 0 || v > 100 {
		p.failAt(at, expected)
	}
	p.space()
	return v
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
func (p *scanner) value(syntax colorSyntax, i int, args [4]component, commas, legacy bool) float64 {
	a, s := args[i], syntax.space
	if a.none {
		return 0
	}
	if i == s.hueIndex() {
		if a.unit != noUnit && a.unit != deg {
			p.failAt(a.at, "a hue")
		}
		return colorspace.Turned(a.value)
	}
	v := a.value
	switch {
	case s == SRGB && (commas && a.unit != args[0].unit || a.unit > percent):
		p.failAt(a.at, "only numbers or only percentages")
	case (s == HSL || s == HWB) && a.unit != percent && (commas || a.unit != noUnit):
		p.failAt(a.at, "a percentage")
	case a.unit > percent:
		p.failAt(a.at, "a number or percentage")
	case a.unit == percent:
		v = v / 100 * syntax.whole[i]
	case s == SRGB && legacy:
		v /= 255
	}
	switch kind := s.componentKinds()[i]; {
	case legacy, kind == 'l':
		return min(max(v, 0), syntax.whole[i])
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
