package typeset

import (
	"math"
	"slices"

	"github.com/go-text/typesetting/harfbuzz"

	"github.com/devkiln/devkiln/screenshot/internal/fonts"
)

// shapeCluster sets a cluster in the first face that has all of it, else its
// first character alone. It returns nil where no face has that.
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

// overlay puts marks upon their letter in a font that sets them beside it, as
// fonts of one width do that lack the tables for marks.
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

// candidates returns the faces that may have a cluster, the best first.
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
	for _, g := range glyphs {
		if g.ID == 0 {
			return false
		}
	}
	return len(glyphs) > 0
}

// widest is how much larger wide characters are drawn than their font has
// them: two cells are more than an em.
const widest = 1.1

// fit centres glyphs in the width they have, and makes them smaller where they
// are wider. Wide characters grow a little towards it.
func fit(glyphs []Glyph, advance, room float32, wide bool) []Glyph {
	size := float32(1)
	switch {
	case advance > room:
		size = room / advance
	case wide:
		size = min(widest, room/advance)
	}
	margin := (room - advance*size) / 2
	for i := range glyphs {
		g := &glyphs[i]
		g.X, g.Y, g.Size = g.X*size+margin, g.Y*size, size
	}
	return glyphs
}

// run sets text whose letters join. It takes the cells that it needs.
func (t *Typesetter) run(text []rune, k Ink) {
	f := t.faces.fallback(text[0], k.Style, false)
	if f == nil {
		t.clustersOf(string(text), k, t.faces.Of(k.Style))
		return
	}
	glyphs, advance := shapeRun(f, text)
	cells := max(1, int(math.Ceil(float64(advance/t.cell)-0.01)))
	if t.options.Columns > 0 && cells > t.options.Columns && len(text) > 1 {
		t.run(text[:len(text)/2], k)
		t.run(text[len(text)/2:], k)
		return
	}
	t.put(Span{Kind: Shaped, Ink: k, Text: string(text), Cells: cells, Glyphs: fit(glyphs, advance, float32(cells)*t.cell, false)})
}

// shapeRun sets a run in its direction. In one from right to left, numbers
// keep theirs.
func shapeRun(f *Face, text []rune) ([]Glyph, float32) {
	if !rightToLeft(text[0]) {
		return f.shape(text, harfbuzz.LeftToRight)
	}
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' || r >= 0x660 && r <= 0x669 || r >= 0x6f0 && r <= 0x6f9 }
	var all []Glyph
	var width float32
	for end := len(text); end > 0; {
		start := end - 1
		for start > 0 && isDigit(text[start-1]) == isDigit(text[end-1]) {
			start--
		}
		direction := harfbuzz.RightToLeft
		if isDigit(text[start]) {
			direction = harfbuzz.LeftToRight
		}
		glyphs, advance := f.shape(text[start:end], direction)
		for _, g := range glyphs {
			g.X += width
			all = append(all, g)
		}
		width += advance
		end = start
	}
	return all, width
}
