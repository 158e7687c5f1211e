package highlight

import (
	"slices"
	"strings"
)

// This file follows brackets: what a name means often depends on those around it.

// count follows round brackets, and in scripts the braces of objects. It returns
// what the last ones were of that t begins or ends.
func (r *refiner) count(t Token, next string) (of Class) {
	if t.Class != ClassPunctuation && t.Class != ClassOperator {
		return ClassText
	}
	behind, rest := r.previous.Text, t.Text+next[:min(len(next), lookAhead)]
	for i, b := range []byte(t.Text) {
		switch {
		case (b == ')' || b == '}' && r.Arrows) && len(r.brackets) > 0:
			of, r.brackets = r.within(), r.brackets[:len(r.brackets)-1]
		case len(r.brackets) == maxElements:
		case b == '(':
			of = r.beforeBracket(rest[i:])
			r.brackets = append(r.brackets, of)
		case b == '{' && r.Arrows:
			r.brackets = append(r.brackets, r.beforeBrace(behind))
		}
		behind = t.Text[i : i+1]
	}
	return of
}

// parenthesis returns the class of a round bracket of class c.
func (r *refiner) parenthesis(of, c Class) Class {
	if of == ClassParameter || r.StaticReceivers && (of == ClassFunction || of == ClassProperty) {
		return ClassParenthesis
	}
	return c
}

// beforeBracket returns what the round brackets at the beginning of text are of.
func (r *refiner) beforeBracket(text string) Class {
	switch {
	case r.Arrows && (parameters.MatchString(text) || r.previous.Class == ClassFunction && methodParameters.MatchString(text)):
		return ClassParameter
	case slices.Contains(beforeFunction[:], r.before.Text):
		return ClassParameter
	case r.before.Text == "class":
		return ClassInherited
	case r.previous.Text == "const":
		return ClassConstant
	case r.StaticReceivers && r.before.Text == ".":
		return ClassProperty
	default:
		return r.previous.Class
	}
}

// beforeBrace returns ClassJSONKey for the braces of an object behind a word or a
// sign, ClassParameter for those among parameters.
func (r *refiner) beforeBrace(behind string) Class {
	switch {
	case r.within() == ClassParameter:
		return ClassParameter
	case behind == "return", behind == "=" && r.before.Class != ClassClassName, behind != "" && strings.ContainsRune("(,:[?.", rune(behind[len(behind)-1])),
		strings.HasSuffix(behind, "{") && r.within() == ClassJSONKey:
		return ClassJSONKey
	default:
		return ClassText
	}
}

// within returns what stands before the innermost brackets, ClassParameter for
// those of a function's definition, ClassInherited for those of a class's,
// ClassConstant for those of constants, ClassJSONKey for those of an object.
func (r *refiner) within() Class {
	if len(r.brackets) == 0 {
		return ClassText
	}
	return r.brackets[len(r.brackets)-1]
}

// inCall reports whether the innermost round brackets are those of a call.
func (r *refiner) inCall() bool {
	switch r.within() {
	case ClassCall, ClassBuiltin, ClassClass, ClassFunction, ClassDecorator:
		return true
	default:
		return false
	}
}
