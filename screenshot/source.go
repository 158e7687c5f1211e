package screenshot

import (
	"image/color"
	"strings"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/screenshot/internal/fonts"
	"github.com/devkiln/devkiln/screenshot/internal/rgb"
	"github.com/devkiln/devkiln/screenshot/internal/typeset"
)

// The values of [Extras.Input].
const (
	inputANSI  = "ansi"
	inputPatch = "patch"
)

// A line is a line of code to set.
type line struct {
	at       int // the line number in options
	old, new int // the numbers in the gutter; 0 for none
	mark     lineMark
	pieces   []typeset.Piece
}

// read returns the lines of a Config, at least one.
func (l *layout) read(c *Config) ([]line, error) {
	switch c.Input {
	case inputANSI:
		return l.terminalLines(c), nil
	case inputPatch:
		return l.patchLines(c)
	default:
		return l.codeLines(c), nil
	}
}

// codeLines highlights code.
func (l *layout) codeLines(c *Config) []line {
	code := highlight.Code(c.Code, c.Language)
	l.plain = code.Plain
	lines := make([]line, len(code.Lines))
	for i, tokens := range code.Lines {
		number := max(c.FirstLine, 1) + i
		lines[i] = line{number, 0, number, markOf(c.Extras, number), l.palette.pieces(tokens)}
	}
	return lines
}

// terminalLines interprets terminal output.
func (l *layout) terminalLines(c *Config) []line {
	var lines []line
	for i, runs := range terminal.Screen(c.Code, typeset.RuneCells) {
		number := max(c.FirstLine, 1) + i
		n := line{at: number, new: number, mark: markOf(c.Extras, number)}
		for _, r := range runs {
			n.pieces = append(n.pieces, typeset.Piece{Text: r.Text, Ink: l.palette.terminalInk(r.Style)})
		}
		lines = append(lines, n)
	}
	return lines
}

// shownText returns the text on the screen of a terminal.
func shownText(written string) string {
	var b strings.Builder
	for _, runs := range terminal.Screen(written, typeset.RuneCells) {
		for _, r := range runs {
			b.WriteString(r.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// terminalInk returns the ink of a terminal style. As in VS Code, bold text in
// a standard colour has the bright one.
func (p *palette) terminalInk(s terminal.Style) typeset.Ink {
	if i, ok := s.Foreground.Index(); ok && s.Bold && i < 8 {
		s.Foreground = terminal.Indexed(i + 8)
	}
	k := typeset.Ink{
		Color: p.terminalColor(s.Foreground, p.foreground), Behind: p.terminalColor(s.Background, color.NRGBA{}),
		Underline: s.Underline, Strike: s.Strikethrough,
	}
	behind := k.Behind
	if behind.A == 0 {
		behind = p.background
	}
	if s.Inverse {
		behind, k.Color, k.Behind = k.Color, behind, k.Color
	}
	if s.Faint {
		k.Color = rgb.Mix(behind, k.Color, 128)
	}
	if s.Bold {
		k.Style |= fonts.Bold
	}
	if s.Italic {
		k.Style |= fonts.Italic
	}
	return k
}

// terminalColor converts a terminal colour; own is the terminal's default.
func (p *palette) terminalColor(c terminal.Color, own color.NRGBA) color.NRGBA {
	r, g, b, direct := c.RGB()
	i, given := c.Index()
	switch {
	case !given:
		return own
	case direct:
	case i < 16:
		return p.terminal[i]
	default:
		r, g, b = terminal.Cube(i)
	}
	return color.NRGBA{r, g, b, 255}
}
