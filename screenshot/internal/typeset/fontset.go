package typeset

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"log"
	"slices"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"

	"github.com/devkiln/devkiln/screenshot/internal/fonts"
)

// Fonts is a set of fonts for characters that the embedded font lacks. The zero
// set is empty. After the last font is added, a set may be used by several
// goroutines at once.
type Fonts struct {
	loaded []loadedFont

	// system loads the fonts of the system when first called, and returns nil
	// if that fails. It is nil if they are not used.
	system func() *fontscan.FontMap

	mu sync.Mutex // guards system
}

type loadedFont struct {
	*font.Font
	name   string // family name in the font
	family string // normalised
	aspect font.Aspect
}

// ErrNoFont is returned for data that is not a font.
var ErrNoFont = errors.New("not a TrueType or OpenType font")

// Add appends the faces of a font file. It retains data. The parser panics on
// some files of which the end is missing.
func (f *Fonts) Add(data []byte) (err error) {
	defer func() {
		if recover() != nil {
			err = ErrNoFont
		}
	}()
	faces, err := font.ParseTTC(bytes.NewReader(data))
	if err != nil {
		return ErrNoFont
	}
	for _, face := range faces {
		d := face.Describe()
		f.loaded = append(f.loaded, loadedFont{face.Font, d.Family, font.NormalizeFamily(d.Family), d.Aspect})
	}
	return nil
}

// AddSystem adds the fonts of the system, after those added by Add. They are
// loaded when they are first needed; if that fails, failed is called with the
// error. It keeps an index of them in cacheDir, or in the default directory of
// the system if cacheDir is empty.
func (f *Fonts) AddSystem(cacheDir string, failed func(error)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.system = sync.OnceValue(func() *fontscan.FontMap {
		m := fontscan.NewFontMap(log.New(io.Discard, "", 0))
		if err := m.UseSystemFonts(cacheDir); err != nil {
			failed(err)
			return nil
		}
		return m
	})
}

// resolve returns a face of the system's fonts for r, or nil.
func (f *Fonts) resolve(r rune, style fonts.Style, families ...string) *font.Face {
	if f.system == nil || f.system() == nil {
		return nil
	}
	f.system().SetQuery(fontscan.Query{Families: families, Aspect: aspectOf(style)})
	return f.system().ResolveFace(r)
}

// Families returns the names of the embedded families, and of those added by
// Add, in order.
func (f *Fonts) Families() []string {
	names := fonts.Families()
	for _, l := range f.loaded {
		if !slices.Contains(names, l.name) {
			names = append(names, l.name)
		}
	}
	return names
}

// Has reports whether there is a family in the set or among those embedded.
func (f *Fonts) Has(family string) bool {
	return f.family(family, 0) != nil
}

// family returns the font of a family closest to a style, or nil. An embedded
// family is preferred, which needs no search.
func (f *Fonts) family(name string, style fonts.Style) *font.Font {
	if own := Embedded(name, style); own != nil {
		return own
	}
	name = font.NormalizeFamily(name)
	if best := f.nearest(name, style, '0'); best != nil {
		return best
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if face := f.resolve('0', style, name); face != nil {
		if family, _ := f.system().FontMetadata(face.Font); font.NormalizeFamily(family) == name {
			return face.Font
		}
	}
	return nil
}

func aspectOf(style fonts.Style) font.Aspect {
	a := font.Aspect{Style: font.StyleNormal, Weight: font.WeightNormal, Stretch: font.StretchNormal}
	if style&fonts.Bold != 0 {
		a.Weight = font.WeightBold
	}
	if style&fonts.Italic != 0 {
		a.Style = font.StyleItalic
	}
	return a
}

// nearest returns the first font of a family with a glyph for r, in the given
// style if possible, or nil.
func (f *Fonts) nearest(family string, style fonts.Style, r rune) *font.Font {
	var best *font.Font
	for _, l := range f.loaded {
		if l.family != family {
			continue
		}
		if _, ok := l.NominalGlyph(r); !ok {
			continue
		}
		if l.aspect == aspectOf(style) {
			return l.Font
		}
		best = cmp.Or(best, l.Font)
	}
	return best
}

// find returns the first font with a glyph for r, or the font of its family in
// the style, or nil. Colour fonts are used for emoji, and for characters that no
// other font has.
func (f *Fonts) find(r rune, style fonts.Style, emoji bool) *font.Font {
	var other *font.Font
	for _, l := range f.loaded {
		if _, ok := l.NominalGlyph(r); !ok {
			continue
		}
		if colours := len(l.BitmapSizes()) > 0; colours == emoji {
			return f.nearest(l.family, style, r)
		}
		other = cmp.Or(other, l.Font)
	}
	if other != nil {
		return other
	}
	families := []string{"DejaVu Sans Mono", "Noto Sans Mono", fontscan.Monospace, fontscan.SansSerif, "Noto Color Emoji"}
	if emoji {
		families = []string{"Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji", fontscan.Emoji}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if face := f.resolve(r, style, families...); face != nil {
		if _, ok := face.NominalGlyph(r); ok {
			return face.Font
		}
	}
	return nil
}
