package listing

import "github.com/devkiln/devkiln/screenshot"

// codeClass returns the class of a token in the style sheet of the viewer,
// which tells fewer apart than the themes of pictures do: c comments, k
// keywords, t types, n functions, s strings, e escapes, m numbers and
// constants, g tags, a attributes and keys, p punctuation, d and x lines of a
// diff, h headings, b strong, i emphasis.
func codeClass(c screenshot.Class) string {
	switch c {
	case screenshot.ClassComment, screenshot.ClassDocComment:
		return "c"
	case screenshot.ClassKeyword, screenshot.ClassKeywordDeclaration, screenshot.ClassPreprocessor, screenshot.ClassLanguageVariable:
		return "k"
	case screenshot.ClassType, screenshot.ClassClass, screenshot.ClassNamespace:
		return "t"
	case screenshot.ClassFunction, screenshot.ClassBuiltin, screenshot.ClassDecorator, screenshot.ClassCSSProperty:
		return "n"
	case screenshot.ClassString, screenshot.ClassRegexp:
		return "s"
	case screenshot.ClassStringEscape, screenshot.ClassLabel:
		return "e"
	case screenshot.ClassNumber, screenshot.ClassBoolean, screenshot.ClassConstant:
		return "m"
	case screenshot.ClassTag:
		return "g"
	case screenshot.ClassAttribute, screenshot.ClassJSONKey:
		return "a"
	case screenshot.ClassPunctuation, screenshot.ClassOperator:
		return "p"
	case screenshot.ClassInserted:
		return "d"
	case screenshot.ClassDeleted:
		return "x"
	case screenshot.ClassHeading:
		return "h"
	case screenshot.ClassStrong:
		return "b"
	case screenshot.ClassEmphasis:
		return "i"
	default:
		return ""
	}
}
