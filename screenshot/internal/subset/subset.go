// Package subset makes a small TrueType font of a few glyphs of a large one,
// for embedding: outlines without hints, a character map, and ligatures that
// the caller has made up from the glyphs of a shaped text.
package subset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Builder collects the glyphs of a subset. Glyphs are given by their number
// in the large font.
type Builder struct {
	source source
	order  []uint16          // glyphs of the large font, in the order of the subset
	number map[uint16]uint16 // their numbers in the subset
	chars  map[rune]uint16   // numbers in the subset

	ligatures []ligature
}

type ligature struct {
	text    string
	glyphs  []uint16 // of its characters, numbers in the subset
	parts   []Part
	advance int
}

// A Part is a glyph in a ligature, moved to the right by X font units.
type Part struct {
	Glyph uint16
	X     int
}

// New returns a Builder for subsets of a TrueType font. It has the glyph for
// missing characters, and nothing else.
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

// AddLigature adds a ligature for a text of at least two characters, all of
// which have been added. Advance is its width in font units.
func (b *Builder) AddLigature(text string, parts []Part, advance int) error {
	l := ligature{text: text, parts: parts, advance: advance}
	if slices.ContainsFunc(b.ligatures, func(old ligature) bool { return old.text == text }) {
		return nil
	}
	for _, r := range text {
		n, ok := b.chars[r]
		if !ok {
			return fmt.Errorf("subset: no glyph for %q of the ligature %q", r, text)
		}
		l.glyphs = append(l.glyphs, n)
	}
	if len(l.glyphs) < 2 {
		return fmt.Errorf("subset: the ligature %q has no two characters", text)
	}
	for _, p := range parts {
		if err := b.include(p.Glyph); err != nil {
			return err
		}
	}
	b.ligatures = append(b.ligatures, l)
	return nil
}

// include adds a glyph and those that it is composed of.
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
	if len(b.order)+len(b.ligatures) > math.MaxUint16 {
		return nil, errors.New("subset: too many glyphs")
	}
	var out outlines
	for _, glyph := range b.order {
		data, err := b.source.glyph(glyph)
		if err != nil {
			return nil, err
		}
		if data, err = b.rewrite(data); err != nil {
			return nil, err
		}
		advance, bearing := b.source.metrics(glyph)
		out.add(data, advance, bearing)
	}
	for _, l := range b.ligatures {
		data, bearing, err := b.compose(l)
		if err != nil {
			return nil, err
		}
		out.add(data, l.advance, bearing)
	}
	out.loca = binary.BigEndian.AppendUint32(out.loca, uint32(len(out.glyf)))

	count := uint16(len(b.order) + len(b.ligatures))
	tables := map[string][]byte{
		"OS/2": b.source.tables["OS/2"], "name": b.source.names(), "cmap": b.charMap(), "glyf": out.glyf, "loca": out.loca, "hmtx": out.hmtx,
		"head": slices.Clone(b.source.tables["head"]), "hhea": slices.Clone(b.source.tables["hhea"]),
		"maxp": slices.Clone(b.source.tables["maxp"]), "post": make([]byte, 32),
	}
	out.all.write(tables["head"], tables["hhea"])
	binary.BigEndian.PutUint16(tables["head"][50:], 1) // loca has 32 bits
	binary.BigEndian.PutUint16(tables["hhea"][34:], count)
	setLimits(tables["maxp"], count, b.longestLigature())
	binary.BigEndian.PutUint32(tables["post"], 0x00030000) // no names of glyphs
	if len(b.ligatures) > 0 {
		tables["GSUB"] = b.substitutions()
	}
	return assemble(tables), nil
}

// outlines are the tables of a font that have something for each glyph.
type outlines struct {
	glyf, loca, hmtx []byte
	all              extremes
}

// add appends a glyph. loca lacks the end of the last.
func (o *outlines) add(data []byte, advance, bearing int) {
	o.all.add(data, advance)
	o.loca = binary.BigEndian.AppendUint32(o.loca, uint32(len(o.glyf)))
	o.glyf = append(o.glyf, data...)
	for len(o.glyf)%4 != 0 {
		o.glyf = append(o.glyf, 0)
	}
	o.hmtx = binary.BigEndian.AppendUint16(o.hmtx, uint16(advance))
	o.hmtx = binary.BigEndian.AppendUint16(o.hmtx, uint16(bearing))
}

