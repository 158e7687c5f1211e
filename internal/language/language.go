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

import (
	"cmp"
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"
)

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

// maxFilenameBytes is the number of bytes at the end of a file name that are
// read.
const maxFilenameBytes = 255

// fromFilename returns the language that a file name alone determines, or "".
// It leaves .h and .m, which several languages share, to fromSharedExtension.
func fromFilename(filename string) string {
	filename = filename[max(0, len(filename)-maxFilenameBytes):]
	asWritten := filename[strings.LastIndexAny(filename, `/\`)+1:]
	base := strings.ToLower(asWritten)
	if base == "" {
		return ""
	}
	if name := known().words["filename"][base]; name != "" {
		return name
	}
	dot := strings.LastIndexByte(base, '.')
	ext := base[dot+1:]
	if dot >= 0 && (ext == "h" || ext == "m") {
		return ""
	}
	if name := known().words["extension"][ext]; dot >= 0 && name != "" {
		return name
	}
	return fromPattern(asWritten)
}

// fromSharedExtension resolves an extension that several languages share: .h is
// C unless the code looks like C++ or Objective-C, and .m is Matlab unless it
// looks like Objective-C. For other names it returns guess.
func fromSharedExtension(filename, code, guess string) string {
	switch ext := strings.ToLower(path.Ext(filename)); {
	case ext != ".h" && ext != ".m":
		return guess
	case objectiveC(code):
		return "objective-c"
	case ext == ".m":
		return "matlab"
	case guess == "c++":
		return guess
	}
	return "c"
}

func objectiveC(code string) bool {
	code = code[:min(len(code), MaxRead)]
	marks := []string{"#import ", "@interface ", "@implementation ", "@protocol ", "@property "}
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(code, mark) })
}

// fromPattern returns the language of a file name without directories, or "". A
// whole name takes precedence over an extension, and that over other patterns.
func fromPattern(base string) string {
	extension := "*" + path.Ext(base)
	for _, pattern := range []string{base, extension, strings.ToLower(extension)} {
		for _, e := range entries() {
			if slices.Contains(e.patterns, pattern) {
				return e.name
			}
		}
	}
	for _, e := range entries() {
		if slices.ContainsFunc(e.patterns, func(pattern string) bool { ok, _ := path.Match(pattern, base); return ok }) {
			return e.name
		}
	}
	return ""
}

// Text is the name of plain text: prose, logs, and unrecognized code.
const Text = "text"

// maxNameBytes bounds what Lookup reads, at twice chroma's longest name.
const maxNameBytes = 64

// entry is one language: a row of languages.tsv.
type entry struct {
	name      string   // canonical
	chroma    string   // the name of chroma's lexer, for people
	extension string   // with its dot; "" for none
	aliases   []string // chroma's
	patterns  []string // of file names
}

// The languages are those that chroma highlights, in the order that it
// registers them. They are in a table so that names and detection need no
// lexers, which take 9 ms to register. TestTable_chroma writes the table and
// compares it with chroma.
//
//go:embed languages.tsv
var table string

var entries = sync.OnceValue(func() []entry {
	var all []entry
	for row := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		all = append(all, entry{cells[0], cells[1], cells[2], strings.Split(cells[3], ","), strings.Split(cells[4], ",")})
	}
	return all
})

// index maps every name and alias, folded, to its language. If two languages
// claim a word, the one whose name it is wins, then the last one in the table,
// as in chroma.
var index = sync.OnceValue(func() map[string]*entry {
	all := entries()
	m := make(map[string]*entry, 4*len(all))
	add := func(alias string, e *entry) {
		if alias = fold(alias); m[alias] == nil {
			m[alias] = e
		}
	}
	for i := range all {
		add(all[i].chroma, &all[i])
	}
	for i := len(all) - 1; i >= 0; i-- {
		for _, alias := range all[i].aliases {
			add(alias, &all[i])
		}
	}
	for i := range all {
		add(all[i].name, &all[i])
	}
	for alias, name := range known().words["alias"] {
		add(alias, m[name])
	}
	delete(m, "")
	return m
})

// Names returns the canonical names of all languages, in the order of the table.
func Names() []string {
	all := entries()
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.name
	}
	return names
}

// Lookup returns the canonical name of a language, given any name or alias that
// chroma knows or that is in common use (node, yml, golang). It ignores case
// and surrounding blanks. Canonical names are in lower case and map to
// themselves. "auto" and "" are not names.
func Lookup(name string) (canonical string, ok bool) {
	e := find(name)
	if e == nil {
		return "", false
	}
	return e.name, true
}

func find(name string) *entry {
	if len(name) > maxNameBytes {
		return nil
	}
	return index()[fold(name)]
}

// fold makes names equal that differ only in case and surrounding blanks. It
// maps to upper case first, because only there the micro sign equals the Greek
// letter.
func fold(name string) string {
	return strings.ToLower(strings.ToUpper(strings.TrimSpace(name)))
}

// Display returns the name of a language for people, such as "JavaScript",
// given a name or alias. It is the name of chroma's lexer, and "plaintext" if
// the language is unknown.
func Display(name string) string {
	return cmp.Or(find(name), find(Text)).chroma
}

// Extension returns the usual file name extension of a language with its dot,
// such as ".go", given a name or alias. It is ".txt" if the language is unknown
// or has none.
func Extension(name string) string {
	if e := find(name); e != nil && e.extension != "" {
		return e.extension
	}
	return ".txt"
}
