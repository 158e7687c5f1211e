package terminal

import (
	"strconv"
	"strings"
)

// A Style is the appearance of text after "Select Graphic Rendition" sequences
// (ECMA-48, section 8.3.117). The zero Style is the terminal's default. Styles
// are comparable.
type Style struct {
	Foreground, Background                                 Color
	Bold, Faint, Italic, Underline, Inverse, Strikethrough bool
}

// A Color is a colour of a terminal: its default, which is the zero Color, one
// of the 256 of its palette, or any colour of sRGB.
type Color uint32

const (
	indexed Color = 1 << 24
	direct  Color = 2 << 24
)

// Indexed returns a colour of the palette: 0 to 7 are the standard colours, 8
// to 15 the bright ones, 16 to 231 xterm's cube of 6×6×6, the others greys.
func Indexed(i uint8) Color { return indexed | Color(i) }

// RGB returns the colour with the given components.
func RGB(r, g, b uint8) Color { return direct | Color(r)<<16 | Color(g)<<8 | Color(b) }

// Index returns the index of a colour in the palette, or of the nearest one in
// xterm's cube and greys. It returns false for the default colour.
func (c Color) Index() (i uint8, ok bool) {
	if r, g, b, is := c.RGB(); is {
		return nearest(int(r), int(g), int(b)), true
	}
	return uint8(c), c != 0
}

// RGB returns the components of a colour that was made from them.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c&direct != 0
}

// Cube returns the components of a colour of the palette from 16 on: xterm's
// cube of 6×6×6, followed by 24 greys.
func Cube(i uint8) (r, g, b uint8) {
	if i >= 232 {
		grey := 8 + 10*(i-232)
		return grey, grey, grey
	}
	steps := [6]uint8{0, 95, 135, 175, 215, 255}
	i -= 16
	return steps[i/36], steps[i/6%6], steps[i%6]
}

// nearest returns the index of the nearest colour in xterm's cube or greys.
func nearest(r, g, b int) uint8 {
	if r == g && g == b && r >= 8 && r <= 238 {
		return uint8(232 + min(23, (r-3)/10))
	}
	return uint8(16 + 36*cubeStep(r) + 6*cubeStep(g) + cubeStep(b))
}

// cubeStep returns the index of the nearest of 0, 95, 135, 175, 215 and 255.
func cubeStep(v int) int {
	if v < 48 {
		return 0
	}
	return max(1, (v-35)/40)
}

// apply applies a sequence if it is Select Graphic Rendition.
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

// set applies a parameter that is not about colours.
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

// setColor applies a parameter for one of the first 16 colours or the default:
// 30 to 39, 40 to 49, 90 to 97 or 100 to 107.
func (s *Style) setColor(code int) {
	color := &s.Foreground
	if code/10 == 4 || code/10 == 10 {
		color = &s.Background
	}
	switch digit := uint8(code % 10); {
	case code >= 50 && code < 90:
	case digit < 8 && code >= 90:
		*color = Indexed(digit + 8)
	case digit < 8:
		*color = Indexed(digit)
	case digit == 9 && code < 50:
		*color = 0
	}
}

// controlSequence returns the final byte of a control sequence, which
// determines its function, and its parameters, or 0 for any other sequence.
// Parameters that start with one of <=>? are private to terminals and mean
// something else.
func controlSequence(sequence string) (final byte, params parameters) {
	if len(sequence) < 3 || sequence[1] != '[' || strings.IndexByte("<=>?", sequence[2]) >= 0 {
		return 0, ""
	}
	last := len(sequence) - 1
	return sequence[last], parameters(sequence[2:last])
}

// parameters are the unread ones of one sequence, such as "1;38;5;208" or
// "4:3;38:2::255:0:0".
type parameters string

// next removes the first parameter and returns its value, 0 for an empty one
// and -1 for one that is not a number, and the text after its colon.
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

// color reads the colour after 38 or 48, separated by colons or semicolons: 5
// and an index, or 2 and red, green and blue. It returns was if that is
// invalid.
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
