// Package fonts holds the font of the code in screenshots: JetBrains Mono 2.242
// in four styles, under the SIL Open Font License 1.1. README.md in this
// directory lists the checksums.
package fonts

import "embed"

//go:embed JetBrainsMono-Regular.ttf
var regular string

//go:embed JetBrainsMono-Bold.ttf
var bold string

//go:embed JetBrainsMono-Italic.ttf
var italic string

//go:embed JetBrainsMono-BoldItalic.ttf
var boldItalic string

// subsets holds the subsets that SVGs embed, which make.sh writes.
//
//go:embed ascii-*.woff2
var subsets embed.FS

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

// ASCII returns the WOFF2 file of a style with the printable characters of
// ASCII.
func ASCII(s Style) []byte {
	data, _ := subsets.ReadFile("ascii-" + names[s%Styles] + ".woff2")
	return data
}
