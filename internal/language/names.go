package language

import (
	_ "embed"
	"strings"
	"sync"
)

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
	e := find(name)
	if e == nil {
		e = find(Text)
	}
	return e.chroma
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
