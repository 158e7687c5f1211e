package screenshot

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/screenshot/internal/fonts"
	"github.com/devkiln/devkiln/screenshot/internal/rgb"
	"github.com/devkiln/devkiln/screenshot/internal/scene"
	"github.com/devkiln/devkiln/screenshot/internal/typeset"
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
	lineHeight  = 1.5 // times the font size
	insetX      = 20  // between the window and the code
	insetTop    = 18  // where there is no title bar
	insetBar    = 4   // below a title bar
	insetBottom = 20
	minBarWidth = 240
	titleSize   = 13
	titleMargin = 84.0  // kept free on both sides of a title
	signsMargin = 128.0 // the same where signs are on the right
	titleGrows  = 40    // columns of a title that the window grows for
	gutterGap   = 2     // columns between the numbers and the code
	markSize    = 12    // of the watermark
	markMargin  = 14
)

// A lineMark is what sets a line off.
type lineMark uint8

const (
	unmarked lineMark = iota
	highlighted
	inserted
	deleted
)

// A layout is a scene that is being made.
type layout struct {
	scene.Scene
	palette palette
	faces   *typeset.Faces
	plain   bool
}

// newLayout lays out a Config that has been checked.
func newLayout(c Config) (*layout, error) {
	theme, _ := highlight.LookupTheme(c.Theme)
	if c.Palette != nil {
		theme = *c.Palette
	}
	bg, _ := parseBackground(c.Background)
	p := newPalette(theme.For(c.Language))
	l := &layout{palette: p, faces: newFaces(c.Extras, c.FontSize), Scene: scene.Scene{
		Background: bg, Color: p.background, Radius: c.BorderRadius, Shadow: !c.HideShadow && c.Window != WindowNone,
		Framed: c.Window != WindowNone, Controls: controlsOf(c), ControlColor: rgb.Mix(p.background, p.foreground, 200), HookColor: p.lineNumber,
	}}
	l.Grid = scene.NewGrid(l.faces.Of(0), c.FontSize, cmp.Or(c.LineHeight, lineHeight))
	if err := l.setCode(c); err != nil {
		return nil, err
	}
	l.arrange(c)
	return l, nil
}

func controlsOf(c Config) scene.Controls {
	switch {
	case c.HideWindowControls || c.Window == WindowNone:
		return scene.NoControls
	case c.Window == WindowWindows:
		return scene.Signs
	default:
		return scene.Buttons
	}
}

func newFaces(e Extras, size float64) *typeset.Faces {
	return typeset.NewFaces(e.Fonts.typesetter(), e.FontFamily, size)
}

// setCode sets the rows.
func (l *layout) setCode(c Config) error {
	if n := strings.Count(highlight.NormalNewlines(c.Code), "\n") + 1; c.Lines == (LineRange{}) && n > MaxLines {
		return &invalid.Input{Field: "code", Reason: "out_of_range", Message: fmt.Sprintf("has %d lines, a picture has at most %d", n, MaxLines)}
	}
	code := highlight.Code(c.Code, c.Language)
	l.plain = code.Plain
	n := &notation{lines: code.Lines, first: max(c.FirstLine, 1), extras: &c.Extras}
	if c.Notation != "" {
		if err := n.read(); err != nil {
			return err
		}
	}
	from, to := n.first, n.first+len(n.lines)-1
	if c.Lines != (LineRange{}) {
		from, to = max(from, c.Lines.From), min(to, max(c.Lines.From, c.Lines.To))
	}
	if from > to {
		return &invalid.Input{Field: "lines", Reason: "out_of_range", Message: fmt.Sprintf("must be among the lines %d to %d of the code", n.first, n.first+len(n.lines)-1)}
	}
	l.Name, l.Description = nameOf(c), describe(n.lines[from-n.first:to-n.first+1])
	return l.setRows(c, n, from, to)
}

