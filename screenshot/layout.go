package screenshot

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/screenshot/internal/fonts"
)

// What a picture may hold.
const (
	MaxLines   = 5_000     // rows of code, after wrapping
	maxWide    = 10_000    // columns of the longest row
	maxPixels  = 256 << 20 // pixels of a PNG
	maxWorkers = 16
)

// The measures of a window, in CSS pixels.
const (
	lineHeight   = 1.5 // times the font size
	barHeight    = 40
	insetX       = 20 // between the window and the code
	insetTop     = 18 // where there is no title bar
	insetBar     = 4  // below a title bar
	insetBottom  = 20
	minBarWidth  = 240
	controlsX    = 22 // centre of the first control from the window's edge
	controlsGap  = 20 // between their centres
	controlsSize = 12
	titleSize    = 13
	titleMargin  = 84 // kept free on both sides of a title
	titleGrows   = 40 // columns of a title that the window grows for
	gutterGap    = 2  // columns between the numbers and the code
	markSize     = 12 // of the watermark
	markMargin   = 14
)

// A layout is everything that is drawn, and where. The SVG and the PNG writer
// walk the same one. All measures are CSS pixels.
type layout struct {
	width, height float64
	window        box
	radius        float64
	shadow        bool
	framed        bool // the window is drawn
	controls      bool
	theme         palette
	background    background

	grid      grid
	gutter    int // columns before the code
	rows      []row
	title     *label
	watermark *label
}

// A box is a rectangle.
type box struct{ x, y, w, h float64 }

// A grid says where the cells of some text are.
type grid struct {
	x, y     float64 // of the first cell
	cell     float64 // width
	line     float64 // height
	baseline float64 // below the top of a line
	size     float64 // of the font
}

// A row is a line of the picture: a line of code, or a part of one.
type row struct {
	number []span // the number and the sign of a diff, in the gutter
	mark   lineMark
	spans  []span
}

// A lineMark is what sets a line off.
type lineMark uint8

const (
	unmarked lineMark = iota
	highlighted
	inserted
	deleted
)

// A label is one line of text outside the code.
type label struct {
	grid  grid
	spans []span
	cells int
}

// Size returns the size of the picture in CSS pixels: the size of the SVG, and
// of the PNG at a scale of 1. Its errors are those of [Config.WriteSVG].
func (c Config) Size(ctx context.Context) (width, height int, err error) {
	l, err := newLayout(ctx, c)
	if err != nil {
		return 0, 0, err
	}
	return int(l.width), int(l.height), nil
}

// newLayout lays a Config out.
func newLayout(ctx context.Context, c Config) (*layout, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	theme, _ := LookupTheme(c.Theme)
	bg, _ := parseBackground(c.Background)
	l := &layout{
		radius: c.BorderRadius, shadow: c.Shadow && !c.HideWindow, framed: !c.HideWindow,
		controls: c.WindowControls && !c.HideWindow, theme: newPalette(theme), background: bg,
	}
	f := newFaces(c.Extras, c.FontSize)
	l.grid = gridOf(f.of(0), c.FontSize)
	if err := l.setCode(ctx, c, f); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.arrange(c)
	return l, nil
}

// gridOf returns the grid of a face at a size: lines are whole pixels high,
// with the letters in their middle.
func gridOf(f *face, size float64) grid {
	extents, _ := f.FontHExtents()
	id, _ := f.NominalGlyph('0')
	scale := size / float64(f.Upem())
	up, down := float64(extents.Ascender)*scale, -float64(extents.Descender)*scale
	line := math.Round(size * lineHeight)
	return grid{cell: float64(f.HorizontalAdvance(id)) * scale, line: line, baseline: (line-up-down)/2 + up, size: size}
}

