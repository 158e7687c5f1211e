// Package fonts holds the font of the code in screenshots: JetBrains Mono 2.242
// in four styles, under the SIL Open Font License 1.1. README.md in this
// directory lists the checksums.
package fonts

import (
	"embed"
	"strings"
)

//go:embed JetBrainsMono-Regular.ttf
var regular string

//go:embed JetBrainsMono-Bold.ttf
var bold string

//go:embed JetBrainsMono-Italic.ttf
var italic string

//go:embed JetBrainsMono-BoldItalic.ttf
var boldItalic string

// latin holds the subsets that SVGs embed, which make.sh writes.
//
//go:embed latin-*.woff2
var latin embed.FS

//go:embed OFL.txt
var licence string

// Licence returns the licence of the font files, which travels with them.
func Licence() string { return licence }

// Family is the name of the font family.
const Family = "JetBrains Mono"

// Style is one of the four styles of the family. The zero value is regular;
// Bold and Italic can be combined.
type Style uint8

// The styles of the family.
const (
	Bold Style = 1 << iota
	Italic

	// Styles is the number of styles.
	Styles = 4
)

// TTF returns the TrueType file of a style.
func TTF(s Style) string {
	return [Styles]string{regular, bold, italic, boldItalic}[s%Styles]
}

// names are the names of the styles in the names of the files.
var names = [Styles]string{"Regular", "Bold", "Italic", "BoldItalic"}

// Latin returns the WOFF2 file of a style with the characters of [IsLatin].
func Latin(s Style) []byte {
	data, _ := latin.ReadFile("latin-" + names[s%Styles] + ".woff2")
	return data
}

// IsLatin reports whether the files of [Latin] have a character: ASCII,
// Latin-1, and the punctuation and arrows of make.sh.
func IsLatin(r rune) bool {
	switch {
	case r < ' ', 0x7f <= r && r < 0xa0:
		return false
	case r <= 0xff:
		return true
	case r < 0x2010:
		return r == 0x131 || r == 0x152 || r == 0x153
	case r <= 0x2026:
		return r <= 0x2015 || 0x2018 <= r && r <= 0x201e || 0x2020 <= r && r <= 0x2022 || r == 0x2026
	}
	return strings.ContainsRune("‰′″‹›€™←↑→↓−", r)
}
