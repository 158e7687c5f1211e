package typeset

import (
	"slices"

	"github.com/go-text/typesetting/harfbuzz"

	"github.com/devkiln/devkiln/screenshot/internal/fonts"
)

// shapeCluster shapes a cluster with the first face that has all of it, or else
// only its first character. It returns nil if no face has that.
func (t *Typesetter) shapeCluster(cluster []rune, style fonts.Style, main *Face) ([]Glyph, float32) {
	cluster = cluster[:min(len(cluster), 1+maxMarks)]
	candidates := t.candidates(cluster, style, main)
	for _, text := range [...][]rune{cluster, cluster[:1]} {
		for _, f := range candidates {
			if _, ok := f.NominalGlyph(cluster[0]); !ok {
				continue
			}
			if glyphs, advance := f.shape(text, harfbuzz.LeftToRight); complete(glyphs) {
				return overlay(glyphs, advance, text)
			}
		}
	}
	return nil, 0
}

// overlay moves marks onto their letter if the font sets them beside it, as
// monospaced fonts without mark positioning do.
func overlay(glyphs []Glyph, advance float32, text []rune) ([]Glyph, float32) {
	own := glyphs[0].Face.HorizontalAdvance(glyphs[0].ID) * glyphs[0].Face.Scale
	if len(glyphs) != len(text) || advance <= own || !slices.ContainsFunc(text, extends) || isEmoji(text) {
		return glyphs, advance
	}
	for i := range glyphs {
		glyphs[i].X -= float32(i) * own
	}
	return glyphs, own
}

// candidates returns the faces that may have a cluster, best first.
func (t *Typesetter) candidates(cluster []rune, style fonts.Style, main *Face) []*Face {
	emoji := isEmoji(cluster)
	list := make([]*Face, 0, 4)
	if !emoji {
		list = append(list, main)
	}
	for _, r := range cluster {
		if f := t.faces.fallback(r, style, emoji); f != nil && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	if emoji {
		list = append(list, main)
	}
	return list
}

// complete reports whether no glyph is missing.
func complete(glyphs []Glyph) bool {
	return len(glyphs) > 0 && !slices.ContainsFunc(glyphs, func(g Glyph) bool { return g.ID == 0 })
}

// widest is the largest factor by which wide characters are enlarged, since two
// cells are wider than an em.
const widest = 1.1

// fit centres glyphs in the available width, and shrinks those that are wider.
// It enlarges wide characters slightly.
func fit(glyphs []Glyph, advance, room float32, wide bool) []Glyph {
	size := float32(1)
	switch {
	case advance > room:
		size = room / advance
	case wide && advance > 0:
		size = min(widest, room/advance)
	}
	margin := (room - advance*size) / 2
	for i := range glyphs {
		g := &glyphs[i]
		g.X, g.Y, g.Size = g.X*size+margin, g.Y*size, size
	}
	return glyphs
}

// run sets text whose letters join, from left to right.
func (t *Typesetter) run(text []rune, k Ink) {
	if f := t.faces.fallback(text[0], k.Style, false); f != nil {
		t.shaped(f, text, harfbuzz.LeftToRight, k)
		return
	}
	t.clustersOf(string(text), k, t.faces.Of(k.Style))
}
