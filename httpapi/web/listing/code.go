package listing

import "github.com/devkiln/devkiln/screenshot/highlight"

// tokens writes the tokens of a line.
func (w *writer) tokens(tokens []highlight.Token) {
	current := ""
	for _, token := range tokens {
		if class := codeClass(token.Class); class != current {
			w.close(current)
			w.open(class)
			current = class
		}
		w.marked(token.Text)
	}
	w.close(current)
}

// codeClass returns the class of a token in the style sheet of the viewer,
// which tells fewer apart than the themes of pictures do: c comments, k
// keywords, t types, n functions, s strings, e escapes, m numbers and
// constants, g tags, a attributes and keys, p punctuation, d and x lines of a
// diff, h headings, b strong, i emphasis.
func codeClass(c highlight.Class) string {
	switch c {
	case highlight.ClassComment, highlight.ClassDocComment:
		return "c"
	case highlight.ClassKeyword, highlight.ClassKeywordDeclaration, highlight.ClassKeywordOther, highlight.ClassModifier, highlight.ClassPreprocessor, highlight.ClassLanguageVariable:
		return "k"
	case highlight.ClassType, highlight.ClassClass, highlight.ClassClassName, highlight.ClassInherited, highlight.ClassNamespace:
		return "t"
	case highlight.ClassFunction, highlight.ClassCall, highlight.ClassBuiltin, highlight.ClassDecorator, highlight.ClassCSSProperty:
		return "n"
	case highlight.ClassString, highlight.ClassImportPath, highlight.ClassStringDelimiter, highlight.ClassRegexp, highlight.ClassArgument:
		return "s"
	case highlight.ClassStringEscape, highlight.ClassInterpolation, highlight.ClassEmbedding, highlight.ClassLabel:
		return "e"
	case highlight.ClassNumber, highlight.ClassBoolean, highlight.ClassConstant:
		return "m"
	case highlight.ClassTag, highlight.ClassComponent:
		return "g"
	case highlight.ClassAttribute, highlight.ClassParameter, highlight.ClassOption, highlight.ClassJSONKey:
		return "a"
	case highlight.ClassPunctuation, highlight.ClassParenthesis, highlight.ClassTagDelimiter, highlight.ClassOperator, highlight.ClassAssignment:
		return "p"
	case highlight.ClassInserted:
		return "d"
	case highlight.ClassDeleted:
		return "x"
	case highlight.ClassHeading:
		return "h"
	case highlight.ClassStrong:
		return "b"
	case highlight.ClassEmphasis:
		return "i"
	default:
		return ""
	}
}
