package level

import (
	"bytes"
	_ "embed" // of phrases.tsv
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

// Place is the place of a phrase in a message.
type Place uint8

// The places that phrases.tsv describes. An ending is at the end of a text, the
// others at its start. The texts of those from Clause on may also start with a
// capital.
const (
	Head Place = iota
	Continuing
	Opening
	Frame
	Detail
	Ending
	Clause
	Noun
	Predicate
	Inside
)

// places are the names of places in the table.
var places = [...]string{"head", "continuing", "opening", "frame", "detail", "ending", "clause", "noun", "predicate", "inside"}

// class is a set of the kinds of words that phrases.tsv describes.
type class uint16

const (
	condition class = 1 << iota
	attributive
	adverbial
	verb
	sentence
	nothing
	verdict
	failure
	warning
	counting
	heading
)

// kinds are the names of kinds of words in the table.
var kinds = [...]string{"condition", "attributive", "adverbial", "verb", "sentence", "nothing", "verdict", "failure", "warning", "counting", "heading"}

// Phrase is a text that determines the level of a message.
type Phrase struct {
	Text  string
	Level Level
	Trace string // the part of a stack trace that the line is, "event", "exit" or ""
	and   []byte // what the message must contain too
}

//go:embed phrases.tsv
var phraseTable string

// phrases finds phrases by their texts, words are the names of levels, and
// classes are other words.
var phrases, words, classes = readTable(phraseTable)

func readTable(table string) (phrases index, words map[string]Meaning, classes map[string]class) {
	phrases.lists = make([][len(places)][]Phrase, 1)
	words, classes = make(map[string]Meaning), make(map[string]class)
	for cells := range ascii.Rows(table) {
		text, _ := strconv.Unquote(cells[2])
		and, _ := strconv.Unquote(cells[3])
		level, trace, _ := strings.Cut(cells[1], " ")
		p := Phrase{Text: text, Trace: trace, and: []byte(and)}
		_ = p.Level.UnmarshalText([]byte(level))
		switch place := Place(slices.Index(places[:], cells[0])); cells[0] {
		case "word", "vague":
			words[text] = Meaning{p.Level, cells[0] == "vague"}
		case "words":
			for word := range strings.FieldsSeq(text) {
				classes[word] |= 1 << slices.Index(kinds[:], cells[1])
				classes[capitalized(word)] |= 1 << slices.Index(kinds[:], cells[1])
			}
		default:
			if phrases.add(place, p); place >= Clause {
				p.Text = capitalized(text)
				phrases.add(place, p)
			}
		}
	}
	return phrases, words, classes
}

func capitalized(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// index lists phrases by their first four bytes, shorter ones by the first two,
// and endings by the last two. Almost no word starts any phrase, so that the
// table holds but the number of a list, the first of which is empty, and stays in
// the processor's cache.
type index struct {
	table [1 << 13]uint16
	lists [][len(places)][]Phrase
}

func key4(text []byte) uint32 { return binary.LittleEndian.Uint32(text) * 0x9E3779B1 >> 19 }

func key2(text []byte) uint32 { return (uint32(text[0])<<6 ^ uint32(text[1])) & (1<<13 - 1) }

func (x *index) add(place Place, p Phrase) {
	text := []byte(p.Text)
	key := key2(text)
	if place == Ending {
		key = key2(text[len(text)-2:])
	} else if len(text) > 3 {
		key = key4(text)
	}
	if x.table[key] == 0 {
		x.table[key] = uint16(len(x.lists))
		x.lists = append(x.lists, [len(places)][]Phrase{})
	}
	list := &x.lists[x.table[key]][place]
	*list = append(*list, p)
}

// at returns the numbers of the lists of long and short phrases that may start b.
func (x *index) at(b []byte) (long, short uint16) {
	if len(b) > 3 {
		long = x.table[key4(b)]
	}
	if len(b) > 1 {
		short = x.table[key2(b)]
	}
	return long, short
}

// Find returns the phrase at this place of b, or nil.
func (place Place) Find(b []byte) *Phrase {
	long, short := phrases.at(b)
	if place == Ending {
		long, short = phrases.at(b[max(0, len(b)-2):])
	}
	if p := place.first(b, long); p != nil {
		return p
	}
	return place.first(b, short)
}

// first returns the first phrase of a list that is at this place of b, or nil.
func (place Place) first(b []byte, list uint16) *Phrase {
	in := phrases.lists[list][place]
	for i := range in {
		p, n := &in[i], len(in[i].Text)
		if n <= len(b) && (b[n-1] == p.Text[n-1] || place == Ending) && place.has(b, p) && bytes.Contains(b, p.and) {
			return p
		}
	}
	return nil
}

// has reports whether a phrase is at this place of b, and whole there: a clause
// ends with it unless the phrase ends with a blank or a sign.
func (place Place) has(b []byte, p *Phrase) bool {
	switch {
	case place == Ending:
		return ascii.HasSuffix(b, p.Text)
	case !ascii.HasPrefix(b, p.Text):
		return false
	case place == Noun:
		return isNamed(b[len(p.Text):])
	case place == Clause || place == Predicate:
		return !ascii.IsLetter(p.Text[len(p.Text)-1]) || endsClause(b[len(p.Text):])
	}
	return true
}

// isNamed reports whether b continues the name of what is wrong up to the end
// of its clause, rather than a sentence about it.
func isNamed(b []byte) bool {
	end := bytes.IndexAny(b, ":,;(\"'`")
	if end < 0 {
		end = len(b)
	}
	return classOf(b[:end])&verb == 0 && (ascii.At(b, end) != ':' || !Denies(b[end+1:]))
}

// endsClause reports whether the text after a phrase ends the clause, or says
// how, where or why.
func endsClause(b []byte) bool {
	n := len(b)
	b = bytes.TrimLeft(b, ".!")
	switch {
	case len(b) == 0 || len(b) < n && b[0] == ' ':
		return true
	case b[0] == ':':
		return len(b) == 1 || b[1] == ' ' && !Denies(b[1:])
	case b[0] != ' ':
		return strings.IndexByte(",;)]|\t", b[0]) >= 0
	}
	if n := ascii.Letters(b[1:]); n > 0 {
		return classes[string(b[1:1+n])]&adverbial != 0
	}
	return strings.IndexByte("([{-| ", ascii.At(b, 1)) >= 0
}

// Denies reports whether the value of an error says that there is none: a
// number, or a word that ends its clause, unlike "none of the packages".
func Denies(value []byte) bool {
	b := bytes.TrimLeft(value, " ")
	n := ascii.Letters(b)
	return ascii.Digits(b) > 0 || classes[string(b[:n])]&nothing != 0 && (n == len(b) || strings.IndexByte(",;.)|", b[n]) >= 0 || ascii.HasPrefix(b[n:], " error"))
}

// NamesNothing reports whether a message has no other words than headings have.
func NamesNothing(message string) bool {
	for word := range strings.FieldsFuncSeq(message, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if classes[strings.ToLower(word)]&heading == 0 {
			return false
		}
	}
	return true
}

// classOf returns the kinds of all words of b.
func classOf(b []byte) (all class) {
	for word := range bytes.FieldsSeq(b) {
		all |= classes[string(word)]
	}
	return all
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
