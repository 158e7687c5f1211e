package logs

import (
	"bytes"
	_ "embed" // of phrases.tsv
	"slices"
	"strconv"
	"strings"
)

// Phrases that give a message its level stand in a table, phrases.tsv, sorted here
// by where they stand and by their first byte, or, at the end of a message, by
// their last one.

// phrasePlace is where in a message a phrase stands.
type phrasePlace uint8

const (
	signPhrase phrasePlace = iota
	openingPhrase
	programPhrase
	eventPhrase
	dumpPhrase
	endingPhrase
	programEnding
)

// phrasePlaces are the names of places in the table.
var phrasePlaces = [...]string{"sign", "opening", "program", "event", "dump", "ending", "program ending"}

// phrase is a text that gives a message its level, if the message holds another
// one too.
type phrase struct {
	text, and []byte
	level     Level
}

//go:embed phrases.tsv
var phraseTable string

var phrases = readPhrases(phraseTable)

func readPhrases(table string) (phrases [len(phrasePlaces)][256][]phrase) {
	for row := range strings.Lines(table) {
		cells := append(strings.Split(strings.TrimSuffix(row, "\n"), "\t"), `""`)
		at := slices.Index(phrasePlaces[:], cells[0])
		if at < 0 {
			continue // the head of the table
		}
		var p phrase
		text, _ := strconv.Unquote(cells[2])
		and, _ := strconv.Unquote(cells[3])
		p.text, p.and = []byte(text), []byte(and)
		_ = p.level.UnmarshalText([]byte(cells[1]))
		key := text[0]
		if phrasePlace(at) >= endingPhrase {
			key = text[len(text)-1]
		}
		phrases[at][key] = append(phrases[at][key], p)
	}
	return phrases
}

// find returns the phrase that b starts with, or at the places of endings ends
// with, or nil.
func (p phrasePlace) find(b []byte) *phrase {
	if len(b) == 0 {
		return nil
	}
	key, stands := b[0], bytes.HasPrefix
	if p >= endingPhrase {
		key, stands = b[len(b)-1], bytes.HasSuffix
	}
	list := phrases[p][key]
	for i := range list {
		if f := &list[i]; stands(b, f.text) && bytes.Contains(b, f.and) {
			return f
		}
	}
	return nil
}

// level returns the level of the phrase that stands at a place of b.
func (p phrasePlace) level(b []byte) Level {
	if f := p.find(b); f != nil {
		return f.level
	}
	return LevelNone
}

// contents says which kinds of characters a text holds, so that most rules need
// not look at it: BenchmarkAnalyze/plain-prose takes half as long.
type contents uint8

const (
	hasDigit    contents = 1 << iota
	hasColon             // :
	hasBracket           // [ or <
	hasCapital           // a capital
	hasCapitals          // two capitals in a row
	hasDot
	hasOther // none of these, nor a small letter, a blank, or , ; ' ! ? - _ /
)

var byteContents = func() (t [256]contents) {
	for i := range t {
		switch c := byte(i); {
		case isDigit(c):
			t[i] = hasDigit
		case isUpper(c):
			t[i] = hasCapital
		case c == ':':
			t[i] = hasColon
		case c == '[' || c == '<':
			t[i] = hasBracket
		case c == '.':
			t[i] = hasDot
		case !isLetter(c) && strings.IndexByte(" ,;'!?-_/", c) < 0:
			t[i] = hasOther
		}
	}
	return t
}()

// contentsOf returns what a message holds.
func contentsOf(b []byte) (all contents) {
	before := contents(0)
	for _, c := range b {
		kind := byteContents[c]
		if before == hasCapital && kind == hasCapital {
			all |= hasCapitals
		}
		all |= kind
		before = kind
	}
	return all
}

// isWords reports whether a text is nothing but words, as prose is: without two
// capitals in a row, or a dot before anything but a blank. No word of such a text
// is a level.
func isWords(b []byte) bool {
	before := contents(0)
	for _, c := range b[:min(len(b), maxHead)] {
		kind := byteContents[c]
		if kind&^(hasCapital|hasDot) != 0 || kind == hasCapital && before == hasCapital || before == hasDot && c != ' ' {
			return false
		}
		before = kind
	}
	return true
}
