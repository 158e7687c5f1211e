package slugify

import (
	"encoding/binary"
	"strings"
	"sync"
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
	// combining marks a mark that NFC may put before another; with unsettled,
	// one that NFC may join to the rune before it.
	combining
)

const entryLetters = 6

func (e entry) length() int { return int(e>>48) & 0xff }

// page is what 256 runes become, made when the first of them is met.
type page struct {
	entries [256]entry
	classes [256]uint8 // the canonical combining class of marks
	long    [][]byte   // words that spaces separate
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
		p.classes[i] = norm.NFC.PropertiesString(string(r)).CCC()
		switch {
		case r == '&', r == '@':
			p.entries[i] = p.encode(string(r))
		case r >= utf8.RuneSelf:
			p.entries[i] = p.entryOf(r, l)
		}
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
	alone := string(r)
	between := "x" + alone + "x"
	if norm.NFC.QuickSpanString(between) < len(between) {
		flags |= unsettled
	}
	isMark := flags == unsettled || norm.NFC.PropertiesString(alone).CCC() > 0
	if isMark && norm.NFC.String(alone) == alone {
		flags |= combining
	}
	if len(s) > 1 && caseOf(r) != none {
		flags |= cased
	}
	return flags
}

// joins reports that NFC makes one rune of two. Of Hangul it says so of all
// vowels and final consonants.
func joins(before, r rune) bool {
	return r>>8 == 0x11 || joined()[[2]rune{before, r}]
}

// joined are the pairs that NFC makes one rune of: those that a rune which NFC
// leaves as it is decomposes into. Looking them up takes a fifth of the time
// that norm.NFC.IsNormalString does (BenchmarkSlugRatio of Devanagari in
// internal/bench).
var joined = sync.OnceValue(func() map[[2]rune]bool {
	pairs := make(map[[2]rune]bool)
	for _, block := range [][2]rune{{0xc0, 0x3400}, {0x10000, 0x17000}} {
		for r := block[0]; r < block[1]; r++ {
			whole := string(r)
			parts := norm.NFC.PropertiesString(whole).Decomposition()
			if parts == nil || norm.NFC.String(whole) != whole {
				continue
			}
			last, size := utf8.DecodeLastRune(parts)
			first, _ := utf8.DecodeRune(norm.NFC.Bytes(parts[:len(parts)-size]))
			pairs[[2]rune{first, last}] = true
		}
	}
	return pairs
})
