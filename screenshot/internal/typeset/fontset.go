package typeset

import (
	"bytes"
	"errors"
	"io"
	"log"
	"slices"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"

	"github.com/devkiln/devkiln/screenshot/internal/fonts"
)

// maxFound bounds how many look-ups a set of fonts remembers.
const maxFound = 1 << 16

// Fonts is a set of fonts for what the embedded font lacks. The zero set and a
// nil one are empty. When all are added, many goroutines may use it.
type Fonts struct {
	loaded []loadedFont

	mu     sync.Mutex // guards what follows
	system *fontscan.FontMap
	found  map[fontQuery]*font.Font
}

type loadedFont struct {
	*font.Font
	name   string // of the family, as the font has it
	family string // normalised
	aspect font.Aspect
}

type fontQuery struct {
	r     rune
	style fonts.Style
	emoji bool
}

// ErrNoFont says that data is no font.
var ErrNoFont = errors.New("not a TrueType or OpenType font")

// Add adds the faces of a font file, after those that are there. It keeps data.
func (f *Fonts) Add(data []byte) error {
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

// AddSystem adds the fonts that the system has, after those that were added.
// An index of them is kept in cacheDir, or where the system keeps such things
// if cacheDir is empty.
func (f *Fonts) AddSystem(cacheDir string) error {
	m := fontscan.NewFontMap(log.New(io.Discard, "", 0))
	if err := m.UseSystemFonts(cacheDir); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.system = m
	clear(f.found)
	return nil
}

// Families returns the names of the families that were added, in their order,
// without those of the system.
func (f *Fonts) Families() []string {
	var names []string
	for _, l := range f.loaded {
		if !slices.Contains(names, l.name) {
			names = append(names, l.name)
		}
	}
	return names
}

// Has reports whether the set has a family. A nil set has none.
func (f *Fonts) Has(family string) bool {
	return f.family(family, 0) != nil
}

// family returns the font of a family that comes nearest to a style, or nil.
func (f *Fonts) family(name string, style fonts.Style) *font.Font {
	if f == nil {
		return nil
	}
	name = font.NormalizeFamily(name)
	if best := f.nearest(name, style, '0'); best != nil {
		return best
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.system == nil {
		return nil
	}
	f.system.SetQuery(fontscan.Query{Families: []string{name}, Aspect: aspectOf(style)})
	if face := f.system.ResolveFace('0'); face != nil {
		if family, _ := f.system.FontMetadata(face.Font); font.NormalizeFamily(family) == name {
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

// find returns a font that has r, or nil. A nil set has none.
func (f *Fonts) find(r rune, style fonts.Style, emoji bool) *font.Font {
	if f == nil {
		return nil
	}
	q := fontQuery{r, style, emoji}
	f.mu.Lock()
	defer f.mu.Unlock()
	found, ok := f.found[q]
	if !ok {
		if len(f.found) >= maxFound {
			clear(f.found)
		}
		if f.found == nil {
			f.found = make(map[fontQuery]*font.Font)
		}
		found = f.search(q)
		f.found[q] = found
	}
	return found
}

// nearest returns the font of a family that has r, in its style if there is
// one, or nil. Of several, it is the first.
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
		if best == nil {
			best = l.Font
		}
	}
	return best
}

// search returns the first font that has the character, in its style if another
// of its family has that. Fonts with colours are for emoji, and for what no
// other has.
func (f *Fonts) search(q fontQuery) *font.Font {
	var other *font.Font
	for _, l := range f.loaded {
		if _, ok := l.NominalGlyph(q.r); !ok {
			continue
		}
		if colours := len(l.BitmapSizes()) > 0; colours == q.emoji {
			return f.nearest(l.family, q.style, q.r)
		}
		if other == nil {
			other = l.Font
		}
	}
	if other != nil || f.system == nil {
		return other
	}
	families := []string{"DejaVu Sans Mono", "Noto Sans Mono", fontscan.Monospace, fontscan.SansSerif, "Noto Color Emoji"}
	if q.emoji {
		families = []string{"Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji", fontscan.Emoji}
	}
	f.system.SetQuery(fontscan.Query{Families: families, Aspect: aspectOf(q.style)})
	if face := f.system.ResolveFace(q.r); face != nil {
		if _, ok := face.NominalGlyph(q.r); ok {
			return face.Font
		}
	}
	return nil
}
