// Package screenshot renders pictures of code: a window with highlighted code
// on a gradient, as SVG, PNG or WebP, without a browser.
//
// Start with [New], which completes [Options] to a [Config]. A Config renders
// itself:
//
//   - [Config.WriteSVG] writes a self-contained SVG file: it embeds the glyphs
//     that it needs, and its text can be selected and copied,
//   - [Config.WritePNG] writes a PNG file at any scale from 1 to 4, in strips
//     of rows, so that memory does not grow with the picture,
//   - [Config.Fragment] encodes it for the fragment of a URL.
//
// All formats share one layout, so they show the same. [Config.Picture] returns
// the layout. It reports what cannot be shown, such as characters that no font
// has, can be written more than once, and also as WebP ([Picture.WriteWebP]).
// [Config.Cost] estimates the cost of rendering beforehand.
//
// The code may also be terminal output or a patch ([Extras].Input); [FromPatch]
// makes a Config for each file of a patch.
//
// Package highlight provides what a page needs to show code in the same
// colours.
//
// The code may come from an untrusted source: its length, its lines, the pixels
// of the picture and the time of the lexer are limited. Exceeding a limit is an
// option error or, for the lexer, gives plain text, which [Picture.Warnings]
// reports.
//
// The exact pixels and bytes of a picture, the classes that a lexer gives to
// tokens, and the texts of errors may change between versions.
//
// An error about an option has a method Invalid() (field, reason string), which
// returns its name in the HTTP API, such as windowTitle, and a word such as
// too_long. An error about several unwraps to one for each.
// InvalidFields of the root package, devkiln, lists the messages of all of them
// by field, also in errors that are wrapped or joined.
package screenshot
