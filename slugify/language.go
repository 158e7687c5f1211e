package slugify

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/nearest"
)

//go:generate go run ./internal/gen

// Language is a language that [Options] know.
type Language struct {
	Tag      string // of BCP 47, such as "de"
	Name     string // in English
	Standard string // that its letters are spelled by, "" for those of all languages
}

// Languages returns the languages that have a table of their own, ordered by
// tag.
func Languages() []Language {
	all := make([]Language, len(tables))
	for i, t := range &tables {
		all[i] = Language{Tag: t.code, Name: t.name, Standard: t.standard}
	}
	return all
}

// table is what one language says for & and @, where "" is a break, and how it
// spells letters: each followed by its spelling in letters, "äae öoe", and by
// its neighbours in contexts, as [parseContexts] reads them.
type table struct {
	code, code3, name, and, at, letters, contexts, standard string
}

// language is a table laid over the pages that all languages share. The
// letters of every table are below U+0800, so that eight pages hold all that
// differs, but for the first letters of contexts.
type language struct {
	and, at  []byte
	own      map[rune]string        // the spelling of its own letters
	contexts map[rune][]contextRule // by first rune
	low      [lowPages]atomic.Pointer[page]
	high     map[rune]*page // of the contexts beyond the low pages
}

const lowPages = 8

// languages caches one language for each table and, last, that of no
// language. Two goroutines that come first at the same time make equal ones.
var languages [len(tables) + 1]atomic.Pointer[language]

// languageOf returns the language of table i, of no language for len(tables).
func languageOf(i int) *language {
	if l := languages[i].Load(); l != nil {
		return l
	}
	l := &language{and: []byte("and"), at: []byte("at")}
	if i < len(tables) {
		t := &tables[i]
		l = &language{and: []byte(t.and), at: []byte(t.at), own: t.spellings(), contexts: parseContexts(t.contexts)}
		l.makeHighPages()
	}
	languages[i].Store(l)
	return l
}

// indexOf returns the index of a tag's table, len(tables) for a tag that names
// no language, and reports whether it knows the tag. Only the first subtag
// names a language (RFC 4647, section 3.4).
func indexOf(tag string) (int, bool) {
	if end := strings.IndexByte(tag, '-'); end >= 0 {
		tag = tag[:end]
	}
	switch {
	case tag == "", strings.EqualFold(tag, "und"), strings.EqualFold(tag, "mul"), strings.EqualFold(tag, "x"):
		return len(tables), true
	case strings.EqualFold(tag, "no"), strings.EqualFold(tag, "nor"):
		tag = "nb" // Norwegian without its written form named is Bokmål
	}
	for i := range &tables {
		if strings.EqualFold(tag, tables[i].code) || strings.EqualFold(tag, tables[i].code3) {
			return i, true
		}
	}
	return len(tables), false
}

// nearestTag returns the tag of the language that somebody meant who wrote its
// name or mistyped it, and "" if there is none.
func nearestTag(tag string) string {
	tag, _, _ = strings.Cut(tag, "-")
	var names []string
	for _, t := range &tables {
		names = append(names, t.name)
		if strings.HasPrefix(strings.ToLower(t.name), strings.ToLower(tag)) {
			return t.code
		}
	}
	name := nearest.Name(tag, names)
	for _, t := range &tables {
		if t.name == name {
			return t.code
		}
	}
	return ""
}

func (t *table) spellings() map[rune]string {
	if t.letters == "" {
		return nil
	}
	own := make(map[rune]string)
	for word := range strings.FieldsSeq(t.letters) {
		r, size := utf8.DecodeRuneInString(word)
		own[r] = word[size:]
	}
	return own
}

// page returns the page of the runes n<<8 to n<<8+255.
func (l *language) page(n rune) *page {
	switch {
	case n < lowPages && (l.own != nil || l.contexts != nil):
		if p := l.low[n].Load(); p != nil {
			return p
		}
		p := newPage(n, l)
		l.low[n].Store(p)
		return p
	case l.high != nil:
		if p, ok := l.high[n]; ok {
			return p
		}
	}
	return sharedPage(n)
}

// makeHighPages makes the pages of the contexts that no low page holds.
func (l *language) makeHighPages() {
	for r := range l.contexts {
		if n := r >> 8; n >= lowPages {
			if l.high == nil {
				l.high = make(map[rune]*page)
			}
			if l.high[n] == nil {
				l.high[n] = newPage(n, l)
			}
		}
	}
}
