package highlight

import (
	"slices"
	"strings"
)

// goName returns the class of a name of Go that its place tells: a constant, a
// field, a type or a parameter.
func (r *refiner) goName(_, next string) Class {
	isFollowed := next != "" && isLetter(next[0])
	switch {
	case !r.TypesFollow:
		return ClassText
	case strings.HasPrefix(next, "=") && (r.previous.Text == "const" || r.within() == ClassConstant && r.newline):
		return ClassConstant
	case len(r.brackets) == 0 && isFollowed && !isKeyword(r.previous):
		return ClassAttribute
	case r.isGoType():
		return ClassClass
	case len(r.brackets) > 0 && (isFollowed || strings.HasPrefix(next, "*") && r.signature):
		return ClassParameter
	default:
		return ClassText
	}
}

// isGoType reports whether a name stands where Go has types: behind the name of
// what it is the type of, behind * or [] there, and behind the dot of a package
// in such a place.
func (r *refiner) isGoType() bool {
	switch {
	case r.previous.Text == ".":
		return r.before.Class == ClassClass
	case r.blank && !r.newline && (r.previous.Class == ClassName || r.previous.Class == ClassParameter || r.previous.Class == ClassProperty):
		return true
	case r.previous.Text == "*" || r.previous.Text == "[]" || r.previous.Text == "]" || r.previous.Text == "[]*":
		return !r.blank && (r.before.Class == ClassPunctuation || r.before.Class == ClassParenthesis || r.before.Class == ClassKeywordDeclaration || (r.apart || r.previous.Text != "*") && slices.Contains([]Class{ClassName, ClassParameter, ClassType}, r.before.Class))
	case r.previous.Text == "chan" || r.previous.Text == "&":
		return true
	}
	return false
}
