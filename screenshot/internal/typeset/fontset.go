package typeset

import (
	"bytes"
	"errors"
	"io"
	"log"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"

	"github.com/devkiln/devkiln/screenshot/internal/fonts"
)

// maxFound bounds how many answers a set of fonts remembers.
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
		f.loaded = append(f.loaded, loadedFont{face.Font, font.NormalizeFamily(d.Family), d.Aspect})
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
	var best *font.Font
	for _, l := range f.loaded {
		if l.family == name && (best == nil || l.aspect == aspectOf(style)) {
			best = l.Font
		}
	}
	if best != nil {
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

// search prefers fonts with colours for emoji, and the right style otherwise.
func (f *Fonts) search(q fontQuery) *font.Font {
	var best *font.Font
	for _, l := range f.loaded {
		if _, ok := l.NominalGlyph(q.r); !ok {
			continue
		}
		colours := len(l.BitmapSizes()) > 0
		if best == nil || q.emoji && colours || !q.emoji && l.aspect == aspectOf(q.style) && !colours {
			best = l.Font
		}
	}
	if best != nil || f.system == nil {
		return best
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
