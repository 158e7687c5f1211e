package fonts_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/go-text/typesetting/font"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot/internal/fonts"
)

func TestFonts_checksums(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	for s := range fonts.Style(fonts.Styles) {
		sum := sha256.Sum256([]byte(fonts.TTF(s)))
		assert.Contains(t, string(readme), hex.EncodeToString(sum[:]), "style %d", s)
	}
}

func TestFonts_styles(t *testing.T) {
	want := [fonts.Styles]font.Aspect{
		{Style: font.StyleNormal, Weight: font.WeightNormal, Stretch: font.StretchNormal},
		fonts.Bold:                {Style: font.StyleNormal, Weight: font.WeightBold, Stretch: font.StretchNormal},
		fonts.Italic:              {Style: font.StyleItalic, Weight: font.WeightNormal, Stretch: font.StretchNormal},
		fonts.Bold | fonts.Italic: {Style: font.StyleItalic, Weight: font.WeightBold, Stretch: font.StretchNormal},
	}
	for s := range fonts.Style(fonts.Styles) {
		face, err := font.ParseTTF(strings.NewReader(fonts.TTF(s)))
		require.NoError(t, err)
		description := face.Describe()
		assert.Equal(t, font.NormalizeFamily(fonts.Family), font.NormalizeFamily(description.Family), "style %d", s)
		assert.Equal(t, want[s], description.Aspect, "style %d", s)
	}
}

func TestFonts_licence(t *testing.T) {
	text, err := os.ReadFile("OFL.txt")
	require.NoError(t, err)
	assert.Contains(t, string(text), "SIL OPEN FONT LICENSE Version 1.1")
	assert.Contains(t, string(text), "The JetBrains Mono Project Authors")
}
