// Package svg writes scenes as self-contained SVG documents.
package svg

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/screenshot/internal/fonts"
	"github.com/devkiln/devkiln/screenshot/internal/rgb"
	"github.com/devkiln/devkiln/screenshot/internal/scene"
	"github.com/devkiln/devkiln/screenshot/internal/typeset"
)

// Write writes a scene as an SVG document. It stops at the first error of w or
// ctx.
func Write(ctx context.Context, w io.Writer, l *scene.Scene) error {
	s := &writer{w: bufio.NewWriter(w), scene: l, inks: make(map[typeset.Ink]int), symbols: make(map[symbolKey]int)}
	s.collect()
	s.head()
	if err := s.background(); err != nil {
		return err
	}
	s.window()
	if err := s.rows(ctx); err != nil {
		return err
	}
	for _, label := range l.Labels() {
		attributes := ""
		if label == l.Signs {
			attributes = ` class="n"`
		}
		s.spans(label.Grid, 0, 0, label.Spans, attributes)
	}
	s.printf("</svg>\n")
	return s.w.Flush()
}

// A writer writes one document. Its bufio.Writer keeps the first error until it
// is flushed.
type writer struct {
	w       *bufio.Writer
	scene   *scene.Scene
	styles  [fonts.Styles]bool  // those of the embedded text
	inks    map[typeset.Ink]int // the numbers of their classes
	order   []typeset.Ink
	symbols map[symbolKey]int
}

func (s *writer) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(s.w, format, args...)
}

// number formats a length with at most two decimals.
func number(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// collect gathers what precedes the text: the classes of the inks, and the
// styles of the font.
func (s *writer) collect() {
	s.scene.Each(func(sp *typeset.Span) {
		if _, ok := s.inks[sp.Ink]; !ok {
			s.inks[sp.Ink] = len(s.order)
			s.order = append(s.order, sp.Ink)
		}
		if isText(sp) {
			s.styles[sp.Ink.Style] = true
		}
	})
}

// isText reports whether a span is written as text in the embedded subset of
// the font. All other glyphs are drawn, also those of ligatures, since the
// subset has no substitutions.
func isText(s *typeset.Span) bool {
	return s.Kind == typeset.Plain && (len(s.Glyphs) == 0 || s.Glyphs[0].Face.Font == typeset.Embedded(fonts.Family, s.Ink.Style)) &&
		!strings.ContainsFunc(s.Text, func(r rune) bool { return r < ' ' || r > '~' })
}

// fallbackFonts are fonts that a viewer may have for text that the embedded
// font lacks.
const fallbackFonts = `"Noto Sans Mono CJK SC","DejaVu Sans Mono",Menlo,Consolas,monospace,"Noto Color Emoji","Apple Color Emoji","Segoe UI Emoji"`

func (s *writer) head() {
	l := s.scene
	s.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" role="img" xml:space="preserve">`+"\n",
		number(math.Round(l.Width*l.Zoom)), number(math.Round(l.Height*l.Zoom)), number(l.Width), number(l.Height))
	described := strings.Split(l.Description, "\n")
	for i, line := range described {
		described[i] = escape(line)
	}
	s.printf("<title>%s</title>\n<desc>%s</desc>\n", escape(l.Name), strings.Join(described, "\n"))
	s.printf("<style>\n")
	for style := range fonts.Style(fonts.Styles) {
		if s.styles[style] {
			s.printf("@font-face{font-family:devkiln;%ssrc:url(data:font/woff2;base64,%s)}\n",
				fontStyles[style], base64.StdEncoding.EncodeToString(fonts.ASCII(style)))
		}
	}
	s.printf("text{font-family:devkiln,%s;white-space:pre;direction:ltr;unicode-bidi:bidi-override;font-variant-ligatures:none;font-kerning:none;text-rendering:geometricPrecision}\n", fallbackFonts)
	s.printf(".n{user-select:none;-webkit-user-select:none}\n")
	for i, k := range s.order {
		s.printf(".k%d{fill:%s;%s}\n", i, cssColor(k.Color), fontStyles[k.Style])
	}
	s.printf(".h{fill:none}\n</style>\n")
}

// fontStyles are the declarations of the styles.
var fontStyles = [fonts.Styles]string{"", "font-weight:bold;", "font-style:italic;", "font-weight:bold;font-style:italic;"}

