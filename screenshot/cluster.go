package screenshot

import (
	"math"
	"slices"

	"github.com/go-text/typesetting/harfbuzz"

	"github.com/devkiln/devkiln/screenshot/internal/fonts"
)

// shapeCluster sets a cluster in the first face that has all of it, else its
// first character alone. It returns nil where no face has that.
func (t *typesetter) shapeCluster(cluster []rune, style fonts.Style, main *face) ([]glyph, float32) {
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
func overlay(glyphs []glyph, advance float32, text []rune) ([]glyph, float32) {
	own := glyphs[0].face.HorizontalAdvance(glyphs[0].id) * glyphs[0].face.scale
	if len(glyphs) != len(text) || advance <= own || !slices.ContainsFunc(text, extends) || isEmoji(text) {
		return glyphs, advance
	}
	for i := range glyphs {
		glyphs[i].x -= float32(i) * own
	}
	return glyphs, own
}

// candidates returns the faces that may have a cluster, the best first.
func (t *typesetter) candidates(cluster []rune, style fonts.Style, main *face) []*face {
	emoji := isEmoji(cluster)
	list := make([]*face, 0, 4)
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
func complete(glyphs []glyph) bool {
	for _, g := range glyphs {
		if g.id == 0 {
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
func fit(glyphs []glyph, advance, room float32, wide bool) []glyph {
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
		g.x, g.y, g.size = g.x*size+margin, g.y*size, size
	}
	return glyphs
}

// run sets text whose letters join. It takes the cells that it needs.
func (t *typesetter) run(text []rune, k ink) {
	f := t.faces.fallback(text[0], k.style, false)
	if f == nil {
		t.clustersOf(string(text), k, t.faces.of(k.style))
		return
	}
	glyphs, advance := shapeRun(f, text)
	cells := max(1, int(math.Ceil(float64(advance/t.cell)-0.01)))
	if t.columns > 0 && cells > t.columns && len(text) > 1 {
		t.run(text[:len(text)/2], k)
		t.run(text[len(text)/2:], k)
		return
	}
	t.put(span{kind: shapedSpan, ink: k, text: string(text), cells: cells, glyphs: fit(glyphs, advance, float32(cells)*t.cell, false)})
}

// shapeRun sets a run in its direction. In one from right to left, numbers
// keep theirs.
func shapeRun(f *face, text []rune) ([]glyph, float32) {
	if !rightToLeft(text[0]) {
		return f.shape(text, harfbuzz.LeftToRight)
	}
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' || r >= 0x660 && r <= 0x669 || r >= 0x6f0 && r <= 0x6f9 }
	var all []glyph
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
			g.x += width
			all = append(all, g)
		}
		width += advance
		end = start
	}
	return all, width
}
