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

// The limits of a picture.
const (
	MaxLines      = 5_000     // rows of code, after wrapping
	maxRowColumns = 10_000    // columns of the longest row
	maxPixels     = 256 << 20 // pixels of a PNG
	maxWorkers    = 16
)

// The dimensions of a window, in CSS pixels.
const (
	lineHeight  = 1.5 // times the font size
	insetX      = 20  // between the window and the code
	insetTop    = 18  // without a title bar
	insetBar    = 4   // below a title bar
	insetBottom = 20
	minBarWidth = 240
	titleSize   = 13
	titleMargin = 84.0  // kept free on both sides of a title
	signsMargin = 128.0 // the same with signs on the right
	signsSize   = 16
	signsX      = 24 // from the window's edge to the centre of the last sign
	signs       = "─   □   ✕"
	titleGrows  = 40 // columns of a title up to which it widens the window
	gutterGap   = 2  // columns between the numbers and the code
	markSize    = 12 // of the watermark
	markMargin  = 14
)

// A lineMark is the way in which a line is set off.
type lineMark uint8

const (
	unmarked lineMark = iota
	highlighted
	inserted
	deleted
	between // the head of a hunk
)

// A layout is a scene under construction.
type layout struct {
	scene.Scene
	palette palette
	faces   *typeset.Faces
	plain   bool
}

// newLayout lays out a valid Config.
func newLayout(c Config) (*layout, error) {
	theme, _ := lookUpTheme(c.Themes, c.Theme)
	bg, _ := parseBackground(c.Background)
	p := newPalette(theme.For(c.Language))
	l := &layout{palette: p, faces: typeset.NewFaces(c.Fonts.typesetter(), c.FontFamily, c.FontSize), Scene: scene.Scene{
		Background: bg, Color: p.background, Shadow: !c.HideShadow && c.Window != windowNone,
		Framed: c.Window != windowNone, Buttons: cmp.Or(c.Window, windowMac) == windowMac && !c.HideWindowControls,
	}}
	if l.Framed {
		l.Radius = c.BorderRadius
	}
	l.Grid = scene.NewGrid(l.faces.Of(0), c.FontSize, cmp.Or(c.LineHeight, lineHeight))
	if err := l.setCode(c); err != nil {
		return nil, err
	}
	l.arrange(c)
	if c.Fonts != nil {
		return l, l.faces.Verify(l.Each)
	}
	return l, nil
}

// setCode sets the lines of the code that c selects.
func (l *layout) setCode(c Config) error {
	if n := strings.Count(highlight.NormalNewlines(c.Code), "\n") + 1; c.Lines == (LineRange{}) && c.Input != inputANSI && n > MaxLines {
		return &invalid.Fault{Field: "code", Reason: "out_of_range", Message: fmt.Sprintf("has %d lines, must have at most %d", n, MaxLines)}
	}
	lines, err := l.read(&c)
	if err != nil {
		return err
	}
	chosen := lines
	if c.Lines != (LineRange{}) {
		chosen = slices.DeleteFunc(slices.Clone(lines), func(n line) bool { return !c.Lines.contains(n.at) })
	}
	if len(chosen) == 0 {
		return &invalid.Fault{Field: "lines", Reason: "out_of_range", Message: fmt.Sprintf("must be among the lines %d to %d of the code", lines[0].at, lines[len(lines)-1].at)}
	}
	l.Name, l.Description = nameOf(c), describe(chosen)
	return l.setRows(c, chosen)
}

// setRows sets lines as rows and computes the width of the code.
func (l *layout) setRows(c Config, lines []line) error {
	numbers := newGutter(c, lines)
	l.Gutter = numbers.columns()
	t := typeset.New(l.faces, typeset.Options{Columns: c.Columns, TabWidth: c.TabWidth, DisableLigatures: c.DisableLigatures})
	for _, n := range lines {
		if len(t.Rows) > MaxLines {
			break
		}
		before := len(t.Rows)
		t.Line(n.pieces)
		for i, spans := range t.Rows[before:] {
			r := scene.Row{Behind: l.palette.marks[n.mark], Spans: spans}
			if n.mark == unmarked {
				r.Behind = l.palette.tinted(c.Tints, n.at)
			}
			if i == 0 {
				r.Number = l.setNumbers(numbers, n)
			} else {
				r.Number = l.setContinued()
			}
			if len(c.Focus) > 0 && !contains(c.Focus, n.at) {
				l.dim(&r)
			}
			l.Rows = append(l.Rows, r)
		}
	}
	if len(t.Rows) > MaxLines {
		return &invalid.Fault{Field: "code", Reason: "out_of_range", Message: fmt.Sprintf("has more than %d lines", MaxLines)}
	}
	if t.Longest > maxRowColumns {
		return &invalid.Fault{Field: "code", Reason: "out_of_range", Message: fmt.Sprintf("has a line of %d columns, must have at most %d", t.Longest, maxRowColumns)}
	}
	columns := t.Longest
	if c.Columns > 0 {
		columns = c.Columns
	}
	l.Window.W = float64(max(l.Gutter+columns, 1)) * l.Grid.Cell
	return nil
}

