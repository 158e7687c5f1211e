package screenshot

import (
	"strings"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"

	"github.com/devkiln/devkiln/screenshot/internal/fonts"
)

// A face is a font in the hands of one typesetter.
type face struct {
	*font.Face
	scale  float32 // pixels per font unit, at the size of the code
	shaper *harfbuzz.Font
}

// embedded returns the embedded font of a style, parsed once.
func embedded(style fonts.Style) *font.Font {
	return embeddedFonts[style%fonts.Styles]()
}

var embeddedFonts = [fonts.Styles]func() *font.Font{
	sync.OnceValue(func() *font.Font { return parseEmbedded(0) }),
	sync.OnceValue(func() *font.Font { return parseEmbedded(1) }),
	sync.OnceValue(func() *font.Font { return parseEmbedded(2) }),
	sync.OnceValue(func() *font.Font { return parseEmbedded(3) }),
}

func parseEmbedded(style fonts.Style) *font.Font {
	parsed, err := font.ParseTTF(strings.NewReader(fonts.TTF(style)))
	if err != nil {
		panic(err) // the files are checked by their sums
	}
	return parsed.Font
}

// faces hands out the faces of one screenshot.
type faces struct {
	set    *Fonts
	family string
	size   float32
	main   [fonts.Styles]*face
	used   map[*font.Font]*face
}

func newFaces(e Extras, size float64) *faces {
	return &faces{set: e.Fonts, family: e.FontFamily, size: float32(size), used: make(map[*font.Font]*face)}
}

// of returns the face that the code is set in.
func (f *faces) of(style fonts.Style) *face {
	if f.main[style] == nil {
		from := embedded(style)
		if f.family != "" {
			if own := f.set.family(f.family, style); own != nil {
				from = own
			}
		}
		f.main[style] = f.open(from)
	}
	return f.main[style]
}

func (f *faces) open(from *font.Font) *face {
	opened := f.used[from]
	if opened == nil {
		opened = &face{Face: font.NewFace(from), scale: f.size / float32(from.Upem())}
		f.used[from] = opened
	}
	return opened
}

// fallback returns a face that has r where the main one does not, or nil.
func (f *faces) fallback(r rune, style fonts.Style, emoji bool) *face {
	if f.family != "" && !emoji {
		if _, ok := embedded(style).NominalGlyph(r); ok {
			return f.open(embedded(style))
		}
	}
	if found := f.set.find(r, style, emoji); found != nil {
		return f.open(found)
	}
	return nil
}

// A glyph is a shape of a face at a place relative to where its span begins,
// in CSS pixels, y down.
type glyph struct {
	face *face
	id   font.GID
	x, y float32
	size float32 // relative to the code's
}

// shape sets text in a face and returns its glyphs and their advance, in
// pixels at the size of the code.
func (f *face) shape(text []rune, direction harfbuzz.Direction) ([]glyph, float32) {
	if f.shaper == nil {
		f.shaper = harfbuzz.NewFont(f.Face)
	}
	b := harfbuzz.NewBuffer()
	b.AddRunes(text, 0, len(text))
	b.GuessSegmentProperties()
	b.Props.Direction = direction
	b.Shape(f.shaper, nil)
	glyphs := make([]glyph, len(b.Info))
	var x float32
	for i, info := range b.Info {
		p := b.Pos[i]
		glyphs[i] = glyph{face: f, id: info.Glyph, x: x + float32(p.XOffset)*f.scale, y: -float32(p.YOffset) * f.scale, size: 1}
		x += float32(p.XAdvance) * f.scale
	}
	return glyphs, x
}
