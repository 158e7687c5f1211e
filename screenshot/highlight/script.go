package highlight

import (
	"slices"
	"strings"
)

// scriptName returns the class of a name of JavaScript and its relatives that its
// place tells: a parameter, a key or a constant.
func (r *refiner) scriptName(text, next string) Class {
	switch {
	case !r.Arrows:
		return ClassText
	case r.within() == ClassParameter && slices.Contains(beforeParameter[:], r.previous.Text):
		return ClassParameter
	case r.within() == ClassJSONKey && strings.HasPrefix(next, ":") && strings.Trim(r.previous.Text, "{(,") == "":
		return ClassJSONKey
	case capitalised(text) && (strings.HasPrefix(next, ".") || r.previous.Text == "import"):
		return ClassName
	case r.previous.Text == "const" || r.inPattern:
		return ClassConstant
	default:
		return ClassText
	}
}

// generic returns the class of a word that the lexer took for markup.
func (g *grammar) generic(previous, t Token, next string) Class {
	switch {
	case t.Text == "extends" || t.Text == "keyof":
		return ClassKeyword
	case commonWord(t.Text) == ClassType || commonWord(t.Text) == ClassBoolean:
		return commonWord(t.Text)
	case strings.HasPrefix(next, "("):
		return g.called(previous, t.Text)
	case capitalised(t.Text), len(t.Text) == 1:
		return ClassClass
	default:
		return ClassName
	}
}
