package language

import (
	_ "embed" // of known.tsv
	"regexp"
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
	words map[string]map[string]string // language of each word, by kind of word
	// Each of starts has one mark. A text must have all marks of a block.
	starts, blocks []marked
	// begin, match and entry match the beginnings of texts, of lines and of
	// lines of logs.
	begin, match, entry beginnings
}

// beginnings is an expression with one group for each of languages.
type beginnings struct {
	languages []string
	*regexp.Regexp
}

// of returns the language that the beginning of a text identifies, or "".
func (b *beginnings) of(text string) string {
	for i, at := range b.FindStringSubmatchIndex(text) {
		if i > 1 && i%2 == 0 && at >= 0 {
			return b.languages[i/2-1]
		}
	}
	return ""
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
	k := &markTable{words: map[string]map[string]string{}}
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
	name := known().begin.of(code)
	code, _, _ = strings.Cut(code, "\n```")
	for name == "" && code != "" {
		name = known().match.of(code)
		_, code, _ = strings.Cut(code, "\n")
	}
	return name
}

// fromMarks returns the language of the first block all of whose marks code
// has, or "".
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

// on reports whether a line has the mark; inner is the line without leading
// blanks.
func (m mark) on(line, inner string) bool {
	if m.inner {
		line = inner
	}
	return strings.HasPrefix(line, m.prefix) && strings.HasSuffix(line, m.suffix)
}