// nameOf returns the accessible name of a picture.
func nameOf(c Config) string {
	title := strings.Join(strings.FieldsFunc(c.WindowTitle, typeset.IsControl), " ")
	name := language.Display(c.Language)
	switch {
	case title != "":
		return title
	case c.Input == inputANSI:
		return "Terminal"
	case c.Input == inputPatch:
		return "Patch"
	case name != language.Display(language.Text):
		return "Code in " + name
	default:
		return "Text"
	}
}

// maxDescription is the length of the code in a description, in bytes, above
// which it is truncated.
const maxDescription = 1_000

// describe returns the text of lines as a description.
func describe(lines []line) string {
	var b strings.Builder
	for i, n := range lines {
		if i > 0 {
			b.WriteString("\n")
		}
		for _, p := range n.pieces {
			if b.WriteString(strings.ReplaceAll(p.Text, "\t", "    ")); b.Len() > maxDescription {
				return strings.ToValidUTF8(b.String()[:maxDescription], "") + "…"
			}
		}
	}
	return b.String()
}

// dim blends the colours of a row with the background of each.
func (l *layout) dim(r *scene.Row) {
	under := l.Color
	if l.fade(&r.Behind, under); r.Behind.A > 0 {
		under = r.Behind
	}
	for _, spans := range [...][]typeset.Span{r.Number, r.Spans} {
		for i := range spans {
			k, below := &spans[i].Ink, under
			if l.fade(&k.Behind, under); k.Behind.A > 0 {
				below = k.Behind
			}
			l.fade(&k.Color, below)
		}
	}
}

