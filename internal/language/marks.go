package language

import (
	_ "embed" // of known.tsv
	"regexp"
	"strings"
	"sync"
)

// What decides about a language by itself stands in a table: names, extensions,
// interpreters, and marks of languages, the classifier's and others.
//
//go:embed known.tsv
var knownTable string

// knowledge is the table, read.
type knowledge struct {
	words map[string]map[string]string // for each kind of word, its language
	// starts have one mark each; all marks of blocks are wanted.
	starts, blocks []marked
	// begin, match and entry are for the beginnings of texts, of lines and of
	// lines of logs.
	begin, match, entry beginnings
}

// beginnings are expressions, and the languages that they tell.
type beginnings struct {
	languages []string
	*regexp.Regexp
}

// of returns the language that the beginning of a text tells, or "".
func (b *beginnings) of(text string) string {
	for i, at := range b.FindStringSubmatchIndex(text) {
		if i > 1 && i%2 == 0 && at >= 0 {
			return b.languages[i/2-1]
		}
	}
	return ""
}

// marked is a language and what tells it.
type marked struct {
	language string
	marks    []mark
}

// mark is how a line starts and ends, blanks at its end aside.
type mark struct {
	prefix, suffix string
	inner          bool // blanks may stand before it
}

var known = sync.OnceValue(func() *knowledge {
	k := &knowledge{words: map[string]map[string]string{}}
	expressions, languages := map[string][]string{}, map[string][]string{}
	for row := range strings.Lines(knownTable) {
		kind, row, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		name, rest, _ := strings.Cut(row, "\t")
		switch kind {
		case "start":
			k.starts = append(k.starts, readMarks(name, rest))
		case "lines":
			k.blocks = append(k.blocks, readMarks(name, rest))
		case "begin", "match", "entry":
			expressions[kind] = append(expressions[kind], rest)
			languages[kind] = append(languages[kind], name)
		case "alias", "filename", "extension", "interpreter":
			k.addWords(kind, name, rest)
		}
	}
	for kind, b := range map[string]*beginnings{"begin": &k.begin, "match": &k.match, "entry": &k.entry} {
		*b = beginnings{languages[kind], regexp.MustCompile(`(?m)\A(?:(` + strings.Join(expressions[kind], ")|(") + "))")}
	}
	return k
})

// addWords adds words that mean a language and that no row before has.
func (k *knowledge) addWords(kind, language, words string) {
	if k.words[kind] == nil {
		k.words[kind] = map[string]string{}
	}
	for word := range strings.FieldsSeq(words) {
		if k.words[kind][word] == "" {
			k.words[kind][word] = language
		}
	}
}

// readMarks reads the marks of a row, with tabs between.
func readMarks(language, cells string) marked {
	m := marked{language: language}
	for cell := range strings.SplitSeq(cells, "\t") {
		prefix, suffix, _ := strings.Cut(cell, "…")
		outer := strings.TrimPrefix(prefix, " ")
		m.marks = append(m.marks, mark{outer, suffix, outer != prefix})
	}
	return m
}

// fromBeginnings returns the language that the beginning of code tells, or that of
// one of its lines, down to the first fence of a Markdown code block, or "".
func fromBeginnings(code string) string {
	name := known().begin.of(code)
	code, _, _ = strings.Cut(code, "\n```")
	for name == "" && code != "" {
		name = known().match.of(code)
		_, code, _ = strings.Cut(code, "\n")
	}
	return name
}

// fromMarks returns the language of the first block whose marks code has all, or
// "".
func fromMarks(code string) string {
	blocks := known().blocks
	found := make([]uint8, len(blocks))
	for line := range strings.SplitSeq(code, "\n") {
		line = strings.TrimRight(line, " \t\r")
		inner := strings.TrimLeft(line, " \t")
		if inner == "" {
			continue
		}
		for r := range blocks {
			for m, mark := range blocks[r].marks {
				if mark.on(line, inner) {
					found[r] |= 1 << m
				}
			}
		}
	}
	for r := range blocks {
		if found[r] == 1<<len(blocks[r].marks)-1 {
			return blocks[r].language
		}
	}
	return ""
}

// on reports whether a line has the mark; inner is the line without the blanks
// before it.
func (m mark) on(line, inner string) bool {
	if m.inner {
		line = inner
	}
	return strings.HasPrefix(line, m.prefix) && strings.HasSuffix(line, m.suffix)
}
