// Package language knows the languages of code: their names and aliases, and
// how to detect the language of a snippet. It imports no lexers.
//
// Start with [Resolve], which applies the API's rule for a language that a
// caller sent or omitted. [Lookup] distinguishes a name from a mistake.
// [Detect] examines a file name and the code, and [Guess] the code alone.
//
// Detection proceeds from the certain to the probable. A file name decides if
// its extension belongs to one language. Next are marks that practically never
// occur in another language: a shebang, <?php, the header of a hunk, JSON that
// parses, lines that start with timestamps. The rest goes to a linear
// classifier with 36 classes over hashed tokens and shapes. Its weights (1.2
// MB) are embedded and cost nothing until they are used.
//
// Accuracy: of the first 12 to 60 lines of 2,081 files in 65 public
// repositories, 96 % are detected correctly (of their first two lines alone,
// which are often a comment, 83 %). Before rules were written for the files
// missed there, these were 95 and 70 %; the classifier was not trained on the
// files. Of the 334 snippets written for the tests, which are tidier than
// pasted code, 98 % are detected correctly. The accuracy of the classifier
// alone, on windows from the middle of the held-out sources that
// internal/tools/train lists, averaged over the classes, is:
//
//	5 to 30 lines   93.4 %   (35,453 windows)
//	2 to 4 lines    82.8 %   (18,437 windows)
//
// For this table, run TestLanguage_accuracy in internal/bench on the windows
// that internal/tools/train writes. Two classes are known to be weak,
// because little training text was available: dart and julia, at 62 and 38 % of
// few and unusual held-out windows. TypeScript without types is the same text
// as JavaScript and reported as such; many headers of C and C++ are the same
// text too.
//
// Detection reads at most [MaxRead] bytes, which bounds its cost. Its result
// for a text may change between versions, but is always a name that [Lookup]
// knows.
package language

import "strings"

// minConfidence is the probability below which no language is named. With 36 classes,
// it is more than ten times that of a random guess.
const minConfidence = 0.3

// MaxRead is the number of bytes that detection reads from the start of a text.
const MaxRead = 8 << 10

// Resolve returns the name of the language of code. If [Lookup] knows name,
// Resolve returns it as sent, but in lower case and without surrounding blanks.
// For any other name, including "auto" and "", it returns the result of
// [Detect]. filename may be empty.
func Resolve(name, code, filename string) string {
	if find(name) != nil {
		return strings.ToLower(strings.TrimSpace(name))
	}
	return Detect(code, filename)
}

// Detect returns the canonical name of the language of code, or [Text] if none
// fits. A filename whose name or extension belongs to one language takes
// precedence over the code; it may be empty and may include directories.
func Detect(code, filename string) string {
	if name := fromFilename(filename); name != "" {
		return name
	}
	name, _ := Guess(code)
	return fromSharedExtension(filename, code, name)
}

// Guess returns the canonical name of the language of code, or [Text] if none
// fits, and its confidence from 0 to 1: the probability of the classifier, or 1
// if a mark such as a shebang decides.
func Guess(code string) (name string, confidence float64) {
	head := strings.ReplaceAll(code[:min(len(code), MaxRead)], "\r\n", "\n")
	if name := decide(head, len(code) > MaxRead); name != "" {
		return name, 1
	}
	rest, isComment := withoutComment(head)
	name, confidence = classify(rest)
	if known().expressions["module"](rest) != "" {
		confidence = max(confidence, minConfidence)
		if name != "typescript" {
			name = "javascript"
		}
	}
	isScript := name == "javascript" || name == "typescript"
	switch {
	case jsonStart.MatchString(rest) && looksLikeJSON(rest, true):
		return "json", almost
	case confidence < minConfidence && !isComment:
		return Text, confidence
	case isScript && known().expressions["typed"](head) != "":
		return "typescript", confidence
	case isScript && confidence < 0.8: // a program without types is valid in both
		return "javascript", confidence
	default:
		return name, confidence
	}
}
