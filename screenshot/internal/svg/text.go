package svg

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-text/typesetting/font"

	"github.com/devkiln/devkiln/screenshot/internal/scene"
	"github.com/devkiln/devkiln/screenshot/internal/typeset"
)

// spans writes spans on row i of a grid, from a column on: first the drawn
// parts, then the text.
func (s *writer) spans(g scene.Grid, i, column int, spans []typeset.Span, attributes string) {
	top := g.Y + float64(i)*g.Line
	x := func(sp *typeset.Span) float64 { return g.X + float64(column+sp.Column)*g.Cell }
	for _, sp := range spans {
		if c := sp.Ink.Behind; c.A > 0 {
			s.printf(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s" shape-rendering="crispEdges"/>`+"\n",
				number(x(&sp)), number(top), number(float64(sp.Cells)*g.Cell), number(g.Line), cssColor(c))
		}
	}
	for n := range spans {
		sp := &spans[n]
		switch {
		case sp.Kind == typeset.BoxDrawing:
			s.box(sp, x(sp), top, g)
		case !isText(sp) && (sp.Kind != typeset.Missing || unseen(sp.Text)):
			s.glyphs(sp, x(sp), top+g.Baseline)
		}
	}
	for _, sp := range spans {
		for _, below := range g.Rules(sp.Ink) {
			s.printf(`<rect x="%s" y="%s" width="%s" height="%s" class="k%d" shape-rendering="crispEdges"/>`+"\n",
				number(x(&sp)), number(top+g.Baseline+below), number(float64(sp.Cells)*g.Cell), number(max(1, g.Thick())), s.inks[sp.Ink])
		}
	}
	s.printf(`<text y="%s" font-size="%s"%s>`, number(top+g.Baseline), number(g.Size), attributes)
	for n := range spans {
		sp := &spans[n]
		s.printf(`<tspan x="%s" class="k%d%s">%s</tspan>`, number(x(sp)), s.inks[sp.Ink], classOf(sp), escape(sp.Text))
	}
	if len(spans) == 0 {
		s.printf(" ") // so that a blank line is copied as one
	}
	s.printf("</text>\n")
}

// unseen reports whether text is a character that is drawn as a frame.
func unseen(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return typeset.IsControl(r) || typeset.ChangesDirection(r)
}

// classOf returns the classes of a span in addition to that of its ink.
func classOf(s *typeset.Span) string {
	if isText(s) || s.Kind == typeset.Missing && !unseen(s.Text) {
		return ""
	}
	return " h"
}

// escape escapes text for XML. ASCII control characters become their symbols;
// other control characters, noncharacters and characters that change the
// direction become U+FFFD.
func escape(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7f || r == '&' || r == '<' || r == '>' }) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r < ' ':
			b.WriteRune(0x2400 + r)
		case r == 0x7f:
			b.WriteRune(0x2421)
		case typeset.IsControl(r), r&0xfffe == 0xfffe, typeset.ChangesDirection(r):
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// box writes a box-drawing character, stretched to its cell. Blocks have no
// antialiasing, so that no seams are between them.
func (s *writer) box(sp *typeset.Span, x, top float64, g scene.Grid) {
	glyph := sp.Glyphs[0]
	n, _ := s.symbol(glyph)
	scaleX, scaleY, baseline := sp.Stretch(float32(float64(sp.Cells)*g.Cell), float32(g.Line))
	crisp := ""
	if sp.Text >= "\u2580" {
		crisp = ` shape-rendering="crispEdges"`
	}
	s.printf(`<use href="#dk-g%d" class="k%d"%s transform="translate(%s %s) scale(%.4g %.4g)"/>`+"\n",
		n, s.inks[sp.Ink], crisp, number(x), number(top+float64(baseline)), scaleX/glyph.Face.Scale, scaleY/glyph.Face.Scale)
}

// A symbolKey identifies a glyph that is defined once.
type symbolKey struct {
	face *typeset.Face
	id   font.GID
}

// glyphs writes the glyphs of a span at a baseline.
func (s *writer) glyphs(sp *typeset.Span, x, y float64) {
	for _, g := range sp.Glyphs {
		n, drawn := s.symbol(g)
		if !drawn {
			continue
		}
		size := ""
		if g.Size != 1 {
			size = fmt.Sprintf(" scale(%.4g)", g.Size)
		}
		s.printf(`<use href="#dk-g%d" class="k%d" transform="translate(%s %s)%s"/>`+"\n",
			n, s.inks[sp.Ink], number(x+float64(g.X)), number(y+float64(g.Y)), size)
	}
}

// symbol defines a glyph at the size of the text, unless it is defined already,
// and returns its number. Blank glyphs are not drawn.
func (s *writer) symbol(g typeset.Glyph) (n int, drawn bool) {
	key := symbolKey{g.Face, g.ID}
	if n, ok := s.symbols[key]; ok {
		return n, n >= 0
	}
	n = len(s.symbols)
	if body := symbolBody(g); body != "" {
		s.symbols[key] = n
		s.printf(`<defs><g id="dk-g%d">%s</g></defs>`+"\n", n, body)
		return n, true
	}
	s.symbols[key] = -1
	return -1, false
}

func symbolBody(g typeset.Glyph) string {
	switch data := g.Face.GlyphData(g.ID).(type) {
	case font.GlyphOutline:
		return path(data, g.Face.Scale)
	case font.GlyphBitmap:
		if data.Format != font.PNG {
			return ""
		}
		x, y, w, h := typeset.PictureBox(g, data.Width, data.Height)
		k := g.Face.Scale
		return fmt.Sprintf(`<image x="%s" y="%s" width="%s" height="%s" href="data:image/png;base64,%s"/>`,
			number(float64(x*k)), number(float64(-(y+h)*k)), number(float64(w*k)), number(float64(h*k)), base64.StdEncoding.EncodeToString(data.Data))
	}
	outline, _ := g.Face.GlyphDataOutline(g.ID)
	return path(outline, g.Face.Scale)
}

// path returns an outline as a path element.
func path(outline font.GlyphOutline, scale float32) string {
	if len(outline.Segments) == 0 {
		return ""
	}
	var p pathPen
	typeset.Trace(&p, outline.Segments, scale, scale, 0, 0)
	return `<path d="` + p.String() + `"/>`
}

// A pathPen writes the data of an SVG path.
type pathPen struct{ strings.Builder }

func (p *pathPen) command(c byte, v ...float32) {
	p.WriteByte(c)
	for i, n := range v {
		if i > 0 {
			p.WriteByte(' ')
		}
		p.WriteString(number(float64(n)))
	}
}

func (p *pathPen) MoveTo(x, y float32)                   { p.command('M', x, y) }
func (p *pathPen) LineTo(x, y float32)                   { p.command('L', x, y) }
func (p *pathPen) QuadTo(bx, by, cx, cy float32)         { p.command('Q', bx, by, cx, cy) }
func (p *pathPen) ClosePath()                            { p.WriteByte('Z') }
func (p *pathPen) CubeTo(bx, by, cx, cy, dx, dy float32) { p.command('C', bx, by, cx, cy, dx, dy) }