// fade blends a colour with the one below it, or reduces its alpha if there is
// no window. A transparent colour stays transparent.
func (l *layout) fade(c *color.NRGBA, under color.NRGBA) {
	const seen = 90
	if l.Framed && c.A > 0 {
		*c = rgb.Mix(under, *c, seen)
		return
	}
	c.A = min(c.A, seen)
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

// A gutter holds the widths, in columns, of the line numbers and of the signs
// of a diff.
type gutter struct{ old, new, signs int }

func newGutter(c Config, lines []line) gutter {
	var g gutter
	for _, n := range lines {
		if !c.HideLineNumbers && n.new > 0 {
			g.new = max(g.new, 2, len(strconv.Itoa(n.new)))
		}
		if !c.HideLineNumbers && n.old > 0 {
			g.old = max(g.old, 2, len(strconv.Itoa(n.old)))
		}
	}
	if len(c.Inserted)+len(c.Deleted) > 0 || c.Input == inputPatch {
		g.signs = 2
	}
	return g
}

// columns returns the number of columns before the code.
func (g gutter) columns() int {
	n := g.signs
	for _, digits := range []int{g.old, g.new} {
		if digits > 0 {
			n += digits + gutterGap
		}
	}
	return n
}

// setNumbers sets the numbers of a line, right-aligned, and the sign of a diff.
func (l *layout) setNumbers(g gutter, n line) []typeset.Span {
	t := typeset.New(l.faces, typeset.Options{})
	t.NewRow()
	main := l.faces.Of(0)
	k := l.palette.lineNumber
	if n.mark == highlighted {
		k = l.palette.foreground
	}
	var numbers strings.Builder
	for _, column := range []struct{ digits, number int }{{g.old, n.old}, {g.new, n.new}} {
		switch {
		case column.digits == 0:
		case column.number == 0:
			fmt.Fprintf(&numbers, "%*s", column.digits+gutterGap, "")
		default:
			fmt.Fprintf(&numbers, "%*d%*s", column.digits, column.number, gutterGap, "")
		}
	}
	text := strings.TrimRight(numbers.String(), " ")
	digits := strings.TrimLeft(text, " ")
	t.Column = len(text) - len(digits)
	t.Plain(digits, typeset.Ink{Color: k}, main)
	t.Column = g.columns() - g.signs
	switch n.mark {
	case inserted:
		t.Plain("+", typeset.Ink{Color: l.palette.inserted}, main)
	case deleted:
		t.Plain("-", typeset.Ink{Color: l.palette.deleted}, main)
	default:
	}
	return t.Rows[0]
}

// setContinued sets the sign that a row continues the line above, in the place
// of the number or before the code.
func (l *layout) setContinued() []typeset.Span {
	t := typeset.New(l.faces, typeset.Options{})
	t.NewRow()
	if t.Column = l.Gutter - gutterGap - 1; l.Gutter <= gutterGap {
		t.Column = -2
	}
	t.Plain("→", typeset.Ink{Color: l.palette.lineNumber}, l.faces.Of(0))
	return t.Rows[0]
}

// arrange positions the window, the code in it, and the labels.
func (l *layout) arrange(c Config) {
	var left, top, bottom float64
	margin := titleMargin
	hasSigns := c.Window == windowWindows && !c.HideWindowControls
	if hasSigns {
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
	l.Width, l.Height, l.Zoom = c.extend(width, height)
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
	if hasSigns {
		l.Signs = scene.NewLabel(signs, l.faces.Sized(signsSize), signsSize, typeset.Ink{Color: rgb.Mix(l.palette.background, l.palette.foreground, 200)})
		grid := &l.Signs.Grid
		grid.X = l.Window.X + l.Window.W - l.BesideCorner(signsX, grid.Cell) - (float64(l.Signs.Cells)-0.5)*grid.Cell
		grid.Y = l.Window.Y + (scene.BarHeight-grid.Line)/2
	}
	if c.Watermark != "" {
		l.placeWatermark(c)
	}
}

// placeWatermark puts the watermark into the corner of the background, or of
// the window if the padding is too small.
func (l *layout) placeWatermark(c Config) {
	k := typeset.Ink{Color: l.Background.Contrast()}
	right, bottom := l.Width-markMargin, l.Height-markMargin/2
	if c.Padding < 32 && l.Framed {
		const descent = 4
		k.Color = rgb.Mix(l.palette.background, l.palette.foreground, 110)
		right, bottom = l.Window.X+l.Window.W-max(markMargin, scene.Corner(descent, l.Radius)+descent), l.Window.Y+l.Window.H
	}
	l.Watermark = scene.NewLabel(c.Watermark, l.faces.Sized(markSize), markSize, k)
	l.Watermark.Shorten(int((l.Width - 2*markMargin) / l.Watermark.Grid.Cell))
	l.Watermark.Grid.X = right - float64(l.Watermark.Cells)*l.Watermark.Grid.Cell
	l.Watermark.Grid.Y = bottom - l.Watermark.Grid.Line
}

// A palette is a theme with parsed colours and mixed tints.
type palette struct {
	background, foreground, lineNumber color.NRGBA
	inserted, deleted                  color.NRGBA
	marks                              [between + 1]color.NRGBA // behind lines; transparent for none
	inks                               []typeset.Ink            // of each class
	terminal                           [16]color.NRGBA
}

func newPalette(t highlight.Theme) palette {
	read := func(s string) color.NRGBA {
		c, _ := rgb.Parse(s) // the colours of a Theme are valid
		return c
	}
	p := palette{
		background: read(t.Background), foreground: read(t.Foreground), lineNumber: read(t.LineNumber),
		inserted: read(t.Style(highlight.ClassInserted).Color), deleted: read(t.Style(highlight.ClassDeleted).Color),
	}
	for i, c := range t.Terminal {
		p.terminal[i] = read(c)
	}
	const tint = 40
	p.marks = [...]color.NRGBA{
		highlighted: read(t.Selection), between: rgb.Mix(p.background, p.foreground, tint/2),
		inserted: rgb.Mix(p.background, p.inserted, tint), deleted: rgb.Mix(p.background, p.deleted, tint),
	}
	for _, c := range highlight.Classes() {
		s := t.Style(c)
		k := typeset.Ink{Color: read(s.Color), Underline: s.Underline}
		if s.Bold {
			k.Style |= fonts.Bold
		}
		if s.Italic {
			k.Style |= fonts.Italic
		}
		p.inks = append(p.inks, k)
	}
	return p
}

// pieces converts tokens to pieces for the typesetter.
func (p *palette) pieces(tokens []highlight.Token) []typeset.Piece {
	pieces := make([]typeset.Piece, len(tokens))
	for i, t := range tokens {
		pieces[i] = typeset.Piece{Text: t.Text, Ink: p.inks[t.Class]}
	}
	return pieces
}

// tinted returns the tint of a line, or a transparent colour if it has none.
func (p *palette) tinted(tints []Tint, line int) color.NRGBA {
	i, found := slices.BinarySearchFunc(tints, line, func(t Tint, line int) int { return cmp.Compare(t.Line, line) })
	if !found {
		return color.NRGBA{}
	}
	c, _ := rgb.Parse(tints[i].Color) // the Config has been validated
	return rgb.Mix(p.background, color.NRGBA{c.R, c.G, c.B, 255}, c.A)
}
