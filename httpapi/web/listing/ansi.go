package listing

import (
	"strconv"
	"strings"
)

// A pen is how a terminal writes after the sequences "Select Graphic Rendition"
// (ECMA-48, section 8.3.117) that it has read. Colours are 1 + an index into
// the 256 colours of xterm; 0 is the terminal's own.
type pen struct {
	text, back                                       uint16
	bold, faint, italic, underline, inverse, striked bool
}

// ansi writes a line with the escape sequences of terminals as colours. Those
// that are no colours are left out.
func (w *writer) ansi(p *pen, line string) {
	for {
		i := strings.IndexByte(line, 0x1b)
		if i < 0 {
			w.mark(p.class(), line)
			return
		}
		w.mark(p.class(), line[:i])
		n := escapeLength(line[i:])
		if n > 2 && line[i+1] == '[' && line[i+n-1] == 'm' {
			p.apply(line[i+2 : i+n-1])
		}
		line = line[i+n:]
	}
}

// escapeLength returns the length of the sequence that s starts with: CSI with
// its parameters, a string such as OSC up to its end, or two bytes. One that
// does not end is cut at the first byte that cannot belong to it.
func escapeLength(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				return i
			}
		}
		return len(s)
	case ']', 'P', '_', '^', 'X':
		return stringLength(s)
	case '(', ')', '*', '+':
		return min(3, len(s))
	default:
		if s[1] >= 0x80 {
			return 1
		}
		return 2
	}
}

// stringLength is escapeLength for what ends with BEL or ESC \.
func stringLength(s string) int {
	for i := 2; i < len(s); i++ {
		if s[i] == 0x07 {
			return i + 1
		}
		if s[i] == 0x1b {
			if i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
			return i
		}
	}
	return 2
}

// apply takes over the parameters of one sequence, such as "1;38;5;208".
func (p *pen) apply(params string) {
	for first := true; first || params != ""; first = false {
		var code int
		code, params = parameter(params)
		switch code {
		case 38:
			p.text, params = extended(params, p.text)
		case 48:
			p.back, params = extended(params, p.back)
		default:
			p.set(code)
		}
	}
}

func parameter(params string) (code int, rest string) {
	head, rest, _ := strings.Cut(params, ";")
	code, err := strconv.Atoi(head)
	if err != nil && head != "" {
		code = -1
	}
	return code, rest
}

func (p *pen) set(code int) {
	switch {
	case code == 0:
		*p = pen{}
	case code == 1:
		p.bold = true
	case code == 2:
		p.faint = true
	case code == 3:
		p.italic = true
	case code == 4, code == 21:
		p.underline = true
	case code == 7:
		p.inverse = true
	case code == 9:
		p.striked = true
	case code == 22:
		p.bold, p.faint = false, false
	case code == 23:
		p.italic = false
	case code == 24:
		p.underline = false
	case code == 27:
		p.inverse = false
	case code == 29:
		p.striked = false
	case code == 39:
		p.text = 0
	case code == 49:
		p.back = 0
	case code >= 30 && code <= 37:
		p.text = uint16(code - 29)
	case code >= 40 && code <= 47:
		p.back = uint16(code - 39)
	case code >= 90 && code <= 97:
		p.text = uint16(code - 81)
	case code >= 100 && code <= 107:
		p.back = uint16(code - 91)
	}
}

// extended reads what follows 38 or 48: 5 and an index, or 2 and red, green and
// blue, which become the nearest of the 256. What cannot be read changes
// nothing.
func extended(params string, was uint16) (now uint16, rest string) {
	kind, rest := parameter(params)
	switch kind {
	case 5:
		i, rest := parameter(rest)
		if i < 0 || i > 255 {
			return was, rest
		}
		return uint16(i + 1), rest
	case 2:
		var c [3]int
		for i := range c {
			c[i], rest = parameter(rest)
			if c[i] < 0 || c[i] > 255 {
				return was, rest
			}
		}
		return nearest(c) + 1, rest
	default:
		return was, rest
	}
}

// nearest returns the index of the nearest colour in the cube of 6×6×6 or the
// ramp of greys.
func nearest(c [3]int) uint16 {
	if c[0] == c[1] && c[1] == c[2] && c[0] >= 8 && c[0] <= 238 {
		return uint16(232 + min(23, (c[0]-3)/10))
	}
	r, g, b := cubeStep(c[0]), cubeStep(c[1]), cubeStep(c[2])
	return uint16(16 + 36*r + 6*g + b)
}

// cubeStep returns which of 0, 95, 135, 175, 215, 255 is nearest.
func cubeStep(v int) int {
	if v < 48 {
		return 0
	}
	return max(1, (v-35)/40)
}

// class returns the classes of the pen, "" for a plain one.
func (p *pen) class() string {
	if *p == (pen{}) {
		return ""
	}
	var names []string
	add := func(is bool, name string) {
		if is {
			names = append(names, name)
		}
	}
	text, back := p.text, p.back
	if p.inverse {
		add(text == 0 && back == 0, "v")
		text, back = back, text
	}
	if text > 0 {
		names = append(names, "f"+strconv.Itoa(int(text-1)))
	}
	if back > 0 {
		names = append(names, "b"+strconv.Itoa(int(back-1)))
	}
	add(p.bold, "B")
	add(p.faint, "D")
	add(p.italic, "I")
	add(p.underline, "U")
	add(p.striked, "X")
	return strings.Join(names, " ")
}
