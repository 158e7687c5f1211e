package subset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
)

var errShort = errors.New("subset: the font is truncated")

// A source is the original font.
type source struct {
	tables   map[string][]byte
	longLoca bool
	metered  int // number of glyphs with their own advance
}

// minimal lists the required tables with their minimum lengths.
var minimal = map[string]int{"head": 54, "hhea": 36, "maxp": 32, "OS/2": 68, "hmtx": 4, "loca": 4, "glyf": 0, "name": 6}

func open(font string) (source, error) {
	data := []byte(font)
	s := source{tables: make(map[string][]byte)}
	if len(data) < 12 {
		return s, errShort
	}
	count := int(binary.BigEndian.Uint16(data[4:]))
	if len(data) < 12+16*count {
		return s, errShort
	}
	for i := range count {
		record := data[12+16*i:]
		at, length := int(binary.BigEndian.Uint32(record[8:])), int(binary.BigEndian.Uint32(record[12:]))
		if at > len(data) || length > len(data)-at {
			return s, errShort
		}
		s.tables[string(record[:4])] = data[at : at+length : at+length]
	}
	for name, length := range minimal {
		if table, ok := s.tables[name]; !ok || len(table) < length {
			return s, fmt.Errorf("subset: table %s is missing or truncated", name)
		}
	}
	s.longLoca = binary.BigEndian.Uint16(s.tables["head"][50:]) == 1
	s.metered = int(binary.BigEndian.Uint16(s.tables["hhea"][34:]))
	if s.metered == 0 || len(s.tables["hmtx"]) < 4*s.metered {
		return s, errShort
	}
	return s, nil
}

// glyph returns the outline of a glyph, which is empty for a blank.
func (s source) glyph(n uint16) ([]byte, error) {
	loca, glyf := s.tables["loca"], s.tables["glyf"]
	var from, to int
	switch i := int(n); {
	case s.longLoca && len(loca) >= 4*i+8:
		from, to = int(binary.BigEndian.Uint32(loca[4*i:])), int(binary.BigEndian.Uint32(loca[4*i+4:]))
	case !s.longLoca && len(loca) >= 2*i+4:
		from, to = 2*int(binary.BigEndian.Uint16(loca[2*i:])), 2*int(binary.BigEndian.Uint16(loca[2*i+2:]))
	default:
		return nil, fmt.Errorf("subset: no glyph %d", n)
	}
	if from > to || to > len(glyf) || to > from && to-from < 10 {
		return nil, errShort
	}
	return glyf[from:to], nil
}

// metrics returns the advance and the left side bearing of a glyph.
func (s source) metrics(n uint16) (advance, bearing int) {
	hmtx, i := s.tables["hmtx"], int(n)
	if i < s.metered {
		return int(binary.BigEndian.Uint16(hmtx[4*i:])), int(int16(binary.BigEndian.Uint16(hmtx[4*i+2:])))
	}
	advance = int(binary.BigEndian.Uint16(hmtx[4*s.metered-4:]))
	if at := 4*s.metered + 2*(i-s.metered); at+2 <= len(hmtx) {
		bearing = int(int16(binary.BigEndian.Uint16(hmtx[at:])))
	}
	return advance, bearing
}

// The flags of a component of a composite glyph.
const (
	wordArguments    = 1 << 0
	oneScale         = 1 << 3
	moreComponents   = 1 << 5
	twoScales        = 1 << 6
	fourScales       = 1 << 7
	haveInstructions = 1 << 8
)

type component struct {
	flags uint16
	glyph uint16
}

// componentsAt returns the offset of the components of a glyph, or 0 for a
// simple glyph or a blank.
func componentsAt(data []byte) int {
	if len(data) < 10 || int16(binary.BigEndian.Uint16(data)) >= 0 {
		return 0
	}
	return 10
}

// readComponent reads a component and returns the offset of the next.
func readComponent(data []byte, at int) (component, int, error) {
	if at+4 > len(data) {
		return component{}, 0, errShort
	}
	c := component{flags: binary.BigEndian.Uint16(data[at:]), glyph: binary.BigEndian.Uint16(data[at+2:])}
	next := at + 6
	if c.flags&wordArguments != 0 {
		next += 2
	}
	switch {
	case c.flags&oneScale != 0:
		next += 2
	case c.flags&twoScales != 0:
		next += 4
	case c.flags&fourScales != 0:
		next += 8
	}
	if next > len(data) {
		return component{}, 0, errShort
	}
	return c, next, nil
}

// rewrite returns a glyph of the original font for the subset: without hints,
// and with the new numbers of its components.
func (b *Builder) rewrite(data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, nil
	}
	at := componentsAt(data)
	if at == 0 {
		return withoutHints(data)
	}
	out := slices.Clone(data)
	for {
		c, next, err := readComponent(out, at)
		if err != nil {
			return nil, err
		}
		binary.BigEndian.PutUint16(out[at:], c.flags&^haveInstructions)
		binary.BigEndian.PutUint16(out[at+2:], b.number[c.glyph])
		if at = next; c.flags&moreComponents == 0 {
			return out[:at], nil
		}
	}
}

// withoutHints returns a simple glyph without its instructions.
func withoutHints(data []byte) ([]byte, error) {
	at := 10 + 2*int(binary.BigEndian.Uint16(data))
	if at+2 > len(data) {
		return nil, errShort
	}
	end := at + 2 + int(binary.BigEndian.Uint16(data[at:]))
	if end > len(data) {
		return nil, errShort
	}
	return slices.Concat(data[:at], []byte{0, 0}, data[end:]), nil
}

// assemble assembles a font file from its tables and computes the checksums.
func assemble(tables map[string][]byte) []byte {
	names := slices.Sorted(maps.Keys(tables))
	binary.BigEndian.PutUint32(tables["head"][8:], 0) // set below

	power, exponent := 1, 0
	for power*2 <= len(names) {
		power, exponent = power*2, exponent+1
	}
	file := append(words(1, 0), words(uint16(len(names)), uint16(16*power), uint16(exponent), uint16(16*(len(names)-power)))...)
	at := 12 + 16*len(names)
	var body []byte
	head := 0
	for _, name := range names {
		table := tables[name]
		if name == "head" {
			head = at + len(body)
		}
		file = append(file, name...)
		file = binary.BigEndian.AppendUint32(file, sum(table))
		file = binary.BigEndian.AppendUint32(file, uint32(at+len(body)))
		file = binary.BigEndian.AppendUint32(file, uint32(len(table)))
		body = append(body, table...)
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
	}
	file = append(file, body...)
	const magic = 0xb1b0afba // required checksum of the whole file
	binary.BigEndian.PutUint32(file[head+8:], magic-sum(file))
	return file
}

// sum returns the checksum of a table.
func sum(data []byte) uint32 {
	var total uint32
	for ; len(data) >= 4; data = data[4:] {
		total += binary.BigEndian.Uint32(data)
	}
	var rest [4]byte
	copy(rest[:], data)
	return total + binary.BigEndian.Uint32(rest[:])
}
