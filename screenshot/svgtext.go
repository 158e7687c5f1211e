package screenshot

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-text/typesetting/font"
)

// spans writes spans on row i of a grid, from a column on: first what is
// drawn, then the text.
func (s *svgWriter) spans(g grid, i, column int, spans []span, attributes string) {
	top := g.y + float64(i)*g.line
	x := func(sp *span) float64 { return g.x + float64(column+sp.column)*g.cell }
	for n := range spans {
		sp := &spans[n]
		switch {
		case sp.kind == boxSpan, sp.kind == missingSpan && unseen(sp.text):
			s.shapes(sp, x(sp), top, g)
		case !sp.isText():
			s.glyphs(sp, x(sp), top+g.baseline)
		}
	}
	s.printf(`<text y="%s" font-size="%s"%s>`, number(top+g.baseline), number(g.size), attributes)
	for n := range spans {
		sp := &spans[n]
		s.printf(`<tspan x="%s" class="k%d%s">%s</tspan>`, number(x(sp)), s.inks[sp.ink], sp.svgClass(), escape(sp.text))
	}
	if len(spans) == 0 {
		s.printf(" ") // so that a blank line is one when it is copied
	}
	s.printf("</text>\n")
}

// unseen reports whether a text is a character that is shown as a frame.
func unseen(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return isControl(r) || changesDirection(r)
}

// svgClass returns the classes of a span besides that of its ink.
func (s *span) svgClass() string {
	switch {
	case s.kind == ligatureSpan && s.isText():
		return " l"
	case s.isText(), s.kind == missingSpan && !unseen(s.text):
		return ""
	default:
		return " h"
	}
}

// escape writes text for XML. Control characters, which XML cannot hold,
// become their symbols, others that it cannot hold the replacement character.
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
		case isControl(r), r&0xfffe == 0xfffe, changesDirection(r):
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// shapes writes a box-drawing character, or the frame of one that is not seen.
func (s *svgWriter) shapes(sp *span, x, top float64, g grid) {
	c := cellBox{x0: x, y0: top, x1: x + float64(sp.cells)*g.cell, y1: top + g.line, thick: max(1, g.size/14)}
	var shapes []shape
	if sp.kind == missingSpan {
		shapes = c.frame(nil)
	} else {
		r, _ := utf8.DecodeRuneInString(sp.text)
		shapes = c.boxShapes(nil, r)
	}
	for _, sh := range shapes {
		opacity := ""
		if sh.alpha < 255 {
			opacity = fmt.Sprintf(` fill-opacity="%s"`, number(float64(sh.alpha)/255))
		}
		s.printf(`<path class="k%d"%s%s d="`, s.inks[sp.ink], opacity, crisp(sh))
		if sh.polygon == nil {
			b := sh.box
			s.printf(`M%s %sh%sv%sH%sz"/>`+"\n", number(b.x), number(b.y), number(b.w), number(b.h), number(b.x))
			continue
		}
		command := "M"
		for _, p := range sh.polygon {
			s.printf("%s%s %s", command, number(p.x), number(p.y))
			command = "L"
		}
		s.printf(`z"/>` + "\n")
	}
}

// crisp makes edges that meet meet without a seam.
func crisp(sh shape) string {
	if sh.polygon != nil {
		return ""
	}
	return ` shape-rendering="crispEdges"`
}

// A symbolKey is a glyph that is drawn, and defined once.
type symbolKey struct {
	face *face
	id   font.GID
}

// glyphs writes the glyphs of a span at a baseline.
func (s *svgWriter) glyphs(sp *span, x, y float64) {
	for _, g := range sp.glyphs {
		n, drawn := s.symbol(g)
		if !drawn {
			continue
		}
		size := ""
		if g.size != 1 {
			size = fmt.Sprintf(" scale(%.4g)", g.size)
		}
		s.printf(`<use href="#dk-g%d" class="k%d" transform="translate(%s %s)%s"/>`+"\n",
			n, s.inks[sp.ink], number(x+float64(g.x)), number(y+float64(g.y)), size)
	}
}

// symbol defines a glyph at the size of its text, unless it has been, and
// returns its number. Blank glyphs are not drawn.
func (s *svgWriter) symbol(g glyph) (n int, drawn bool) {
	key := symbolKey{g.face, g.id}
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

func symbolBody(g glyph) string {
	switch data := g.face.GlyphData(g.id).(type) {
	case font.GlyphOutline:
		return path(data, g.face.scale)
	case font.GlyphSVG:
		return path(data.Outline, g.face.scale)
	case font.GlyphColor:
		outline, _ := g.face.GlyphDataOutline(g.id)
		return path(outline, g.face.scale)
	case font.GlyphBitmap:
		if data.Format != font.PNG {
			return ""
		}
		x, y, w, h := pictureBox(g, data.Width, data.Height)
		k := g.face.scale
		return fmt.Sprintf(`<image x="%s" y="%s" width="%s" height="%s" href="data:image/png;base64,%s"/>`,
			number(float64(x*k)), number(float64(-(y+h)*k)), number(float64(w*k)), number(float64(h*k)), base64.StdEncoding.EncodeToString(data.Data))
	default:
		return ""
	}
}

// path writes an outline.
func path(outline font.GlyphOutline, scale float32) string {
	if len(outline.Segments) == 0 {
		return ""
	}
	var p pathPen
	trace(&p, outline.Segments, scale, 0, 0)
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
