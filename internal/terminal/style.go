package terminal

import (
	"strconv"
	"strings"
)

// A Style is the look of text after the sequences "Select Graphic Rendition"
// (ECMA-48, section 8.3.117) that were read. The zero Style is the terminal's
// own. Styles can be compared.
type Style struct {
	Foreground, Background                                 Color
	Bold, Faint, Italic, Underline, Inverse, Strikethrough bool
}

// A Color is one of a terminal's: its own, which is the zero Color, one of the
// 256 of its palette, or any colour of sRGB.
type Color uint32

const (
	indexed Color = 1 << 24
	direct  Color = 2 << 24
)

// Indexed returns a colour of the palette: 0 to 7 are the standard colours, 8
// to 15 the bright ones, 16 to 231 xterm's cube of 6×6×6, the others greys.
func Indexed(i uint8) Color { return indexed | Color(i) }

// RGB returns a colour by its parts.
func RGB(r, g, b uint8) Color { return direct | Color(r)<<16 | Color(g)<<8 | Color(b) }

// Index returns where a colour stands in the palette, or the nearest one in
// xterm's cube and greys. It is false for the terminal's own colour.
func (c Color) Index() (i uint8, ok bool) {
	if r, g, b, is := c.RGB(); is {
		return nearest(int(r), int(g), int(b)), true
	}
	return uint8(c), c != 0
}

// RGB returns the parts of a colour that was given by them.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c&direct != 0
}

// Cube returns a colour of the palette from 16 on: xterm's cube of 6×6×6, and
// behind it 24 greys.
func Cube(i uint8) (r, g, b uint8) {
	if i >= 232 {
		grey := 8 + 10*(i-232)
		return grey, grey, grey
	}
	steps := [6]uint8{0, 95, 135, 175, 215, 255}
	i -= 16
	return steps[i/36], steps[i/6%6], steps[i%6]
}

// nearest finds a colour in xterm's cube, or in its greys.
func nearest(r, g, b int) uint8 {
	if r == g && g == b && r >= 8 && r <= 238 {
		return uint8(232 + min(23, (r-3)/10))
	}
	return uint8(16 + 36*cubeStep(r) + 6*cubeStep(g) + cubeStep(b))
}

// cubeStep returns which of 0, 95, 135, 175, 215 and 255 is nearest.
func cubeStep(v int) int {
	if v < 48 {
		return 0
	}
	return max(1, (v-35)/40)
}

// apply takes over a sequence if it selects a look.
func (s *Style) apply(sequence string) {
	final, params := controlSequence(sequence)
	if final != 'm' {
		return
	}
	for more := true; more; more = params != "" {
		code, sub := params.next()
		switch {
		case code == 38:
			s.Foreground = params.color(sub, s.Foreground)
		case code == 48:
			s.Background = params.color(sub, s.Background)
		case code == 58: // colour of the underline
			params.color(sub, 0)
		case code >= 30 && code <= 109:
			s.setColor(code)
		default:
			s.set(code, sub)
		}
	}
}

// set takes a parameter that is not about colours.
func (s *Style) set(code int, sub parameters) {
	switch code {
	case 0:
		*s = Style{}
	case 1:
		s.Bold = true
	case 2:
		s.Faint = true
	case 3, 23:
		s.Italic = code == 3
	case 4, 21:
		s.Underline = sub != "0"
	case 7, 27:
		s.Inverse = code == 7
	case 9, 29:
		s.Strikethrough = code == 9
	case 22:
		s.Bold, s.Faint = false, false
	case 24:
		s.Underline = false
	}
}

// setColor takes a parameter that names one of the first 16 colours.
func (s *Style) setColor(code int) {
	switch {
	case code == 39:
		s.Foreground = 0
	case code == 49:
		s.Background = 0
	case code < 38:
		s.Foreground = Indexed(uint8(code - 30))
	case code >= 40 && code < 48:
		s.Background = Indexed(uint8(code - 40))
	case code >= 90 && code < 98:
		s.Foreground = Indexed(uint8(code - 82))
	case code >= 100 && code < 108:
		s.Background = Indexed(uint8(code - 92))
	}
}

// controlSequence returns the final byte of a control sequence, which says what
// it is for, and its parameters; for others 0. Parameters that start with one of
// <=>? are private to terminals and mean something else.
func controlSequence(sequence string) (final byte, params parameters) {
	if len(sequence) < 3 || sequence[1] != '[' || strings.IndexByte("<=>?", sequence[2]) >= 0 {
		return 0, ""
	}
	last := len(sequence) - 1
	return sequence[last], parameters(sequence[2:last])
}

// parameters are those of one sequence that are still to be read, such as
// "1;38;5;208" or "4:3;38:2::255:0:0".
type parameters string

// next returns the first parameter, 0 for an empty one and -1 for one that is
// no number, with what stands behind its colon.
func (p *parameters) next() (code int, sub parameters) {
	head, rest, _ := strings.Cut(string(*p), ";")
	*p = parameters(rest)
	head, colon, _ := strings.Cut(head, ":")
	return number(head), parameters(colon)
}

func number(s string) int {
	if s == "" {
		return 0
	}
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil {
		return -1
	}
	return int(n)
}

// color reads what follows 38 or 48, behind colons or behind semicolons: 5 and
// an index, or 2 and red, green and blue. What cannot be read changes nothing.
func (p *parameters) color(sub parameters, was Color) Color {
	if sub != "" {
		sub = parameters(strings.ReplaceAll(string(sub), ":", ";"))
		if strings.Count(string(sub), ";") == 4 {
			sub = "2;" + sub[strings.IndexByte(string(sub[2:]), ';')+3:] // without the colour space
		}
		p = &sub
	}
	kind, _ := p.next()
	switch kind {
	case 5:
		if i, _ := p.next(); i >= 0 && i <= 255 {
			return Indexed(uint8(i))
		}
	case 2:
		r, _ := p.next()
		g, _ := p.next()
		b, _ := p.next()
		if min(r, g, b) >= 0 && max(r, g, b) <= 255 {
			return RGB(uint8(r), uint8(g), uint8(b))
		}
	}
	return was
}