// setCode sets the rows.
func (l *layout) setCode(ctx context.Context, c Config, f *faces) error {
	if n := strings.Count(normalNewlines(c.Code), "\n") + 1; c.Lines == (LineRange{}) && n > MaxLines {
		return &OptionError{"code", "out_of_range", fmt.Sprintf("has %d lines, a picture has at most %d", n, MaxLines)}
	}
	lines := Highlight(ctx, c.Code, c.Language)
	first := max(c.FirstLine, 1)
	from, to := first, first+len(lines)-1
	if c.Lines != (LineRange{}) {
		from, to = max(from, c.Lines.From), min(to, max(c.Lines.From, c.Lines.To))
	}
	if from > to {
		return &OptionError{"lines", "out_of_range", fmt.Sprintf("must be among the lines %d to %d of the code", first, first+len(lines)-1)}
	}
	l.gutter = gutterColumns(c, to)
	t := newTypesetter(f, c.Extras)
	for number := from; number <= to && len(t.rows) <= MaxLines; number++ {
		before := len(t.rows)
		t.line(lines[number-first], l.theme.ink)
		mark := markOf(c.Extras, number)
		for i, spans := range t.rows[before:] {
			r := row{mark: mark, spans: spans}
			if i == 0 {
				r.number = l.setNumber(c, f, number, mark)
			}
			l.rows = append(l.rows, r)
		}
	}
	if len(t.rows) > MaxLines {
		return &OptionError{"code", "out_of_range", fmt.Sprintf("has more than %d lines", MaxLines)}
	}
	if t.longest > maxWide {
		return &OptionError{"code", "out_of_range", fmt.Sprintf("has a line of %d columns, a picture has at most %d", t.longest, maxWide)}
	}
	columns := t.longest
	if c.Columns > 0 {
		columns = c.Columns
	}
	l.window.w = float64(l.gutter+columns) * l.grid.cell
	return nil
}

func markOf(e Extras, line int) lineMark {
	switch {
	case contains(e.Inserted, line):
		return inserted
	case contains(e.Deleted, line):
		return deleted
	case contains(e.Highlight, line):
		return highlighted
	default:
		return unmarked
	}
}

// gutterColumns returns how many columns stand before the code.
func gutterColumns(c Config, last int) int {
	columns := 0
	if c.LineNumbers {
		columns = max(2, len(strconv.Itoa(last))) + gutterGap
	}
	if len(c.Inserted)+len(c.Deleted) > 0 {
		columns += 2
	}
	return columns
}

// setNumber sets the number of a line, right-aligned, and the sign of a diff.
func (l *layout) setNumber(c Config, f *faces, number int, mark lineMark) []span {
	t := newTypesetter(f, Extras{})
	t.newRow()
	main := f.of(0)
	if c.LineNumbers {
		digits := l.gutter - gutterGap
		if len(c.Inserted)+len(c.Deleted) > 0 {
			digits -= 2
		}
		k := ink{color: l.theme.lineNumber}
		if mark == highlighted {
			k.color = l.theme.foreground
		}
		text := strconv.Itoa(number)
		t.column = digits - len(text)
		t.plain(text, k, main)
	}
	switch mark {
	case inserted:
		t.column = l.gutter - 2
		t.plain("+", ink{color: l.theme.inserted}, main)
	case deleted:
		t.column = l.gutter - 2
		t.plain("-", ink{color: l.theme.deleted}, main)
	default:
	}
	return t.rows[0]
}

// arrange places the window, the code in it, and the labels.
func (l *layout) arrange(c Config) {
	var left, top, bottom float64
	bar := l.framed && (c.WindowControls || c.WindowTitle != "")
	if l.framed {
		left, top, bottom = insetX, insetTop, insetBottom
	}
	w := l.window.w + 2*left
	if bar {
		top = barHeight + insetBar
		w = max(w, minBarWidth)
	}
	if bar && c.WindowTitle != "" {
		l.title = newLabel(c.WindowTitle, titleSize, ink{color: mix(l.theme.background, l.theme.foreground, 160)}, c.Extras)
		w = max(w, float64(min(l.title.cells, titleGrows))*l.title.grid.cell+2*titleMargin)
	}
	l.width = math.Ceil(w + 2*c.Padding)
	l.window = box{c.Padding, c.Padding, l.width - 2*c.Padding, top + float64(len(l.rows))*l.grid.line + bottom}
	l.height = math.Ceil(l.window.h + 2*c.Padding)
	l.window.h = l.height - 2*c.Padding
	l.radius = min(l.radius, l.window.w/2, l.window.h/2)
	l.grid.x, l.grid.y = l.window.x+left, l.window.y+top
	if l.title != nil {
		l.title.shorten(int((l.window.w - 2*titleMargin) / l.title.grid.cell))
		l.title.grid.x = l.window.x + (l.window.w-float64(l.title.cells)*l.title.grid.cell)/2
		l.title.grid.y = l.window.y + (barHeight-l.title.grid.line)/2
	}
	if c.Watermark != "" {
		l.placeWatermark(c)
	}
}