// setRows sets the lines of a notation from one number to another.
func (l *layout) setRows(c Config, n *notation, from, to int) error {
	l.Gutter = gutterColumns(c, to)
	t := typeset.New(l.faces, typeset.Options{Columns: c.Columns, TabWidth: c.TabWidth, DisableLigatures: c.DisableLigatures})
	for number := from; number <= to && len(t.Rows) <= MaxLines; number++ {
		before := len(t.Rows)
		mark := markOf(c.Extras, number)
		t.Line(n.markWords(l.palette.pieces(n.lines[number-n.first]), number, l.palette.word(mark)))
		for i, spans := range t.Rows[before:] {
			r := scene.Row{Continued: i > 0, Behind: l.palette.marked(mark), Spans: spans}
			if mark == unmarked {
				r.Behind = l.palette.tinted(c.Tints, number)
			}
			if i == 0 {
				r.Number = l.setNumber(c, number, mark)
			}
			if len(c.Focus) > 0 && !contains(c.Focus, number) {
				l.dim(r.Number)
				l.dim(r.Spans)
			}
			l.Rows = append(l.Rows, r)
		}
	}
	if len(t.Rows) > MaxLines {
		return &invalid.Input{Field: "code", Reason: "out_of_range", Message: fmt.Sprintf("has more than %d lines", MaxLines)}
	}
	if t.Longest > maxWide {
		return &invalid.Input{Field: "code", Reason: "out_of_range", Message: fmt.Sprintf("has a line of %d columns, a picture has at most %d", t.Longest, maxWide)}
	}
	columns := t.Longest
	if c.Columns > 0 {
		columns = c.Columns
	}
	l.Window.W = float64(l.Gutter+columns) * l.Grid.Cell
	return nil
}

// nameOf returns what a picture is called.
func nameOf(c Config) string {
	title := strings.Join(strings.FieldsFunc(c.WindowTitle, typeset.IsControl), " ")
	if name := language.Display(c.Language); title == "" && name != language.Display(language.Text) {
		return "Code in " + name
	}
	return cmp.Or(title, "Text")
}

// maxDescription is how many bytes of lines a description has before it is cut.
const maxDescription = 1_000

// describe returns the text of lines.
func describe(lines [][]highlight.Token) string {
	var b strings.Builder
	for i, tokens := range lines {
		if i > 0 {
			b.WriteString("\n")
		}
		for _, t := range tokens {
			if b.Len()+len(t.Text) > maxDescription {
				b.WriteString("…")
				return b.String()
			}
			b.WriteString(strings.ReplaceAll(t.Text, "\t", "    "))
		}
	}
	return b.String()
}

// dim moves the colours of spans towards what is behind them.
func (l *layout) dim(spans []typeset.Span) {
	const seen = 90
	for i := range spans {
		k := &spans[i].Ink.Color
		if l.Framed {
			*k = rgb.Mix(l.Color, *k, seen)
		} else {
			k.A = seen
		}
	}
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
	if !c.HideLineNumbers {
		columns = max(2, len(strconv.Itoa(last))) + gutterGap
	}
	if len(c.Inserted)+len(c.Deleted) > 0 {
		columns += 2
	}
	return columns
}

// setNumber sets the number of a line, right-aligned, and the sign of a diff.
func (l *layout) setNumber(c Config, number int, mark lineMark) []typeset.Span {
	t := typeset.New(l.faces, typeset.Options{})
	t.NewRow()
	main := l.faces.Of(0)
	if !c.HideLineNumbers {
		digits := l.Gutter - gutterGap
		if len(c.Inserted)+len(c.Deleted) > 0 {
			digits -= 2
		}
		k := typeset.Ink{Color: l.palette.lineNumber}
		if mark == highlighted {
			k.Color = l.palette.foreground
		}
		text := strconv.Itoa(number)
		t.Column = digits - len(text)
		t.Plain(text, k, main)
	}
	switch mark {
	case inserted:
		t.Column = l.Gutter - 2
		t.Plain("+", typeset.Ink{Color: l.palette.inserted}, main)
	case deleted:
		t.Column = l.Gutter - 2
		t.Plain("-", typeset.Ink{Color: l.palette.deleted}, main)
	default:
	}
	return t.Rows[0]
}

// arrange places the window, the code in it, and the labels.
func (l *layout) arrange(c Config) {
	var left, top, bottom float64
	margin := titleMargin
	if l.Controls == scene.Signs {
		margin = signsMargin
	}
	bar := l.Framed && (!c.HideWindowControls || c.WindowTitle != "")
	if l.Framed {
		left, top, bottom = insetX, insetTop, insetBottom
	}
	w := l.Window.W + 2*left
	if bar {
		top = scene.BarHeight + insetBar
		w = max(w, minBarWidth)
	}
	if bar && c.WindowTitle != "" {
		l.Title = scene.NewLabel(c.WindowTitle, l.faces.Sized(titleSize), titleSize, typeset.Ink{Color: rgb.Mix(l.palette.background, l.palette.foreground, 160)})
		w = max(w, float64(min(l.Title.Cells, titleGrows))*l.Title.Grid.Cell+2*margin)
	}
	width := math.Ceil(w + 2*c.Padding)
	height := math.Ceil(top + float64(len(l.Rows))*l.Grid.Line + bottom + 2*c.Padding)
	l.Width, l.Height = widen(c.Ratio, width, height)
	l.Window = scene.Box{
		X: c.Padding + math.Floor((l.Width-width)/2), Y: c.Padding + math.Floor((l.Height-height)/2),
		W: width - 2*c.Padding, H: height - 2*c.Padding,
	}
	l.Radius = min(l.Radius, l.Window.W/2, l.Window.H/2)
	l.Grid.X, l.Grid.Y = l.Window.X+left, l.Window.Y+top
	if l.Title != nil {
		l.Title.Shorten(int((l.Window.W - 2*margin) / l.Title.Grid.Cell))
		l.Title.Grid.X = l.Window.X + (l.Window.W-float64(l.Title.Cells)*l.Title.Grid.Cell)/2
		l.Title.Grid.Y = l.Window.Y + (scene.BarHeight-l.Title.Grid.Line)/2
	}
	if c.Watermark != "" {
		l.placeWatermark(c)
	}
}

