package typeset

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"

	"github.com/devkiln/devkiln/screenshot/internal/fonts"
)

// A Face is a font as used by one typesetter.
type Face struct {
	*font.Face
	Scale   float32 // pixels per font unit, at the size of the code
	shaper  *harfbuzz.Font
	damaged *error // of its Faces
}

// try calls use. If the font has tables on which that panics, as those of
// damaged files may be, its Faces have an error.
func (f *Face) try(use func()) {
	defer func() {
		if fault := recover(); fault != nil {
			*f.damaged = fmt.Errorf("the font %s is damaged: %v", f.Describe().Family, fault)
		}
	}()
	use()
}

// Embedded returns the font of an embedded family in a style, parsed once. It
// is nil for another family.
func Embedded(family string, style fonts.Style) *font.Font {
	key := struct {
		family string
		style  fonts.Style
	}{family, style}
	found, ok := embedded.Load(key)
	if !ok {
		face, err := font.ParseTTF(bytes.NewReader(fonts.File(family, style)))
		if err != nil {
			return nil
		}
		found, _ = embedded.LoadOrStore(key, face.Font)
	}
	return found.(*font.Font)
}

var embedded sync.Map // of *font.Font, by family and style

// Faces holds the faces of one screenshot.
type Faces struct {
	set    *Fonts
	family string
	size   float32
	main   [fonts.Styles]*Face
	used   map[*font.Font]*Face

	missing map[rune]bool // shared with other sizes, as is
	damaged *error
}

// NewFaces returns the faces for text of a size in CSS pixels: those of a
// family of set or, by default, the embedded font, and the fonts of set for
// characters that it lacks.
func NewFaces(set *Fonts, family string, size float64) *Faces {
	return &Faces{set: set, family: family, size: float32(size), used: make(map[*font.Font]*Face), missing: make(map[rune]bool), damaged: new(error)}
}

// Sized returns the faces of another size.
func (f *Faces) Sized(size float64) *Faces {
	other := NewFaces(f.set, f.family, size)
	other.missing, other.damaged = f.missing, f.damaged
	return other
}

// Missing returns the characters that no face has, in any size.
func (f *Faces) Missing() []rune { return slices.Sorted(maps.Keys(f.missing)) }

// Verify returns an error if a font is too damaged to be shaped, or for the
// glyphs of the spans that each visits to be drawn.
func (f *Faces) Verify(each func(func(*Span))) error {
	main := f.Of(0)
	if id, _ := main.NominalGlyph('0'); !(main.HorizontalAdvance(id) > 0) {
		return fmt.Errorf("the font %s is damaged: its digits have no width", main.Describe().Family)
	}
	known := make(map[Glyph]bool)
	each(func(s *Span) {
		for _, g := range s.Glyphs {
			if key := (Glyph{Face: g.Face, ID: g.ID}); !known[key] {
				known[key] = true
				g.Face.try(func() {
					g.Face.GlyphData(g.ID)
					g.Face.GlyphDataOutline(g.ID)
				})
			}
		}
	})
	return *f.damaged
}

// Of returns the main face of a style.
func (f *Faces) Of(style fonts.Style) *Face {
	if f.main[style] == nil {
		from := f.set.family(cmp.Or(f.family, fonts.Family), style)
		if from == nil {
			from = Embedded(fonts.Family, style)
		}
		f.main[style] = f.open(from)
	}
	return f.main[style]
}

func (f *Faces) open(from *font.Font) *Face {
	opened := f.used[from]
	if opened == nil {
		opened = &Face{Face: font.NewFace(from), Scale: f.size / float32(from.Upem()), damaged: f.damaged}
		f.used[from] = opened
	}
	return opened
}

// fallback returns a face with a glyph for r, which the main face lacks, or
// nil.
func (f *Faces) fallback(r rune, style fonts.Style, emoji bool) *Face {
	if f.family != "" && !emoji {
		if _, ok := Embedded(fonts.Family, style).NominalGlyph(r); ok {
			return f.open(Embedded(fonts.Family, style))
		}
	}
	if found := f.set.find(r, style, emoji); found != nil {
		return f.open(found)
	}
	return nil
}

// A Glyph is a glyph of a face at a position relative to the start of its span,
// in CSS pixels with y down.
type Glyph struct {
	Face *Face
	ID   font.GID
	X, Y float32
	Size float32 // relative to the size of the code
}

// shape sets text in a face and returns its glyphs and their advance, in
// pixels at the size of the code.
func (f *Face) shape(text []rune, direction harfbuzz.Direction) ([]Glyph, float32) {
	if f.shaper == nil {
		f.shaper = harfbuzz.NewFont(f.Face)
	}
	b := harfbuzz.NewBuffer()
	b.AddRunes(text, 0, len(text))
	b.GuessSegmentProperties()
	b.Props.Direction = direction
	if f.try(func() { b.Shape(f.shaper, nil) }); *f.damaged != nil {
		return nil, 0
	}
	glyphs := make([]Glyph, len(b.Info))
	var x float32
	for i, info := range b.Info {
		p := b.Pos[i]
		glyphs[i] = Glyph{Face: f, ID: info.Glyph, X: x + float32(p.XOffset)*f.Scale, Y: -float32(p.YOffset) * f.Scale, Size: 1}
		x += float32(p.XAdvance) * f.Scale
	}
	return glyphs, x
}
