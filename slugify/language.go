package slugify

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

//go:generate go run ./internal/gen

// table is what one language says for & and @, and the letters that it spells
// in its own way, each followed by its spelling: "äae öoe".
type table struct {
	code, code3, and, at, letters string
}

// language is a table laid over the pages that all languages share. The
// letters of every table are below U+0800, so that eight pages hold all that
// differs.
type language struct {
	and, at []byte
	own     map[rune]string // the spelling of its own letters
	pages   [lowPages]atomic.Pointer[page]
}

const lowPages = 8

// languages caches one language for each table and, last, that of no
// language. Two goroutines that come first at the same time make equal ones.
var languages [len(tables) + 1]atomic.Pointer[language]

// languageOf finds the table of a BCP 47 tag: the tag's last subtag is dropped
// until the rest has a table (RFC 4647 lookup). A tag without a table gives
// what the empty tag gives.
func languageOf(tag string) *language {
	i := indexOf(tag)
	if l := languages[i].Load(); l != nil {
		return l
	}
	t := table{and: "and", at: "at"}
	if i < len(tables) {
		t = tables[i]
	}
	l := &language{and: []byte(t.and), at: []byte(t.at), own: t.spellings()}
	languages[i].Store(l)
	return l
}

// indexOf returns the index of a tag's table, len(tables) for none. Only the
// first subtag names a language, and no table is for less than a language.
func indexOf(tag string) int {
	if tag == "" {
		return len(tables)
	}
	if end := strings.IndexAny(tag, "-_"); end >= 0 {
		tag = tag[:end]
	}
	// Norwegian without its written form named is Bokmål.
	if strings.EqualFold(tag, "no") || strings.EqualFold(tag, "nor") {
		tag = "nb"
	}
	for i := range tables {
		if strings.EqualFold(tag, tables[i].code) || strings.EqualFold(tag, tables[i].code3) {
			return i
		}
	}
	return len(tables)
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
	if l.own == nil || n >= lowPages {
		return sharedPage(n)
	}
	if p := l.pages[n].Load(); p != nil {
		return p
	}
	p := newPage(n, l.own)
	l.pages[n].Store(p)
	return p
}
