package screenshot

import "github.com/devkiln/devkiln/screenshot/internal/fonts"

// CodingFont returns the embedded font that code is set in, JetBrains Mono, as
// the TrueType file of one of its four styles: for pages that show code beside
// its pictures. [CodingFontLicence] has to go along.
func CodingFont(bold, italic bool) []byte {
	var s fonts.Style
	if bold {
		s |= fonts.Bold
	}
	if italic {
		s |= fonts.Italic
	}
	return []byte(fonts.TTF(s))
}

// CodingFontLicence returns the licence of the embedded font, the SIL Open Font
// License 1.1, as text.
func CodingFontLicence() string { return fonts.Licence() }
