package screenshot

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"image/color"
	"io"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/screenshot/internal/fonts"
	"github.com/devkiln/devkiln/screenshot/internal/subset"
)

// WriteSVG draws the picture as an SVG document. It stands alone: the glyphs it
// needs of the embedded font are inside as a font, so that its text is text,
// and those of other fonts as outlines or pictures, with the text invisible
// above them. What no font has is left to the viewer's fonts. There is no
// script, and any code makes valid XML: characters that XML cannot hold are
// shown as their symbols.
//
// Its errors are those of [Config.WritePNG].
func (c Config) WriteSVG(ctx context.Context, w io.Writer) error {
	l, err := newLayout(ctx, c)
	if err != nil {
		return err
	}
	s := &svgWriter{w: bufio.NewWriter(w), layout: l, inks: make(map[ink]int), symbols: make(map[symbolKey]int)}
	if err := s.collect(); err != nil {
		return err
	}
	s.head()
	if err := s.background(); err != nil {
		return err
	}
	s.window()
	if err := s.rows(ctx); err != nil {
		return err
	}
	for _, label := range [...]*label{l.title, l.watermark} {
		if label != nil {
			s.spans(label.grid, 0, 0, label.spans, "")
		}
	}
	s.printf("</svg>\n")
	return s.w.Flush()
}

// An svgWriter writes one document. Its writer keeps the first error until it
// is flushed.
type svgWriter struct {
	w       *bufio.Writer
	layout  *layout
	subsets [fonts.Styles][]byte
	inks    map[ink]int // the numbers of their classes
	order   []ink
	symbols map[symbolKey]int
}

func (s *svgWriter) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(s.w, format, args...)
}

// number writes a measure with at most two decimals.
func number(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// all visits every span of the picture.
func (l *layout) all(visit func(*span)) {
	each := func(spans []span) {
		for i := range spans {
			visit(&spans[i])
		}
	}
	for _, r := range l.rows {
		each(r.number)
		each(r.spans)
	}
	for _, label := range [...]*label{l.title, l.watermark} {
		if label != nil {
			each(label.spans)
		}
	}
}

// collect gathers what goes before the text: the classes of its inks, and the
// glyphs of its fonts.
func (s *svgWriter) collect() error {
	var builders [fonts.Styles]*subset.Builder
	var err error
	s.layout.all(func(sp *span) {
		if _, ok := s.inks[sp.ink]; !ok {
			s.inks[sp.ink] = len(s.order)
			s.order = append(s.order, sp.ink)
		}
		style := sp.ink.style
		if err != nil || !sp.isText() {
			return
		}
		if builders[style] == nil {
			if builders[style], err = subset.New(fonts.TTF(style)); err != nil {
				return
			}
		}
		err = addSpan(builders[style], sp)
	})
	for style, b := range builders {
		if b != nil && err == nil {
			s.subsets[style], err = b.Font()
		}
	}
	return err
}

// isText reports whether a span is written as text in the embedded font.
func (s *span) isText() bool {
	return (s.kind == plainSpan || s.kind == ligatureSpan) && (len(s.glyphs) == 0 || s.glyphs[0].face.Font == embedded(s.ink.style))
}

func addSpan(b *subset.Builder, s *span) error {
	font := embedded(s.ink.style)
	for _, r := range s.text {
		id, _ := font.NominalGlyph(r)
		if err := b.Add(r, uint16(id)); err != nil {
			return err
		}
	}
	if s.kind != ligatureSpan {
		return nil
	}
	parts := make([]subset.Part, len(s.glyphs))
	advance := float32(0)
	for i, g := range s.glyphs {
		parts[i] = subset.Part{Glyph: uint16(g.id), X: round(g.x / g.face.scale)}
		advance += g.face.HorizontalAdvance(g.id)
	}
	return b.AddLigature(s.text, parts, round(advance))
}

// fallbackFonts are what a viewer may have for text that the embedded font
// lacks.
const fallbackFonts = `"Noto Sans Mono CJK SC","DejaVu Sans Mono",Menlo,Consolas,monospace,"Noto Color Emoji","Apple Color Emoji","Segoe UI Emoji"`

func (s *svgWriter) head() {
	l := s.layout
	s.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" xml:space="preserve">`+"\n",
		number(l.width), number(l.height))
	s.printf("<style>\n")
	for style, data := range s.subsets {
		if data != nil {
			s.printf("@font-face{font-family:devkiln;%ssrc:url(data:font/ttf;base64,%s)}\n",
				fontStyle(fonts.Style(style)), base64.StdEncoding.EncodeToString(data))
		}
	}
	s.printf("text{font-family:devkiln,%s;white-space:pre;font-variant-ligatures:none;font-kerning:none}\n", fallbackFonts)
	s.printf(".l{font-variant-ligatures:normal}.n{user-select:none;-webkit-user-select:none}\n")
	for i, k := range s.order {
		s.printf(".k%d{fill:%s;%s", i, cssColor(k.color), fontStyle(k.style))
		if k.underline {
			s.printf("text-decoration:underline")
		}
		s.printf("}\n")
	}
	s.printf(".h{fill:none}\n</style>\n")
}

