package slugify

import (
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A spelling has ASCII letters and digits, and a space for each break. It is &
// or @ for the signs that a language names.
type spelling struct {
	kept, lower string // in the case of the letter, and in lower case
	isWord      bool   // there is no break
}

func spellingOf(s string) spelling {
	return spelling{s, strings.ToLower(s), !strings.ContainsAny(s, " &@")}
}

// A letter is what all languages know of a rune.
type letter struct {
	spelling

	first, last uint8 // the combining classes that its decomposition begins and ends with; NFC orders marks by them
	joins       bool  // NFC joins the rune to some others, if they are before it
	changes     bool  // NFC replaces the rune itself, or joins it as a part of Hangul
}

// A block holds 256 letters. It is made when one of them is first needed:
// transliterating a letter takes longer than the rest of a slug.
type block [256]letter

// blocks are those that have been made. Goroutines that make the same block at
// the same time make equal ones.
var blocks [(utf8.MaxRune + 1) >> 8]atomic.Pointer[block]

// blockOf returns the block of the runes n<<8 to n<<8+255.
func blockOf(n rune) *block {
	if b := blocks[n].Load(); b != nil {
		return b
	}
	b := newBlock(n << 8)
	blocks[n].Store(b)
	return b
}

// hangulParts is the block of the parts that NFC joins to syllables.
const hangulParts = 0x11

func newBlock(first rune) *block {
	b := new(block)
	for i := range b {
		r := first | rune(i)
		if r < utf8.RuneSelf {
			continue
		}
		text := string(r)
		isStable := norm.NFC.QuickSpanString("x"+text+"x") == len(text)+2
		joins := !isStable && norm.NFC.String(text) == text && r>>8 != hangulParts
		properties := norm.NFC.PropertiesString(text)
		b[i] = letter{
			spelling: spellingOf(transliterate(r)), first: properties.CCC(), last: properties.TrailCCC(),
			joins: joins, changes: !isStable && !joins,
		}
	}
	return b
}

// isMovedAfter reports whether NFC moves the mark before a mark of the class.
func (l *letter) isMovedAfter(class uint8) bool { return l.first != 0 && l.first < class }

// isChangedAfter reports whether NFC replaces the letter r, or may join it to the
// text before it, which ends with the class.
func (l *letter) isChangedAfter(text string, r rune, class uint8) bool {
	if l.changes || l.joins && class != 0 {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text)
	return l.joins && joined()[[2]rune{before, r}]
}

// joined returns the pairs of runes that NFC joins into one: the decompositions
// of the runes that NFC leaves alone. With them a text need not be normalized
// to know whether it is, which takes three times as long as its slug
// (BenchmarkSlugRatio of Devanagari in internal/bench).
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
