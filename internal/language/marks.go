package language

import (
	_ "embed" // of known.tsv
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Words and marks that determine a language by themselves are in a table:
// names, extensions, interpreters, and marks of any language.
//
//go:embed known.tsv
var knownTable string

// markTable is the parsed table.
type markTable struct {
	words  map[string]map[string]string // language of each word, by kind of word
	blocks []marked                     // a text must have all marks of one
	// expressions return the language that a text identifies, or "", by kind of
	// expression.
	expressions map[string]func(text string) string
}

// expression compiles the expressions of a kind when they are first needed, as
// one with a group for each of the languages. All but those of types stand at
// the beginning of a text.
func expression(kind string, languages, expressions []string) func(text string) string {
	anchor := `\A`
	if kind == "typed" {
		anchor = ""
	}
	all := sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)` + anchor + `(?:(` + strings.Join(expressions, ")|(") + "))")
	})
	return func(text string) string {
		for i, at := range all().FindStringSubmatchIndex(text) {
			if i > 1 && i%2 == 0 && at >= 0 {
				return languages[i/2-1]
			}
		}
		return ""
	}
}

// marked is a language and the marks that identify it.
type marked struct {
	language string
	marks    []mark
}

// mark is the start and the end of a line, ignoring trailing blanks.
type mark struct {
	prefix, suffix string
	inner          bool // blanks may precede it
}

var known = sync.OnceValue(func() *markTable {
	k := &markTable{words: map[string]map[string]string{}, expressions: map[string]func(string) string{}}
	expressions, languages := map[string][]string{}, map[string][]string{}
	for row := range strings.Lines(knownTable) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		kind, row, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		name, rest, _ := strings.Cut(row, "\t")
		switch kind {
		case "lines":
			k.blocks = append(k.blocks, readMarks(name, rest))
		case "alias", "filename", "extension", "interpreter":
			k.addWords(kind, name, rest)
		default:
			expressions[kind] = append(expressions[kind], rest)
			languages[kind] = append(languages[kind], name)
		}
	}
	for kind := range expressions {
		k.expressions[kind] = expression(kind, languages[kind], expressions[kind])
	}
	return k
})

// addWords adds words for a language, except those that earlier rows have.
func (k *markTable) addWords(kind, language, words string) {
	if k.words[kind] == nil {
		k.words[kind] = map[string]string{}
	}
	for word := range strings.FieldsSeq(words) {
		if k.words[kind][word] == "" {
			k.words[kind][word] = language
		}
	}
}

// readMarks reads the marks of a row, which are separated by tabs.
func readMarks(language, cells string) marked {
	m := marked{language: language}
	for cell := range strings.SplitSeq(cells, "\t") {
		prefix, suffix, _ := strings.Cut(cell, "…")
		outer := strings.TrimPrefix(prefix, " ")
		m.marks = append(m.marks, mark{outer, suffix, outer != prefix})
	}
	return m
}

// fromBeginnings returns the language that the beginning of code, or of one of
// its lines before the first fence of a Markdown code block, identifies, or "".
func fromBeginnings(code string) string {
	name := known().expressions["begin"](code)
	code, _, _ = strings.Cut(code, "\n```")
	for name == "" && code != "" {
		name = known().expressions["match"](code)
		_, code, _ = strings.Cut(code, "\n")
	}
	return name
}

// fromMarks returns the language of the first block all of whose marks code
// has, or "".
func fromMarks(code string) string {
	lines := strings.Split(code, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	for _, b := range known().blocks {
		if !slices.ContainsFunc(b.marks, func(m mark) bool { return !slices.ContainsFunc(lines, m.on) }) {
			return b.language
		}
	}
	return ""
}

// on reports whether a line has the mark.
func (m mark) on(line string) bool {
	if m.inner {
		line = strings.TrimLeft(line, " \t")
	}
	return line != "" && strings.HasPrefix(line, m.prefix) && strings.HasSuffix(line, m.suffix)
}
