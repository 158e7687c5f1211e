package highlight

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lexers leave most names without a class. This file classifies them by their
// neighbours and spelling; rules for single languages are in the files named
// after these.

// nameRules are the rules that classify names. A rule returns ClassText if it
// does not apply; the first that applies decides.
var nameRules = [...]func(r *refiner, text, next string) Class{
	(*refiner).declared, (*refiner).pythonName, (*refiner).scriptName, (*refiner).cppName, (*refiner).javaName, (*refiner).goName, (*refiner).spelled,
}

// name returns the class of a name before next.
func (r *refiner) name(text, next string) Class {
	for _, rule := range nameRules {
		if c := rule(r, text, next); c != ClassText {
			return c
		}
	}
	return ClassName
}

// declared returns the class of a name given by the word before it or an
// opening parenthesis after it.
func (r *refiner) declared(text, next string) Class {
	previous := r.previous
	switch {
	case previous.Text == "@" && !r.blank:
		return ClassDecorator
	case r.inherits && capitalised(text):
		return ClassInherited
	case r.Cpp && (previous.Text == "~" || r.types[text] && strings.HasPrefix(next, "(")):
		return ClassFunction
	case slices.Contains(declaresType[:], previous.Text):
		return ClassClassName
	case slices.Contains(beforeClass[:], previous.Text), r.types[text] && previous.Text != "." && (!r.Calls || !strings.HasPrefix(next, "(")):
		return ClassClass
	case previous.Text == "package" || previous.Text == "namespace" || r.ScopeOperator && strings.HasPrefix(next, "::") && (r.Cpp || !capitalised(text)):
		return ClassNamespace
	case r.Arrows && text == "from" && next != "" && strings.ContainsAny(next[:1], "\"'`"):
		return ClassKeyword
	case slices.Contains(beforeFunction[:], previous.Text):
		return ClassFunction
	case strings.HasPrefix(next, "("), r.Arrows && typeArguments.MatchString(next[:min(len(next), lookAhead)]):
		return r.called(previous, text)
	default:
		return ClassText
	}
}

// spelled returns the class of a name given by its spelling, or by the dot or
// the brackets around it.
func (r *refiner) spelled(text, next string) Class {
	previous := r.previous
	switch {
	case r.DataKeys && strings.HasPrefix(next, "="):
		return ClassJSONKey
	case isUpperCase(text) && !r.StaticReceivers:
		return ClassConstant
	case r.CapitalIsClass && (capitalised(text) || len(text) == 1 && text[0] >= 'A' && text[0] <= 'Z'):
		return ClassClass
	case strings.HasSuffix(previous.Text, ".") && previous.Class != ClassString:
		return ClassProperty
	case (r.KeywordArguments || r.StaticReceivers) && r.inCall():
		return ClassArgument
	default:
		return ClassName
	}
}

// called returns the class of a name followed by a parenthesis.
func (g *grammar) called(previous Token, text string) Class {
	switch {
	case g.ScopeOperator && !g.Cpp && capitalised(text):
		return ClassCall
	case g.CapitalIsClass && !g.StaticReceivers && !g.Cpp && capitalised(text) && previous.Text != ".":
		return ClassClass
	case g.Calls && !slices.Contains(beforeFunction[:], previous.Text):
		return ClassCall
	default:
		return ClassFunction
	}
}

// beforeFunction lists the words that precede the name of a function.
var beforeFunction = [...]string{"func", "function", "fn", "def", "fun", "sub", "proc"}

// beforeClass lists the words that precede the name of a type.
var beforeClass = [...]string{"extends", "implements", "new", "impl", "protocol"}

// declaredTypes returns the names of the types that a text declares.
func declaredTypes(tokens []Token) map[string]bool {
	types := make(map[string]bool)
	var previous Token
	for _, t := range tokens {
		if strings.TrimSpace(t.Text) == "" {
			continue
		}
		if isKeyword(previous) && slices.Contains(declaresType[:], previous.Text) && isLetter(t.Text[0]) {
			types[t.Text] = true
		}
		previous = t
	}
	return types
}

func isKeyword(t Token) bool {
	return t.Class == ClassKeyword || t.Class == ClassKeywordDeclaration
}

// declaresType lists the words that precede the name of a new type.
var declaresType = [...]string{"class", "struct", "interface", "enum", "trait", "type", "record", "union"}

func capitalised(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) && strings.ContainsFunc(s[size:], unicode.IsLower)
}

// isUpperCase reports whether s is in upper case, like MAX_SIZE.
func isUpperCase(s string) bool {
	return len(s) > 2 && strings.ContainsFunc(s, unicode.IsUpper) && !strings.ContainsFunc(s, unicode.IsLower)
}
