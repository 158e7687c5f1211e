package subset_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot/internal/fonts"
	"github.com/devkiln/devkiln/screenshot/internal/subset"
)

func parse(t *testing.T, data []byte) *font.Face {
	t.Helper()
	face, err := font.ParseTTF(bytes.NewReader(data))
	require.NoError(t, err)
	return face
}

// text has simple and composed glyphs, and one from outside of Latin.
const text = "Hamburgefonstiv 0123 äéîçñŠ → Ж Ω {}[]!=<>"

func TestBuilder_keepsOutlines(t *testing.T) {
	for style := range fonts.Style(fonts.Styles) {
		whole := parse(t, []byte(fonts.TTF(style)))
		b, err := subset.New(fonts.TTF(style))
		require.NoError(t, err)
		for _, r := range text {
			id, ok := whole.NominalGlyph(r)
			require.True(t, ok, "%q", r)
			require.NoError(t, b.Add(r, uint16(id)))
		}
		data, err := b.Font()
		require.NoError(t, err)
		assert.Less(t, len(data), 12_000)

		part := parse(t, data)
		for _, r := range text {
			want, _ := whole.NominalGlyph(r)
			got, ok := part.NominalGlyph(r)
			require.True(t, ok, "%q", r)
			wantOutline, _ := whole.GlyphDataOutline(want)
			gotOutline, _ := part.GlyphDataOutline(got)
			assert.Equal(t, wantOutline, gotOutline, "%q in style %d", r, style)
			assert.Equal(t, whole.HorizontalAdvance(want), part.HorizontalAdvance(got), "%q in style %d", r, style)
		}
		_, ok := part.NominalGlyph('Q')
		assert.False(t, ok)
		assert.Equal(t, whole.Describe().Family, part.Describe().Family)
	}
}

func TestBuilder_ligatures(t *testing.T) {
	whole := parse(t, []byte(fonts.TTF(0)))
	b, err := subset.New(fonts.TTF(0))
	require.NoError(t, err)
	sequences := []string{"!=", "!==", "->", "=>", "..."}
	for _, text := range sequences {
		addLigature(t, b, whole, text)
	}
	addLigature(t, b, whole, "->")
	data, err := b.Font()
	require.NoError(t, err)

	part := parse(t, data)
	box, _ := part.FontHExtents()
	assert.NotZero(t, box.Ascender)
	for _, text := range sequences {
		glyphs := shape(part, text)
		require.Len(t, glyphs.Info, 1, text)
		assert.Equal(t, int32(600*len(text)), glyphs.Pos[0].XAdvance, text)
		outline, _ := part.GlyphDataOutline(glyphs.Info[0].Glyph)
		assert.Equal(t, contours(shape(whole, text), whole), len(outlineMoves(outline)), text)
		for _, s := range outline.Segments {
			for _, p := range s.ArgsSlice() {
				assert.LessOrEqual(t, p.X, float32(600*len(text)), text)
				assert.GreaterOrEqual(t, p.X, float32(0), text)
				assert.LessOrEqual(t, p.X, float32(right(data)), "%s: browsers do not paint outside of the font's box", text)
			}
		}
	}
	assert.Len(t, shape(part, ">=").Info, 2, "no ligature was added for it")
}

// right returns the right side of the box around all glyphs, from the table
// head.
func right(data []byte) int16 {
	for i := range int(binary.BigEndian.Uint16(data[4:])) {
		record := data[12+16*i:]
		if string(record[:4]) == "head" {
			return int16(binary.BigEndian.Uint16(data[binary.BigEndian.Uint32(record[8:])+40:]))
		}
	}
	return 0
}

func addLigature(t *testing.T, b *subset.Builder, whole *font.Face, text string) {
	t.Helper()
	for _, r := range text {
		id, _ := whole.NominalGlyph(r)
		require.NoError(t, b.Add(r, uint16(id)))
	}
	var parts []subset.Part
	x := 0
	glyphs := shape(whole, text)
	for i, info := range glyphs.Info {
		parts = append(parts, subset.Part{Glyph: uint16(info.Glyph), X: x})
		x += int(glyphs.Pos[i].XAdvance)
	}
	require.NoError(t, b.AddLigature(text, parts, x))
}

func shape(face *font.Face, text string) *harfbuzz.Buffer {
	b := harfbuzz.NewBuffer()
	b.AddRunes([]rune(text), 0, -1)
	b.GuessSegmentProperties()
	b.Shape(harfbuzz.NewFont(face), nil)
	return b
}

func contours(b *harfbuzz.Buffer, face *font.Face) int {
	n := 0
	for _, info := range b.Info {
		outline, _ := face.GlyphDataOutline(info.Glyph)
		n += len(outlineMoves(outline))
	}
	return n
}

func outlineMoves(o font.GlyphOutline) (moves []font.Segment) {
	for _, s := range o.Segments {
		if s.Op == 0 {
			moves = append(moves, s)
		}
	}
	return moves
}

func TestBuilder_refuses(t *testing.T) {
	b, err := subset.New(fonts.TTF(0))
	require.NoError(t, err)
	require.ErrorContains(t, b.Add('a', 60_000), "no glyph 60000")
	require.NoError(t, b.Add('a', 4))
	require.ErrorContains(t, b.AddLigature("ab", nil, 600), `no glyph for 'b'`)
	require.ErrorContains(t, b.AddLigature("a", nil, 600), "no two characters")
}

func TestNew_refusesWhatIsNoFont(t *testing.T) {
	whole := fonts.TTF(0)
	for name, data := range map[string]string{
		"nothing": "", "text": strings.Repeat("font", 100), "half": whole[:len(whole)/2], "the directory": whole[:300],
	} {
		_, err := subset.New(data)
		require.Error(t, err, name)
	}
}

func FuzzNew(f *testing.F) {
	whole := fonts.TTF(0)
	f.Add([]byte(whole[:400]), uint16(3))
	f.Add([]byte("\x00\x01\x00\x00\x00\x00"), uint16(0))
	f.Fuzz(func(_ *testing.T, head []byte, glyph uint16) {
		// The head replaces that of a font, so that the fuzzer reaches the tables.
		b, err := subset.New(string(head) + whole[min(len(head), len(whole)):])
		if err != nil || b.Add('a', glyph) != nil {
			return
		}
		_, _ = b.Font()
	})
}
