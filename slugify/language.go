package slugify

import (
	_ "embed"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/devkiln/devkiln/internal/nearest"
)

//go:generate go -C ../internal/tools run ./slugtables ../../slugify

// Language is a language that [Options] supports.
type Language struct {
	Tag      string // BCP 47, such as "de"
	Name     string // in English
	Standard string // standard of its transliteration; "" for the common one
}

// Languages returns the languages that have their own table, ordered by tag.
func Languages() []Language {
	var all []Language
	for _, t := range tables() {
		all = append(all, Language{Tag: t.code, Name: t.name, Standard: t.standard})
	}
	return all
}

// languageList has one language per line, ordered by tag: its ISO 639 codes,
// its name, and the other columns of a [table]. The program internal/tools/slugtables writes
// the letters of the languages that gosimple/slug knows; the rest is written by
// hand.
//
//go:embed languages.tsv
var languageList string

var tables = sync.OnceValue(func() []*table {
	_, rows, _ := strings.Cut(languageList, "\n")
	var all []*table
	for row := range strings.Lines(rows) {
		c := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		all = append(all, &table{code: c[0], code3: c[1], name: c[2], and: c[3], at: c[4], letters: c[5], contexts: c[6], standard: c[7]})
	}
	return all
})

// common is the table for text of no particular language.
var common = &table{and: "and", at: "at"}

// table holds what one language says for & and @, where "" is a break; the
// letters that it spells in its own way, each followed by its spelling, as in
// "äae öoe"; and its contexts, as [parseContexts] reads them.
type table struct {
	code, code3, name, and, at, letters, contexts, standard string

	// made is the parsed table, set on first use. Goroutines that parse it at
	// the same time set equal ones.
	made atomic.Pointer[language]
}

// language is a parsed table.
type language struct {
	and, at  string                 // " and ": words of their own, or a break
	own      map[rune]*spelling     // its own letters
	contexts map[rune][]contextRule // by first rune
}

func (t *table) language() *language {
	if l := t.made.Load(); l != nil {
		return l
	}
	l := &language{and: " " + t.and + " ", at: " " + t.at + " ", own: make(map[rune]*spelling), contexts: parseContexts(t.contexts)}
	for r, s := range parseSpellings(t.letters) {
		l.own[r] = new(spellingOf(s))
	}
	t.made.Store(l)
	return l
}

// languageTable returns the table of a tag, or [common] if the tag names no
// language, and reports whether the tag is known. Only the first subtag names a
// language (RFC 4647, section 3.4).
func languageTable(tag string) (*table, bool) {
	if end := strings.IndexByte(tag, '-'); end >= 0 {
		tag = tag[:end]
	}
	switch {
	case tag == "", strings.EqualFold(tag, "und"), strings.EqualFold(tag, "mul"), strings.EqualFold(tag, "x"):
		return common, true
	case strings.EqualFold(tag, "no"), strings.EqualFold(tag, "nor"):
		tag = "nb" // Norwegian of no particular written form is Bokmål
	}
	for _, t := range tables() {
		if strings.EqualFold(tag, t.code) || strings.EqualFold(tag, t.code3) {
			return t, true
		}
	}
	return common, false
}

// nearestTag returns the tag of the language whose name begins with the first
// subtag or resembles it, or "" if there is none.
func nearestTag(tag string) string {
	tag, _, _ = strings.Cut(tag, "-")
	var names []string
	for _, t := range tables() {
		names = append(names, t.name)
		if strings.HasPrefix(strings.ToLower(t.name), strings.ToLower(tag)) {
			return t.code
		}
	}
	name := nearest.Name(tag, names)
	for _, t := range tables() {
		if t.name == name {
			return t.code
		}
	}
	return ""
}
