// Package fonts holds the fonts of the code in screenshots: JetBrains Mono
// 2.242, and Latin subsets of other families, all under the SIL Open Font
// License 1.1. README.md in this directory lists where they are from.
package fonts

import (
	"embed"
	"slices"
	"strings"
)

// files holds the fonts, named FiraCode-Bold.woff and the like; the subsets
// that SVGs embed, which are named ascii-Bold.woff2.
//
//go:embed *.ttf *.woff *.woff2
var files embed.FS

// Family is the name of the family that has all characters.
const Family = "JetBrains Mono"

// Families returns the names of the families.
func Families() []string { return []string{Family, "Fira Code", "Geist Mono", "Roboto Mono"} }

// Style is one of the four styles of a family. The zero value is regular; Bold
// and Italic can be combined.
type Style uint8

// The styles of a family.
const (
	Bold Style = 1 << iota
	Italic

	// Styles is the number of styles.
	Styles = 4
)

// names are the names of the styles in the names of the files.
var names = [Styles]string{"Regular", "Bold", "Italic", "BoldItalic"}

// File returns the file of a style of a family, or of the upright one if the
// family has no italics, as TrueType or WOFF. It is nil for an unknown family.
func File(family string, s Style) []byte {
	if !slices.Contains(Families(), family) {
		return nil
	}
	for _, style := range [...]Style{s, s & Bold} {
		for _, extension := range [...]string{".ttf", ".woff"} {
			if data, err := files.ReadFile(strings.ReplaceAll(family, " ", "") + "-" + names[style%Styles] + extension); err == nil {
				return data
			}
		}
	}
	return nil
}

// ASCII returns the WOFF2 file of a style of [Family] with the printable
// characters of ASCII.
func ASCII(s Style) []byte {
	data, _ := files.ReadFile("ascii-" + names[s%Styles] + ".woff2")
	return data
}
