package screenshot

import (
	"cmp"
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

// A Cost is an upper estimate of what rendering takes, made before anything is
// rendered, so that a server can decide whether and when to render.
type Cost struct {
	Pixels int           // of a PNG
	Memory int64         // peak memory in bytes, without the file
	Work   time.Duration // processor time, on a processor of 2020
}

// The cost of drawing, measured with the benchmarks of this package and rounded
// up. The memory is the sum of the limits for glyphs and for typeset code.
const (
	baseMemory    = 32 << 20
	runeMemory    = 1_000
	stripMemory   = 24                    // bytes per pixel of a strip: painted, filtered, compressed
	runeWork      = 30 * time.Microsecond // including the limit of a lexer
	pixelPicowork = 6_000                 // picoseconds
	stopPicowork  = 800                   // per colour stop of a gradient
)

// Cost estimates the cost of writing the picture as a PNG at a scale. It is
// fast: it only counts characters and lines.
func (c Config) Cost(scale float64) Cost {
	rows, columns := c.extent()
	cell := 0.6 * c.FontSize // of the embedded font
	width := max(float64(columns+10)*cell+2*insetX, minBarWidth+2*signsMargin+titleGrows*titleSize) + 2*c.Padding
	height := float64(rows)*math.Ceil(c.FontSize*cmp.Or(c.LineHeight, lineHeight)) + insetTop + insetBottom + 44 + 2*c.Padding
	width, height = widen(c.Ratio, width, height)
	pixels := math.Ceil(width*scale) * math.Ceil(height*scale)
	runes := int64(utf8.RuneCountInString(c.Code))
	stops := int64(strings.Count(c.Background, ","))
	return Cost{
		Pixels: int(pixels),
		Memory: baseMemory + runes*runeMemory + stripMemory*int64(rowsOfStrip(int(width*scale)))*int64(width*scale)*int64(max(1, c.Workers)),
		Work:   time.Duration(runes)*runeWork + time.Duration((pixels*pixelPicowork+min(pixels, 16<<20)*float64(stops*stopPicowork))/1000),
	}
}

// extent estimates the number of rows and columns of the code.
func (c Config) extent() (rows, columns int) {
	text := c.Code
	if c.Input == InputANSI {
		text = shownText(text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		n := c.columns(line)
		rows++
		if c.Columns > 0 && n > c.Columns {
			indent := c.columns(line[:len(line)-len(strings.TrimLeft(line, " \t"))])
			rows += 1 + 2*n/max(c.Columns/2, c.Columns-indent-2) // two consecutive rows hold more than one row can
			n = c.Columns
		}
		columns = max(columns, n)
	}
	if c.Input == InputPatch {
		columns += 12 // for the line numbers of both files
	}
	return min(rows, MaxLines), min(columns, maxRowColumns)
}

// columns estimates the number of columns of a text.
func (c Config) columns(text string) (n int) {
	for _, r := range text {
		switch {
		case r == '\t':
			n += cmp.Or(c.TabWidth, 4)
		case r < 0x300:
			n++
		default:
			n += 2
		}
	}
	return n
}
