// Package fonts holds the font of the code in screenshots: JetBrains Mono 2.242
// in four styles, under the SIL Open Font License 1.1. README.md in this
// directory lists the checksums.
package fonts

import _ "embed" // the font files

//go:embed JetBrainsMono-Regular.ttf
var regular string

//go:embed JetBrainsMono-Bold.ttf
var bold string

//go:embed JetBrainsMono-Italic.ttf
var italic string

//go:embed JetBrainsMono-BoldItalic.ttf
var boldItalic string

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
