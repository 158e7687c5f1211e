package screenshot

import (
	"cmp"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/devkiln/devkiln/gradient"
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
	// steepPicowork is for pixels of a gradient that is too steep for the table of
	// its painter. It is twelve times the cost of computing each in OKLCH, as where
	// the finer table is too coarse too, so that a server that refuses ten seconds
	// spends less than one.
	steepPicowork = 1_250_000
)

// Cost estimates the cost of writing the picture as a PNG at a scale. It is
// fast: it only counts characters and lines.
func (c Config) Cost(scale float64) Cost {
	rows, columns := c.extent()
	width := max(float64(columns+10)*0.6*c.FontSize+2*insetX, minBarWidth+2*signsMargin+titleGrows*titleSize) + 2*c.Padding
	height := float64(rows)*math.Ceil(c.FontSize*cmp.Or(c.LineHeight, lineHeight)) + insetTop + insetBottom + 44 + 2*c.Padding
	width, height, zoom := c.extend(width, height)
	if c.Size != "" {
		scale = zoom
	}
	pixels := math.Ceil(width*scale) * math.Ceil(height*scale)
	runes := int64(utf8.RuneCountInString(c.Code))
	return Cost{
		Pixels: int(pixels),
		Memory: baseMemory + runes*runeMemory + stripMemory*int64(rowsOfStrip(int(width*scale)))*int64(width*scale)*int64(max(1, c.Workers)),
		Work:   time.Duration(runes)*runeWork + time.Duration(pixels*(pixelPicowork+steepness(c.Background)*steepPicowork)/1000),
	}
}

// steepness estimates for what part of a background, from 0 to 1, the table of
// a [gradient.Painter] is too coarse.
func steepness(background string) (part float64) {
	const samples, maxChange = 1 << 10, 4 // levels; a cell of the table is a quarter of a sample
	g, _ := gradient.Parse(background)    // a colour is none, and the same throughout
	before := g.At(0)
	for i := range samples {
		after := g.At(float64(i+1) / samples)
		if max(distance(before.R, after.R), distance(before.G, after.G), distance(before.B, after.B)) > maxChange {
			part += 1.0 / samples
		}
		before = after
	}
	return part
}

func distance(a, b uint8) uint8 { return max(a, b) - min(a, b) }

// extent estimates the number of rows and columns of the code.
func (c Config) extent() (rows, columns int) {
	text := c.Code
	if c.Input == inputANSI {
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
	if c.Input == inputPatch {
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
