// Package fonts holds the coding font that screenshots are set in: JetBrains
// Mono 2.242 in four styles, under the SIL Open Font License 1.1. README.md
// beside this file lists the checksums.
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

// Style is one of the four styles of the family: the zero value is regular,
// Bold and Italic may be combined.
type Style uint8

// The styles of the family.
const (
	Bold Style = 1 << iota
	Italic

	// Styles is how many styles there are.
	Styles = 4
)

// TTF returns the TrueType file of a style.
func TTF(s Style) string {
	return [Styles]string{regular, bold, italic, boldItalic}[s%Styles]
}