func fontStyle(style fonts.Style) string {
	var b strings.Builder
	if style&fonts.Bold != 0 {
		b.WriteString("font-weight:bold;")
	}
	if style&fonts.Italic != 0 {
		b.WriteString("font-style:italic;")
	}
	return b.String()
}

// cssColor writes a colour: #rrggbb, or rgba() if something shows through.
func cssColor(c color.NRGBA) string {
	if c.A == 255 {
		return hexOf(c)
	}
	return fmt.Sprintf("rgba(%d,%d,%d,%s)", c.R, c.G, c.B, number(float64(c.A)/255))
}

// background writes the background: a rectangle, or the drawing of a gradient,
// stretched where the picture is larger than those may be.
func (s *svgWriter) background() error {
	l := s.layout
	if l.background.gradient == nil {
		if l.background.color.A > 0 {
			s.printf(`<rect width="100%%" height="100%%" fill="%s"/>`+"\n", cssColor(l.background.color))
		}
		return nil
	}
	coarse := (int(max(l.width, l.height))-1)/gradient.MaxSide + 1
	if l.background.gradient.Kind() == gradient.Conic {
		coarse = max(coarse, 1+int(max(l.width, l.height))/256)
	}
	w, h := (int(l.width)-1)/coarse+1, (int(l.height)-1)/coarse+1
	s.printf(`<svg width="%s" height="%s" viewBox="0 0 %d %d" preserveAspectRatio="none">`+"\n", number(l.width), number(l.height), w, h)
	if err := l.background.gradient.WriteSVG(s.w, w, h); err != nil {
		return err
	}
	s.printf("</svg>\n")
	return nil
}

// window writes the shadow, the window and its controls.
func (s *svgWriter) window() {
	l := s.layout
	if !l.framed {
		return
	}
	w := l.window
	rect := fmt.Sprintf(`width="%s" height="%s" rx="%s"`, number(w.w), number(w.h), number(l.radius))
	if l.shadow {
		s.printf(`<filter id="dk-blur" filterUnits="userSpaceOnUse" x="0" y="0" width="%s" height="%s"><feGaussianBlur stdDeviation="%d"/></filter>`+"\n",
			number(l.width), number(l.height), shadowBlur)
		s.printf(`<rect x="%s" y="%s" %s fill-opacity="%v" filter="url(#dk-blur)"/>`+"\n", number(w.x), number(w.y+shadowDrop), rect, shadowOpacity)
	}
	s.printf(`<rect x="%s" y="%s" %s fill="%s"/>`+"\n", number(w.x), number(w.y), rect, cssColor(l.theme.background))
	if !l.controls {
		return
	}
	for i, c := range controlColors {
		s.printf(`<circle cx="%s" cy="%s" r="%d" fill="%s"/>`+"\n",
			number(w.x+controlsX+controlsGap*float64(i)), number(w.y+barHeight/2), controlsSize/2, cssColor(c))
	}
}

// rows writes the marks behind lines, the numbers, and the code.
func (s *svgWriter) rows(ctx context.Context) error {
	l, g := s.layout, s.layout.grid
	for i, r := range l.rows {
		if c, ok := l.theme.marked(r.mark); ok && l.framed {
			s.printf(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`+"\n",
				number(l.window.x), number(g.y+float64(i)*g.line), number(l.window.w), number(g.line), cssColor(c))
		}
	}
	for i, r := range l.rows {
		if len(r.number) > 0 {
			s.spans(g, i, 0, r.number, ` class="n"`)
		}
	}
	for i, r := range l.rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.spans(g, i, l.gutter, r.spans, "")
	}
	return nil
}
