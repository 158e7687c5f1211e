package highlight

import (
	"slices"
	"strings"
)

// This file tracks brackets: the meaning of a name often depends on the
// brackets around it.

// count tracks parentheses and, in scripts, the braces of objects. It returns
// the class of what the last bracket in t belongs to.
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

// parenthesis returns the class of a parenthesis: c, unless it belongs to the
// definition of a function.
func (r *refiner) parenthesis(of, c Class) Class {
	if of == ClassParameter || r.StaticReceivers && (of == ClassFunction || of == ClassProperty) {
		return ClassParenthesis
	}
	return c
}

// beforeBracket returns the class of what the parentheses at the beginning of
// text belong to.
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

// beforeBrace returns ClassJSONKey for the braces of an object after a word or
// an operator, and ClassParameter for those among parameters.
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

// within returns the class of what precedes the innermost brackets:
// ClassParameter for those of a function definition, ClassInherited for those
// of a class definition, ClassConstant for those of constants, ClassJSONKey for
// those of an object.
func (r *refiner) within() Class {
	if len(r.brackets) == 0 {
		return ClassText
	}
	return r.brackets[len(r.brackets)-1]
}

// inCall reports whether the innermost brackets are the parentheses of a call.
func (r *refiner) inCall() bool {
	switch r.within() {
	case ClassCall, ClassBuiltin, ClassClass, ClassFunction, ClassDecorator:
		return true
	default:
		return false
	}
}
