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

// What drawing takes, measured with the benchmarks of this package and rounded
// up. The memory is that of glyphs and of code that has been set, each at its
// bound.
const (
	baseMemory    = 32 << 20
	runeMemory    = 1_000
	stripMemory   = 24                    // for each pixel of a strip: painted, filtered, compressed
	runeWork      = 30 * time.Microsecond // with the most that a lexer may take
	pixelPicowork = 6_000                 // picoseconds
	stopPicowork  = 800                   // for each colour stop of a gradient
	sizePicowork  = 100_000               // for the smallest PNG
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
	pixelWork := float64(pixelPicowork)
	if c.Size == SizeSmallest {
		pixelWork = sizePicowork
	}
	return Cost{
		Pixels: int(pixels),
		Memory: baseMemory + runes*runeMemory + stripMemory*int64(rowsOfStrip(int(width*scale), c.Size))*int64(width*scale)*int64(max(1, c.Workers)),
		Work:   time.Duration(runes)*runeWork + time.Duration((pixels*pixelWork+min(pixels, 16<<20)*float64(stops*stopPicowork))/1000),
	}
}

// extent estimates how many rows and columns the code takes.
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
			rows += 1 + 2*n/max(c.Columns/2, c.Columns-indent-2) // two rows hold more than one could
			n = c.Columns
		}
		columns = max(columns, n)
	}
	if c.Input == InputPatch {
		columns += 12 // for the numbers in both files
	}
	return min(rows, MaxLines), min(columns, maxWide)
}

// columns estimates how many columns some text takes.
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
