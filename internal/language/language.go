// Package language knows the languages of code: their names and aliases, and
// which of them a pasted piece is in. It imports no lexers.
//
// Start with [Resolve], which is the rule of the API for a language that a
// caller sent or left out. [Lookup] tells a name from a mistake; [Detect] and
// [Guess] look at the code alone.
//
// Detection goes from what is certain to what is probable. A file name decides
// when its extension belongs to one language. Then come marks that practically
// never stand in another language: a shebang, <?php, the header of a hunk, JSON
// that parses, lines that start with timestamps. What is left goes to a linear
// classifier of 36 classes over hashed tokens and shapes, whose weights (1.2 MB)
// are part of the program and cost nothing until they are looked at.
//
// How often the result is right: of the first 12 to 60 lines of 2,081 files in 65
// public repositories 96 % (of their first two lines alone, which are often a
// comment, 83 %), where it was 95 and 70 % before rules were written for what was
// missed there; the classifier did not learn from them. Of the 334 snippets written for the
// tests, which are tidier than what is pasted, 98 %. The classifier alone, on
// windows out of the middle of the held-out sources that directory train lists,
// averaged over the classes:
//
//	5 to 30 lines   93.4 %   (35,453 windows)
//	2 to 4 lines    82.8 %   (18,437 windows)
//
// For those run TestLanguage_accuracy in internal/bench on the pieces that the
// program writes; the tests print the others. Two classes are known to be weak,
// since little training text could be had: dart and julia, at 62 and 38 % of few
// and odd held-out windows. TypeScript without types is the same text as
// JavaScript, and called that; many headers of C and C++ are the same text too.
//
// Detection reads at most [MaxRead] bytes, so its cost has a bound whatever it
// is given. What it returns for one text may change between versions; that it
// returns a name that [Lookup] knows does not.
package language

import "strings"

// doubt is the probability below which no language is named. Of the classes
// there are 36, so that it is more than ten times what guessing would give.
const doubt = 0.3

// MaxRead is how many bytes of a text detection looks at, from its start.
const MaxRead = 8 << 10

// Resolve returns the name of a language for code that came with the name of
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
	return fromSharedExtension(filename, code, name)
}

// Guess returns the canonical name of the language of code, and how sure it is
// of it, from 0 to 1: the probability of the classifier, and 1 where a mark
// such as a shebang decides. It returns [Text] where nothing fits.
func Guess(code string) (name string, confidence float64) {
	head := strings.ReplaceAll(code[:min(len(code), MaxRead)], "\r\n", "\n")
	if name := decide(head, len(code) > MaxRead); name != "" {
		return name, 1
	}
	rest, isComment := withoutComment(head)
	name, confidence = classify(rest)
	if script.MatchString(rest) {
		confidence = max(confidence, doubt)
		if name != "typescript" {
			name = "javascript"
		}
	}
	switch {
	case jsonStart.MatchString(rest) && looksLikeJSON(rest, true):
		return "json", almost
	case confidence < doubt && isPrint(head):
		return "python", confidence
	case confidence < doubt && !isComment:
		return Text, confidence
	case name == "javascript" || name == "typescript":
		return fromTypes(head, name, confidence), confidence
	default:
		return name, confidence
	}
}

// isPrint reports whether code is one call of print, which is most often Python
// where nothing else tells.
func isPrint(code string) bool {
	code = strings.TrimSpace(code)
	return strings.HasPrefix(code, "print(") && strings.HasSuffix(code, ")") && !strings.Contains(code, "\n")
}
