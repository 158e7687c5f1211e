package fonts_test

import (
	"bytes"
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
		sum := sha256.Sum256(fonts.File(fonts.Family, s))
		assert.Contains(t, string(readme), hex.EncodeToString(sum[:]), "style %d", s)
	}
}

func TestFile_styles(t *testing.T) {
	want := [fonts.Styles]font.Aspect{
		{Style: font.StyleNormal, Weight: font.WeightNormal, Stretch: font.StretchNormal},
		fonts.Bold:                {Style: font.StyleNormal, Weight: font.WeightBold, Stretch: font.StretchNormal},
		fonts.Italic:              {Style: font.StyleItalic, Weight: font.WeightNormal, Stretch: font.StretchNormal},
		fonts.Bold | fonts.Italic: {Style: font.StyleItalic, Weight: font.WeightBold, Stretch: font.StretchNormal},
	}
	for _, family := range fonts.Families() {
		for s := range fonts.Style(fonts.Styles) {
			face, err := font.ParseTTF(bytes.NewReader(fonts.File(family, s)))
			require.NoError(t, err)
			description := face.Describe()
			assert.Equal(t, font.NormalizeFamily(family), font.NormalizeFamily(description.Family), "style %d", s)
			if family == "Fira Code" { // it has no italics
				s &= fonts.Bold
			}
			assert.Equal(t, want[s], description.Aspect, "%s, style %d", family, s)
		}
	}
	for _, family := range []string{"", "JetBrainsMono", "Fira  Code", "ascii", "../fonts/Fira Code"} {
		assert.Nil(t, fonts.File(family, 0), family)
	}
}

func TestLicences(t *testing.T) {
	for _, family := range fonts.Families() {
		text, err := os.ReadFile(strings.ReplaceAll(family, " ", "") + "-licence.txt")
		require.NoError(t, err)
		assert.Contains(t, string(text), "SIL OPEN FONT LICENSE Version 1.1", family)
	}
}
