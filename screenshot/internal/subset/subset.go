// Package subset makes a small TrueType font from a few glyphs of a large one,
// for embedding: outlines without hints, and a character map.
package subset

import (
	"encoding/binary"
	"maps"
	"slices"
)

// A Builder collects the glyphs of a subset. Glyphs are identified by their
// number in the original font.
type Builder struct {
	source source
	order  []uint16          // glyphs of the original font, in the order of the subset
	number map[uint16]uint16 // their numbers in the subset
	chars  map[rune]uint16   // numbers in the subset
}

// New returns a Builder for a subset of a TrueType font. The subset initially
// has only the glyph for missing characters.
func New(font string) (*Builder, error) {
	s, err := open(font)
	if err != nil {
		return nil, err
	}
	b := &Builder{source: s, number: make(map[uint16]uint16), chars: make(map[rune]uint16)}
	return b, b.include(0)
}

// Add adds the glyph of a character.
func (b *Builder) Add(r rune, glyph uint16) error {
	if _, ok := b.chars[r]; ok {
		return nil
	}
	if err := b.include(glyph); err != nil {
		return err
	}
	b.chars[r] = b.number[glyph]
	return nil
}

// include adds a glyph and its components.
func (b *Builder) include(glyph uint16) error {
	if _, ok := b.number[glyph]; ok {
		return nil
	}
	data, err := b.source.glyph(glyph)
	if err != nil {
		return err
	}
	b.number[glyph] = uint16(len(b.order))
	b.order = append(b.order, glyph)
	for at, more := componentsAt(data), true; at > 0 && more; {
		var c component
		if c, at, err = readComponent(data, at); err != nil {
			return err
		}
		if err := b.include(c.glyph); err != nil {
			return err
		}
		more = c.flags&moreComponents != 0
	}
	return nil
}

// Font returns the subset as a TrueType font.
func (b *Builder) Font() ([]byte, error) {
	var glyf, loca, hmtx []byte
	for _, glyph := range b.order {
		data, err := b.source.glyph(glyph)
		if err != nil {
			return nil, err
		}
		if data, err = b.rewrite(data); err != nil {
			return nil, err
		}
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		glyf = append(glyf, data...)
		for len(glyf)%4 != 0 {
			glyf = append(glyf, 0)
		}
		advance, bearing := b.source.metrics(glyph)
		hmtx = append(hmtx, words(uint16(advance), uint16(bearing))...)
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))

	// The other tables describe the original font. Their maxima hold for a
	// subset.
	count := uint16(len(b.order))
	tables := map[string][]byte{
		"OS/2": b.source.tables["OS/2"], "name": b.source.tables["name"], "cmap": b.charMap(), "glyf": glyf, "loca": loca, "hmtx": hmtx,
		"head": slices.Clone(b.source.tables["head"]), "hhea": slices.Clone(b.source.tables["hhea"]),
		"maxp": slices.Clone(b.source.tables["maxp"]), "post": make([]byte, 32),
	}
	binary.BigEndian.PutUint16(tables["head"][50:], 1) // loca has 32 bits
	binary.BigEndian.PutUint16(tables["hhea"][34:], count)
	binary.BigEndian.PutUint16(tables["maxp"][4:], count)
	binary.BigEndian.PutUint32(tables["post"], 0x00030000) // no names of glyphs
	return assemble(tables), nil
}

// charMap returns a cmap table with the segmented coverage of format 12.
func (b *Builder) charMap() []byte {
	runes := slices.Sorted(maps.Keys(b.chars))
	var groups []byte
	for i := 0; i < len(runes); {
		n := 1
		for i+n < len(runes) && runes[i+n] == runes[i]+rune(n) && b.chars[runes[i+n]] == b.chars[runes[i]]+uint16(n) {
			n++
		}
		groups = binary.BigEndian.AppendUint32(groups, uint32(runes[i]))
		groups = binary.BigEndian.AppendUint32(groups, uint32(runes[i+n-1]))
		groups = binary.BigEndian.AppendUint32(groups, uint32(b.chars[runes[i]]))
		i += n
	}
	table := words(0, 1, 3, 10) // version, one encoding: Windows, full Unicode
	table = binary.BigEndian.AppendUint32(table, 12)
	table = append(table, words(12, 0)...)
	table = binary.BigEndian.AppendUint32(table, uint32(16+len(groups)))
	table = binary.BigEndian.AppendUint32(table, 0)
	table = binary.BigEndian.AppendUint32(table, uint32(len(groups)/12))
	return append(table, groups...)
}

// words returns 16-bit numbers in the byte order of TrueType.
func words(v ...uint16) []byte {
	b := make([]byte, 0, 2*len(v))
	for _, w := range v {
		b = binary.BigEndian.AppendUint16(b, w)
	}
	return b
}