// placeWatermark puts the watermark into the corner of the background, or of
// the window where the padding leaves no room.
func (l *layout) placeWatermark(c Config) {
	k := ink{color: color.NRGBA{255, 255, 255, 190}}
	right, bottom := l.width-markMargin, l.height-markMargin/2
	if c.Padding < 32 && l.framed {
		k.color = mix(l.theme.background, l.theme.foreground, 110)
		right, bottom = l.window.x+l.window.w-markMargin, l.window.y+l.window.h
	}
	l.watermark = newLabel(c.Watermark, markSize, k, c.Extras)
	l.watermark.shorten(int((l.width - 2*markMargin) / l.watermark.grid.cell))
	l.watermark.grid.x = right - float64(l.watermark.cells)*l.watermark.grid.cell
	l.watermark.grid.y = bottom - l.watermark.grid.line
}

// newLabel sets one line of text. Characters that are not for one line are
// blanks.
func newLabel(text string, size float64, k ink, e Extras) *label {
	f := newFaces(e, size)
	t := newTypesetter(f, Extras{DisableLigatures: true})
	t.newRow()
	t.text(strings.Join(strings.FieldsFunc(text, isControl), " "), k)
	return &label{grid: gridOf(f.of(0), size), spans: t.rows[0], cells: t.column}
}

// shorten cuts a label to a number of cells, the last of which is an ellipsis
// if anything is cut.
func (l *label) shorten(cells int) {
	if l.cells <= cells || len(l.spans) == 0 {
		return
	}
	main := l.spans[0].ink
	room := max(cells-1, 0)
	var kept []span
	for _, s := range l.spans {
		if s.column+s.cells > room {
			if s.kind != plainSpan || s.column >= room {
				break
			}
			s = s.cut(room-s.column, float32(l.grid.cell))
		}
		kept = append(kept, s)
	}
	column := 0
	if n := len(kept); n > 0 {
		column = kept[n-1].column + kept[n-1].cells
	}
	t := newTypesetter(newFaces(Extras{}, l.grid.size), Extras{})
	t.newRow()
	t.column = column
	t.text("…", main)
	l.spans = slices.Concat(kept, t.rows[0])
	l.cells = t.column
}

// cut returns the first cells of a plain span.
func (s span) cut(cells int, cell float32) span {
	s.text = s.text[:byteLength(s.text, cells)]
	s.cells = cells
	end := float32(cells)*cell - cell/2
	for i, g := range s.glyphs {
		if g.x > end {
			s.glyphs = s.glyphs[:i]
			break
		}
	}
	return s
}

// A palette is a theme with its colours read and its tints mixed.
type palette struct {
	background, foreground, lineNumber, selection color.NRGBA
	inserted, deleted                             color.NRGBA
	insertedLine, deletedLine                     color.NRGBA
	inks                                          [classes]ink
}

func newPalette(t Theme) palette {
	read := func(s string) color.NRGBA {
		c, _ := parseHex(s) // a Theme holds nothing else
		return c
	}
	p := palette{
		background: read(t.Background), foreground: read(t.Foreground), lineNumber: read(t.LineNumber), selection: read(t.Selection),
		inserted: read(t.Style(ClassInserted).Color), deleted: read(t.Style(ClassDeleted).Color),
	}
	const tint = 40
	p.insertedLine, p.deletedLine = mix(p.background, p.inserted, tint), mix(p.background, p.deleted, tint)
	for c := range classes {
		s := t.Style(c)
		k := ink{color: read(s.Color), underline: s.Underline}
		if s.Bold {
			k.style |= fonts.Bold
		}
		if s.Italic {
			k.style |= fonts.Italic
		}
		p.inks[c] = k
	}
	return p
}

func (p *palette) ink(c Class) ink { return p.inks[c] }

// marked returns the colour behind a marked line.
func (p *palette) marked(m lineMark) (color.NRGBA, bool) {
	switch m {
	case highlighted:
		return p.selection, true
	case inserted:
		return p.insertedLine, true
	case deleted:
		return p.deletedLine, true
	default:
		return color.NRGBA{}, false
	}
}