// cssColor formats a colour as #rrggbb, or as rgba() if it is not opaque.
func cssColor(c color.NRGBA) string {
	if c.A == 255 {
		return rgb.Hex(c)
	}
	return fmt.Sprintf("rgba(%d,%d,%d,%s)", c.R, c.G, c.B, number(float64(c.A)/255))
}

// background writes the background: a rectangle, or the SVG of a gradient,
// a conic one of fewer pixels and stretched.
func (s *writer) background() error {
	l := s.scene
	if l.Background.Gradient == nil {
		if l.Background.Color.A > 0 {
			s.printf(`<rect width="100%%" height="100%%" fill="%s"/>`+"\n", cssColor(l.Background.Color))
		}
		return nil
	}
	coarse := 1
	if l.Background.Gradient.Kind() == gradient.Conic {
		coarse += int(max(l.Width, l.Height)) / 256
	}
	w, h := (int(l.Width)-1)/coarse+1, (int(l.Height)-1)/coarse+1
	s.printf(`<svg width="%s" height="%s" viewBox="0 0 %d %d" preserveAspectRatio="none">`+"\n", number(l.Width), number(l.Height), w, h)
	if err := l.Background.Gradient.WriteSVG(s.w, w, h); err != nil {
		return err
	}
	s.printf("</svg>\n")
	return nil
}

// window writes the shadow, the window and its controls.
func (s *writer) window() {
	l := s.scene
	if !l.Framed {
		return
	}
	w := l.Window
	rect := fmt.Sprintf(`width="%s" height="%s" rx="%s"`, number(w.W), number(w.H), number(l.Radius))
	if l.Shadow {
		s.printf(`<filter id="dk-blur" filterUnits="userSpaceOnUse" x="0" y="0" width="%s" height="%s"><feGaussianBlur stdDeviation="%d"/></filter>`+"\n",
			number(l.Width), number(l.Height), scene.ShadowBlur)
		s.printf(`<rect x="%s" y="%s" %s fill-opacity="%v" filter="url(#dk-blur)"/>`+"\n", number(w.X), number(w.Y+scene.ShadowDrop), rect, scene.ShadowOpacity)
	}
	s.printf(`<rect x="%s" y="%s" %s fill="%s"/>`+"\n", number(w.X), number(w.Y), rect, cssColor(l.Color))
	if !l.Buttons {
		return
	}
	for i, c := range scene.ControlColors {
		x, y := l.Button(i)
		s.printf(`<circle cx="%s" cy="%s" r="%d" fill="%s"/>`+"\n", number(x), number(y), scene.ControlsSize/2, cssColor(c))
	}
}

// bands writes the bands that set off rows, within the corners of the window.
func (s *writer) bands() {
	l, w := s.scene, s.scene.Window
	clip := ""
	if l.Framed && l.Radius > 0 && slices.ContainsFunc(l.Rows, func(r scene.Row) bool { return r.Behind.A > 0 }) {
		clip = ` clip-path="url(#dk-window)"`
		s.printf(`<clipPath id="dk-window"><rect x="%s" y="%s" width="%s" height="%s" rx="%s"/></clipPath>`+"\n",
			number(w.X), number(w.Y), number(w.W), number(w.H), number(l.Radius))
	}
	for i, n := 0, 0; i < len(l.Rows); i += n { // merge rows of one colour to avoid seams
		c := l.Rows[i].Behind
		for n = 1; i+n < len(l.Rows) && l.Rows[i+n].Behind == c; {
			n++
		}
		if b := l.Band(i); c.A > 0 {
			s.printf(`<rect%s x="%s" y="%s" width="%s" height="%s" fill="%s"/>`+"\n", clip, number(b.X), number(b.Y), number(b.W), number(b.H*float64(n)), cssColor(c))
		}
	}
}

// rows writes the bands of the rows, the numbers, and the code.
func (s *writer) rows(ctx context.Context) error {
	l, g := s.scene, s.scene.Grid
	s.bands()
	for i, r := range l.Rows {
		if len(r.Number) > 0 {
			s.spans(g, i, 0, r.Number, ` class="n"`)
		}
	}
	for i, r := range l.Rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.spans(g, i, l.Gutter, r.Spans, "")
	}
	return nil
}
