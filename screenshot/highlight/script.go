package highlight

import (
	"regexp"
	"strings"
)

// lookAhead is how many bytes after a token are considered to classify it.
const lookAhead = 300

const parameterList = `\((?:[^()]|\([^()]*\))*\)\s*(?::[^=;{}()]*)?`

var (
	parameters       = regexp.MustCompile(`^` + parameterList + `=>`)
	methodParameters = regexp.MustCompile(`^` + parameterList + `\{`)

	// functionValue matches what follows the name of a variable or property
	// whose value is a function.
	functionValue = regexp.MustCompile(`^\??(?::[^=;(){}]*=|[:=])\s*(?:async\s*)?(?:function\b|[\w$]+\s*=>|` + parameterList + `=>)`)

	// typeArguments matches type arguments between the name of a function and
	// its arguments.
	typeArguments = regexp.MustCompile(`^<[\w\s.,|&\[\]{}<>"':?]*>\(`)
)

// scriptName returns the class of a name in JavaScript and related languages
// that is a parameter, a key or a constant by its position.
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

// startsParameter reports whether a parameter may follow the last token.
func (r *refiner) startsParameter() bool {
	text := r.previous.Text
	return strings.HasSuffix(text, "...") || text != "" && strings.ContainsAny(text[len(text)-1:], "(,{[")
}

// generic returns the class of a word that the lexer mistook for markup.
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
