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

// An entry is the spelling of one rune. Its lowest six bytes are ASCII letters
// and digits, the seventh is their number, and the eighth holds the flags
// below. The zero entry is a rune that vanishes.
type entry uint64

const (
	breakBefore entry = 1 << (56 + iota)
	breakAfter
	// unsettled marks a rune that NFC may replace or join to the one before:
	// the text must be normalised before the rune is spelled.
	unsettled
	// cased marks the expansion of a cased letter into several.
	cased
	// long marks a spelling of more than six letters. The first two bytes of
	// the entry are an index into the list of the page.
	long
	// named marks & and @ and their wide forms; the first byte says which.
	named
	// contextual marks a rune that may begin a context of the language.
	contextual
	// combining marks a mark that NFC may move before another or, with
	// unsettled, may join to the rune before it.
	combining
)

const entryLetters = 6

func (e entry) length() int { return int(e>>48) & 0xff }

// page holds the entries of 256 runes. It is made when one of them is first
// needed.
type page struct {
	entries [256]entry
	classes [256]uint8 // the canonical combining class of marks
	long    [][]byte   // space-separated words
}

// pages are the pages that all languages share. Goroutines that make the same
// page at the same time make equal ones.
var pages [(utf8.MaxRune + 1) >> 8]atomic.Pointer[page]

func sharedPage(n rune) *page {
	if p := pages[n].Load(); p != nil {
		return p
	}
	p := newPage(n, nil)
	pages[n].Store(p)
	return p
}

// newPage makes a page for a language, or for all languages if l is nil.
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

// encode packs a spelling into an entry. The spelling consists of letters and
// digits, with spaces for breaks, or is & or @ alone, which the language names.
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
		var letters rawEntry
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

// joins reports whether NFC joins two runes into one. For every r of the Hangul
// Jamo block it returns true.
func joins(before, r rune) bool {
	return r>>8 == 0x11 || joined()[[2]rune{before, r}]
}

// joined holds the pairs of runes that NFC joins into one: the decompositions
// of the runes that NFC leaves unchanged. A lookup takes a fifth of the time of
// norm.NFC.IsNormalString (BenchmarkSlugRatio of Devanagari in internal/bench).
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