// The extremes of a font are a box around all glyphs, and the largest advance.
// Browsers do not paint what is outside.
type extremes struct {
	box     [4]int // left, bottom, right, top
	advance int
}

func (e *extremes) add(glyph []byte, advance int) {
	e.advance = max(e.advance, advance)
	if len(glyph) == 0 {
		return
	}
	for i := range e.box {
		side := int(int16(binary.BigEndian.Uint16(glyph[2+2*i:])))
		if i < 2 {
			e.box[i] = min(e.box[i], side)
		} else {
			e.box[i] = max(e.box[i], side)
		}
	}
}

func (e *extremes) write(head, hhea []byte) {
	for i, side := range e.box {
		binary.BigEndian.PutUint16(head[36+2*i:], uint16(side))
	}
	binary.BigEndian.PutUint16(hhea[10:], uint16(e.advance))
	binary.BigEndian.PutUint16(hhea[16:], uint16(e.box[2])) // the largest extent
}

func (b *Builder) longestLigature() int {
	longest := 0
	for _, l := range b.ligatures {
		longest = max(longest, len(l.parts))
	}
	return longest
}

// setLimits sets what maxp says about the subset: no hints, and ligatures are
// one level deeper than what they are made of.
func setLimits(maxp []byte, glyphs uint16, parts int) {
	put := func(at int, v uint16) { binary.BigEndian.PutUint16(maxp[at:], v) }
	get := func(at int) uint16 { return binary.BigEndian.Uint16(maxp[at:]) }
	put(4, glyphs)
	many := func(v uint16) uint16 { return uint16(min(math.MaxUint16, int(v)*max(parts, 1))) }
	put(10, max(get(10), many(max(get(6), get(10)))))
	put(12, max(get(12), many(max(get(8), get(12)))))
	put(14, 1) // zones
	for at := 16; at <= 26; at += 2 {
		put(at, 0) // twilight points, storage, functions, instructions, stack
	}
	put(28, max(get(28), uint16(parts)))
	put(30, get(30)+1)
}

// charMap returns a cmap table with the segmented coverage of format 12.
func (b *Builder) charMap() []byte {
	var runes []rune
	for r := range b.chars {
		runes = append(runes, r)
	}
	slices.Sort(runes)
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

// substitutions returns a GSUB table with the feature liga.
func (b *Builder) substitutions() []byte {
	type numbered struct {
		ligature
		glyph uint16
	}
	sets := make(map[uint16][]numbered)
	for i, l := range b.ligatures {
		sets[l.glyphs[0]] = append(sets[l.glyphs[0]], numbered{l, uint16(len(b.order) + i)})
	}
	var first []uint16
	for glyph := range sets {
		first = append(first, glyph)
	}
	slices.Sort(first)

	var setTables, offsets []byte
	at := 6 + 2*len(first)
	for _, glyph := range first {
		set := sets[glyph]
		slices.SortStableFunc(set, func(a, b numbered) int { return len(b.glyphs) - len(a.glyphs) })
		table, own := words(uint16(len(set))), []byte(nil)
		for _, l := range set {
			table = append(table, words(uint16(2+2*len(set)+len(own)))...)
			own = append(own, words(l.glyph, uint16(len(l.glyphs)))...)
			own = append(own, words(l.glyphs[1:]...)...)
		}
		offsets = append(offsets, words(uint16(at+len(setTables)))...)
		setTables = append(setTables, append(table, own...)...)
	}
	coverage := append(words(1, uint16(len(first))), words(first...)...)
	subtable := append(words(1, uint16(at+len(setTables)), uint16(len(first))), offsets...)
	subtable = append(append(subtable, setTables...), coverage...)

	scripts := append(words(1), "DFLT"...)
	scripts = append(scripts, words(8, 4, 0, 0, 0xffff, 1, 0)...)
	features := append(words(1), "liga"...)
	features = append(features, words(8, 0, 1, 0)...)
	lookups := append(words(1, 4, 4, 0, 1, 8), subtable...)
	header := words(1, 0, 10, uint16(10+len(scripts)), uint16(10+len(scripts)+len(features)))
	return slices.Concat(header, scripts, features, lookups)
}

// words returns numbers of 16 bits in the order of TrueType.
func words(v ...uint16) []byte {
	b := make([]byte, 0, 2*len(v))
	for _, w := range v {
		b = binary.BigEndian.AppendUint16(b, w)
	}
	return b
}
