package highlight

import (
	"slices"
	"strings"
)

// goName returns the class of a Go name that is a constant, a field, a type or
// a parameter by its position.
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

// isGoType reports whether a name is in the position of a Go type: after the
// name that it is the type of, after * or [] in that position, or after a
// package and a dot.
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
