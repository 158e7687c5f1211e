package slugify

import (
	"encoding/binary"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// An entry says what one rune becomes. The first six bytes are ASCII letters
// and digits, the seventh tells how many of them count, the eighth holds the
// flags below. The zero entry is a rune that vanishes.
type entry uint64

const (
	breakBefore entry = 1 << (56 + iota)
	breakAfter
	// unsettled marks a rune that NFC may replace or join to the one before:
	// the text must be normalised before the rune is looked at.
	unsettled
	// cased marks the expansion of a cased letter into several.
	cased
	// long marks a spelling that six letters do not hold. Its first two bytes
	// are an index into the page's list.
	long
	// named marks & and @ in their wider forms; the first byte says which.
	named
	// contextual marks a rune that a context of the language may begin with.
	contextual
)

const entryLetters = 6

func (e entry) length() int { return int(e>>48) & 0xff }

// page is what 256 runes become, made when the first of them is met.
type page struct {
	entries [256]entry
	long    [][]byte // words that spaces separate
}

// pages are the pages that all languages share. Two goroutines that come
// first at the same time make equal ones.
var pages [(utf8.MaxRune + 1) >> 8]atomic.Pointer[page]

func sharedPage(n rune) *page {
	if p := pages[n].Load(); p != nil {
		return p
	}
	p := newPage(n, nil)
	pages[n].Store(p)
	return p
}

// newPage makes a page, for a language or, without one, for all.
func newPage(n rune, l *language) *page {
	p := new(page)
	for i := range p.entries {
		r := n<<8 | rune(i)
		if r < utf8.RuneSelf {
			continue
		}
		p.entries[i] = p.entryOf(r, l)
	}
	return p
}

func (p *page) entryOf(r rune, l *language) entry {
	if l == nil {
		s := transliterate(r)
		return p.encode(s) | flagsOf(r, s)
	}
	s, ok := l.own[r]
	if !ok {
		s = transliterate(r)
	}
	e := p.encode(s) | flagsOf(r, s)
	if l.contexts[unicode.ToLower(r)] != nil {
		e |= contextual
	}
	return e
}

// encode packs a spelling: letters and digits, and a space for a break; or & or
// @ by itself for what the language calls it.
func (p *page) encode(s string) entry {
	words := strings.Fields(s)
	switch {
	case s == "":
		return 0
	case s == "&", s == "@":
		return named | entry(s[0])
	case len(words) == 0:
		return breakAfter
	}
	var e entry
	if s[0] == ' ' {
		e |= breakBefore
	}
	if s[len(s)-1] == ' ' {
		e |= breakAfter
	}
	if len(words) == 1 && len(words[0]) <= entryLetters {
		var letters raw
		copy(letters[:], words[0])
		letters[entryLetters] = byte(len(words[0]))
		return e | entry(binary.LittleEndian.Uint64(letters[:]))
	}
	p.long = append(p.long, []byte(strings.Join(words, " ")))
	return e | long | entry(len(p.long)-1)
}

func flagsOf(r rune, s string) entry {
	var flags entry
	if !norm.NFC.PropertiesString(string(r)).BoundaryBefore() || norm.NFC.String(string(r)) != string(r) {
		flags |= unsettled
	}
	if len(s) > 1 && isCased(r) {
		flags |= cased
	}
	return flags
}
