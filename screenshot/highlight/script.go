package highlight

import (
	"regexp"
	"strings"
)

// lookAhead is how many bytes behind a token are looked at to tell what it is.
const lookAhead = 300

const parameterList = `\((?:[^()]|\([^()]*\))*\)\s*(?::[^=;{}()]*)?`

var (
	parameters       = regexp.MustCompile(`^` + parameterList + `=>`)
	methodParameters = regexp.MustCompile(`^` + parameterList + `\{`)

	// functionValue is what stands behind the name of a function that is assigned,
	// or behind the name of a property that is one.
	functionValue = regexp.MustCompile(`^\??(?::[^=;(){}]*=|[:=])\s*(?:async\s*)?(?:function\b|[\w$]+\s*=>|` + parameterList + `=>)`)

	// typeArguments is what stands between the name of a function and its arguments.
	typeArguments = regexp.MustCompile(`^<[\w\s.,|&\[\]{}<>"':?]*>\(`)
)

// scriptName returns the class of a name of JavaScript and its relatives that its
// place tells: a parameter, a key or a constant.
func (r *refiner) scriptName(text, next string) Class {
	if !r.Arrows {
		return ClassText
	}
	next = next[:min(len(next), lookAhead)]
	switch {
	case functionValue.MatchString(next):
		return ClassFunction
	case r.imports:
		return ClassName
	case strings.HasPrefix(next, "=>"), r.within() == ClassParameter && r.startsParameter() && !capitalised(text):
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

// startsParameter reports whether a parameter stands behind the last token.
func (r *refiner) startsParameter() bool {
	text := r.previous.Text
	return strings.HasSuffix(text, "...") || text != "" && strings.ContainsAny(text[len(text)-1:], "(,{[")
}

// generic returns the class of a word that the lexer took for markup.
func (r *refiner) generic(t Token, next string) Class {
	switch {
	case t.Text == "...":
		return ClassOperator
	case t.Text == "extends":
		return ClassModifier
	case t.Text == "keyof":
		return ClassKeyword
	case commonWord(strings.TrimSpace(t.Text)) == ClassType:
		return ClassType
	case commonWord(t.Text) == ClassBoolean:
		return ClassBoolean
	case strings.HasPrefix(next, "("):
		return r.called(r.previous, t.Text)
	case capitalised(t.Text), len(t.Text) == 1:
		return ClassClass
	default:
		return r.name(t.Text, next)
	}
}
