// Package highlight splits code into tokens with classes, and knows themes,
// which say how each [Class] is set. It knows no pixels: pages that show code
// in colours need nothing else.
//
// Start with [Code]:
//
//	for _, line := range highlight.Code(code, "go").Lines {
//		for _, token := range line {
//			style := theme.Style(token.Class)
//			...
//
// The code may be anybody's: what a lexer may do is limited, and what goes
// beyond is plain text.
//
// Not promised are the classes that a lexer gives to tokens; they change with
// the version.
package highlight
