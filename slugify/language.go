package slugify

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

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
		all = append(all, t.Language)
	}
	return all
}

// languageList has one language per line, ordered by tag: its ISO 639 codes and
// its name; what it says for & and @, where nothing is a break; the letters that
// it spells in its own way, each followed by its spelling, as in "äae öoe"; its
// contexts, as [parseContexts] reads them; its standard. The program
// internal/tools/slugtables writes the letters of the languages that
// gosimple/slug knows; the rest is written by hand.
//
//go:embed languages.tsv
var languageList string

// table is a language of the list.
type table struct {
	Language

	code3    string
	language func() *language
}

var tables = sync.OnceValue(func() []table {
	_, rows, _ := strings.Cut(languageList, "\n")
	var all []table
	for row := range strings.Lines(rows) {
		c := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		parse := sync.OnceValue(func() *language { return parseLanguage(c[3], c[4], c[5], c[6]) })
		all = append(all, table{Language{Tag: c[0], Name: c[2], Standard: c[7]}, c[1], parse})
	}
	return all
})

// common is for text of no particular language.
var common = parseLanguage("and", "at", "", "")

// language is what one language says for & and @ and for letters.
type language struct {
	and, at  string                 // " and ": words of their own, or a break
	own      map[rune]*spelling     // its own letters
	contexts map[rune][]contextRule // by first rune
}

func parseLanguage(and, at, letters, contexts string) *language {
	l := &language{and: " " + and + " ", at: " " + at + " ", own: make(map[rune]*spelling), contexts: parseContexts(contexts)}
	for r, s := range parseSpellings(letters) {
		l.own[r] = new(spellingOf(s))
	}
	return l
}

// languageOf returns the language of a tag, or [common] if the tag names none,
// and reports whether the tag is known. Only the first subtag names a language
// (RFC 4647, section 3.4).
func languageOf(tag string) (*language, bool) {
	if tag == "" {
		return common, true
	}
	tag, _, _ = strings.Cut(tag, "-")
	switch tag = strings.ToLower(tag); tag {
	case "", "und", "mul", "x":
		return common, true
	case "no", "nor":
		tag = "nb" // Norwegian of no particular written form is Bokmål
	}
	for _, t := range tables() {
		if tag == t.Tag || tag == t.code3 {
			return t.language(), true
		}
	}
	return common, false
}

// nearestTag returns the tag of the language whose name begins with the first
// subtag or resembles it, or "" if there is none.
func nearestTag(tag string) string {
	tag, _, _ = strings.Cut(strings.ToLower(tag), "-")
	var names []string
	for _, t := range tables() {
		names = append(names, strings.ToLower(t.Name))
	}
	i := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(name, tag) })
	if i < 0 {
		i = slices.Index(names, nearest.Name(tag, names))
	}
	if i < 0 {
		return ""
	}
	return tables()[i].Tag
}

// A contextRule spells letters together, or by their place in a word: Greek ου
// is ou, and Ukrainian є is ye at the beginning of a word.
type contextRule struct {
	match    []rune // in lower case; the first rune is the key of the map
	initial  bool   // matches only at the beginning of a word
	final    bool   // matches only at the end of a word
	before   string // one of these letters must follow; "" allows any
	spelling string // with spaces for breaks
}

// parseContexts reads contexts separated by blanks. Each has the form
// letters=spelling, as in "ου=ou". "^" before the letters restricts them to the
// beginning of a word, "$" after them to its end, and "(…)" to where one of the
// enclosed letters follows: "αυ(βγδ)=av". A spelling with "_" forms words of
// its own: "重庆=chong_qing".
func parseContexts(list string) map[rune][]contextRule {
	if list == "" {
		return nil
	}
	all := make(map[rune][]contextRule)
	for item := range strings.FieldsSeq(list) {
		match, spelling, _ := strings.Cut(item, "=")
		var c contextRule
		match, c.initial = strings.CutPrefix(match, "^")
		match, c.final = strings.CutSuffix(match, "$")
		match, c.before, _ = strings.Cut(match, "(")
		c.before = strings.TrimSuffix(c.before, ")")
		c.match = []rune(match)
		if c.spelling = strings.ReplaceAll(spelling, "_", " "); c.spelling != spelling {
			c.spelling = " " + c.spelling + " "
		}
		all[c.match[0]] = append(all[c.match[0]], c)
	}
	for _, contexts := range all {
		slices.SortStableFunc(contexts, func(a, b contextRule) int { return cmp.Compare(len(b.match), len(a.match)) })
	}
	return all
}

// contextAt returns the longest context that matches at text[i:], and its
// length in bytes, which is 0 if none matches.
func (l *language) contextAt(text string, i int) (*contextRule, int) {
	r, _ := utf8.DecodeRuneInString(text[i:])
	contexts := l.contexts[unicode.ToLower(r)]
	for k := range contexts {
		if n := contexts[k].length(text, i); n > 0 {
			return &contexts[k], n
		}
	}
	return nil, 0
}

// length returns the length in bytes of the context at text[i:], or 0 if it
// does not match there.
func (c *contextRule) length(text string, i int) int {
	n := i
	for _, want := range c.match {
		r, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 || unicode.ToLower(r) != want {
			return 0
		}
		n += size
	}
	next, _ := utf8.DecodeRuneInString(text[n:])
	switch {
	case c.initial && insideWord(text[:i]),
		c.final && isWordRune(next),
		c.before != "" && !strings.ContainsRune(c.before, unicode.ToLower(next)):
		return 0
	}
	return n - i
}

// insideWord reports whether a letter after text would continue a word.
func insideWord(text string) bool {
	for text != "" {
		r, size := utf8.DecodeLastRuneInString(text)
		if !noLetter(r) {
			return unicode.IsLetter(r)
		}
		text = text[:len(text)-size]
	}
	return false
}

// contextForm returns the form for the spelling of a context, which is stored
// in lower case.
func contextForm(text string, i, n int) form {
	first, size := utf8.DecodeRuneInString(text[i:])
	second, _ := utf8.DecodeRuneInString(text[i+size:])
	switch {
	case caseOf(first) != upper:
		return strings.ToLower
	case size == n:
		return formOf(text, i, n, title)
	case caseOf(second) == upper:
		return strings.ToUpper
	}
	return title
}
