package highlight

import (
	"slices"
	"strings"
)

// cppName returns the class of a C++ name that is a type or a parameter.
func (r *refiner) cppName(text, next string) Class {
	switch {
	case !r.Cpp:
		return ClassText
	case strings.HasSuffix(text, "_t"):
		return ClassType
	case r.previous.Text == ":" && r.before.Text == ":" && next != "" && (isLetter(next[0]) || strings.ContainsAny(next[:1], "<>&*")):
		return ClassClass
	case r.isTypedParameter(next):
		return ClassParameter
	default:
		return ClassText
	}
}

// javaName returns the class of a Java name that is a parameter, a constant or
// a variable.
func (r *refiner) javaName(text, next string) Class {
	switch {
	case !r.StaticReceivers:
		return ClassText
	case r.isTypedParameter(next):
		return ClassParameter
	case isUpperCase(text) && (r.isTyped() || len(r.brackets) == 0 && strings.Trim(r.previous.Text, "{,") == ""):
		return ClassConstant
	case r.previous.Text != "." && (strings.HasPrefix(next, ".") || r.previous.Class == ClassClass || r.previous.Class == ClassType):
		return ClassVariable
	default:
		return ClassText
	}
}

// isTypedParameter reports whether a name before next is a parameter after its
// type.
func (r *refiner) isTypedParameter(next string) bool {
	return r.within() == ClassFunction && next != "" && strings.ContainsAny(next[:1], ",)=") && r.isTyped()
}

// isTypeName reports whether the previous token is the name of a type, or a
// bracket around types.
func (r *refiner) isTypeName() bool {
	switch r.previous.Class {
	case ClassClass, ClassClassName, ClassInherited, ClassType:
		return true
	default:
		return r.previous.Text == "impl" || r.previous.Class == ClassPunctuation && strings.HasSuffix(r.previous.Text, ">")
	}
}

// isTyped reports whether a type precedes the token.
func (r *refiner) isTyped() bool {
	return r.previous.Class == ClassType || r.previous.Class == ClassClass || slices.Contains([]string{"&", "&&", "*", ">"}, r.previous.Text)
}
