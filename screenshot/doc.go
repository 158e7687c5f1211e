// Package screenshot draws pictures of code: a window with highlighted code on
// a gradient, as SVG or PNG, without a browser.
//
// Start with [New], which completes a few [Options] to a [Config]. The Config
// draws itself:
//
//   - [Config.WriteSVG] writes an SVG file that stands alone: the glyphs that it
//     needs are inside, and its text can be selected and copied,
//   - [Config.WritePNG] writes a PNG file at any scale from 1 to 4, in strips of
//     rows, so that memory does not grow with the picture,
//   - [Config.Fragment] packs it for the fragment of a URL.
//
// Both pictures come from one layout, so they show the same; [Config.Picture]
// returns it, tells what it lacks, such as characters that no font has, and
// writes it more than once. [Config.Cost] estimates what that takes before.
// [Parameters] lists the options that have a text, for queries and flags.
//
// The code may also be what a program wrote for a terminal, or a patch
// ([Extras.Input]); [FromPatch] makes a Config of each file of a patch.
//
// Package highlight, below this one, gives what a page needs to show code in the
// same colours.
//
// The code may be anybody's: its length, its lines, the pixels of the picture
// and the time of the lexer are limited, and what goes beyond is an option
// error, or plain text in the case of the lexer, which [Picture.Plain] reports.
//
// Not promised are the exact pixels and bytes of a picture, the classes that a
// lexer gives to tokens, and the texts of errors; they change with the version.
//
// The error of an option, of which several may be joined, has a method
// Invalid() (field, reason string): the option's name in the HTTP API, such as
// windowTitle, and a word such as too_long.
package screenshot