// placeWatermark puts the watermark into the corner of the background, or of
// the window where the padding leaves no room.
func (l *layout) placeWatermark(c Config) {
	k := typeset.Ink{Color: color.NRGBA{255, 255, 255, 190}}
	right, bottom := l.Width-markMargin, l.Height-markMargin/2
	if c.Padding < 32 && l.Framed {
		k.Color = rgb.Mix(l.palette.background, l.palette.foreground, 110)
		right, bottom = l.Window.X+l.Window.W-markMargin, l.Window.Y+l.Window.H
	}
	l.Watermark = scene.NewLabel(c.Watermark, l.faces.Sized(markSize), markSize, k)
	l.Watermark.Shorten(int((l.Width - 2*markMargin) / l.Watermark.Grid.Cell))
	l.Watermark.Grid.X = right - float64(l.Watermark.Cells)*l.Watermark.Grid.Cell
	l.Watermark.Grid.Y = bottom - l.Watermark.Grid.Line
}

// A palette is a theme with its colours read and its tints mixed.
type palette struct {
	background, foreground, lineNumber, selection color.NRGBA
	inserted, deleted                             color.NRGBA
	insertedLine, deletedLine                     color.NRGBA
	inks                                          [highlight.NumClasses]typeset.Ink
}

func newPalette(t highlight.Theme) palette {
	read := func(s string) color.NRGBA {
		c, _ := rgb.Parse(s) // a Theme holds nothing else
		return c
	}
	p := palette{
		background: read(t.Background), foreground: read(t.Foreground), lineNumber: read(t.LineNumber), selection: read(t.Selection),
		inserted: read(t.Style(highlight.ClassInserted).Color), deleted: read(t.Style(highlight.ClassDeleted).Color),
	}
	const tint = 40
	p.insertedLine, p.deletedLine = rgb.Mix(p.background, p.inserted, tint), rgb.Mix(p.background, p.deleted, tint)
	for c := range highlight.Class(highlight.NumClasses) {
		s := t.Style(c)
		k := typeset.Ink{Color: read(s.Color), Underline: s.Underline}
		if s.Bold {
			k.Style |= fonts.Bold
		}
		if s.Italic {
			k.Style |= fonts.Italic
		}
		p.inks[c] = k
	}
	return p
}

// pieces returns tokens as what is to be set.
func (p *palette) pieces(tokens []highlight.Token) []typeset.Piece {
	pieces := make([]typeset.Piece, len(tokens))
	for i, t := range tokens {
		pieces[i] = typeset.Piece{Text: t.Text, Ink: p.inks[t.Class]}
	}
	return pieces
}

// word returns the colour behind a word that is marked in a line: on one that is
// set off itself it differs from that.
func (p *palette) word(m lineMark) color.NRGBA {
	behind := p.marked(m)
	if behind.A == 0 {
		return p.selection
	}
	const tint = 60
	return rgb.Mix(behind, p.foreground, tint)
}

// tinted returns the colour of a line among tints; a transparent one is none.
func (p *palette) tinted(tints []Tint, line int) color.NRGBA {
	i, found := slices.BinarySearchFunc(tints, line, func(t Tint, line int) int { return cmp.Compare(t.Line, line) })
	if !found {
		return color.NRGBA{}
	}
	c, _ := rgb.Parse(tints[i].Color) // a Config that is drawn has been checked
	return rgb.Mix(p.background, color.NRGBA{c.R, c.G, c.B, 255}, c.A)
}

// marked returns the colour behind a line; a transparent one is none.
func (p *palette) marked(m lineMark) color.NRGBA {
	switch m {
	case highlighted:
		return p.selection
	case inserted:
		return p.insertedLine
	case deleted:
		return p.deletedLine
	default:
		return color.NRGBA{}
	}
}
