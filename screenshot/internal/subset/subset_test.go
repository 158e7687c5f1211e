package subset_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-text/typesetting/font"
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

// text has simple and composite glyphs, Latin and others.
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

func TestBuilder_refuses(t *testing.T) {
	b, err := subset.New(fonts.TTF(0))
	require.NoError(t, err)
	require.ErrorContains(t, b.Add('a', 60_000), "no glyph 60000")
	require.NoError(t, b.Add('a', 4))
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
		// The head replaces the start of a font, so that the fuzzer reaches the
		// tables.
		b, err := subset.New(string(head) + whole[min(len(head), len(whole)):])
		if err != nil || b.Add('a', glyph) != nil {
			return
		}
		_, _ = b.Font()
	})
}
