// Package language knows the languages of code: their names and aliases, the
// lexers that highlight them, and which of them a pasted piece is in.
//
// Start with [Resolve], which is the rule of the API for a language that a
// caller sent or left out, and with [Lexer]. [Lookup] tells a name from a
// mistake; [Detect] and [Guess] look at the code alone.
//
// Detection reads at most [MaxRead] bytes, so its cost has a bound whatever it
// is given. What it answers for one text may change between versions; that it
// answers a name that [Lookup] knows does not.
package language

import "strings"

// doubt is the probability below which no language is named. Of the classes
// there are 36, so that it is more than ten times what guessing would give.
const doubt = 0.3

// MaxRead is how many bytes of a text detection looks at, from its start.
const MaxRead = 8 << 10

// Resolve answers the name of a language for code that came with the name of
// one: a name that [Lookup] knows as it was sent, in lower case and without
// blanks around it; for any other, "auto" and "" among them, what [Detect]
// finds. filename may be empty.
func Resolve(name, code, filename string) string {
	if find(name) != nil {
		return strings.ToLower(strings.TrimSpace(name))
	}
	return Detect(code, filename)
}

// Detect returns the canonical name of the language of code, and [Text] where
// nothing fits. A filename, which may be empty and may have directories, counts
// for more than the code when its name or extension belongs to one language.
func Detect(code, filename string) string {
	if name := fromFilename(filename); name != "" {
		return name
	}
	name, _ := Guess(code)
	return name
}

// Guess returns the canonical name of the language of code, and how sure it is
// of it, from 0 to 1: the probability of the classifier, and 1 where a mark
// such as a shebang decides. It answers [Text] where nothing fits.
func Guess(code string) (name string, confidence float64) {
	head := code[:min(len(code), MaxRead)]
	if name := decide(head, len(code) > len(head)); name != "" {
		return name, 1
	}
	name, confidence = classify(head)
	if confidence < doubt {
		return Text, confidence
	}
	return name, confidence
}
