package level

import (
	"bytes"
	_ "embed" // of phrases.tsv
	"slices"
	"strconv"
	"strings"

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
)

// kinds are the names of kinds of words in the table.
var kinds = [...]string{"condition", "attributive", "adverbial", "verb", "sentence", "nothing", "verdict", "failure", "warning", "counting"}

// Phrase is a text that determines the level of a message.
type Phrase struct {
	Text  string
	Level Level
	Trace string // the part of a stack trace that the line is, "event", "exit" or ""
	and   []byte // what the message must contain too
}

//go:embed phrases.tsv
var phraseTable string

// phrases are lists of phrases by their place and their key, words are the names
// of levels, and classes are other words.
var phrases, words, classes = readPhrases(phraseTable)

func readPhrases(table string) (*[len(places)][256][]Phrase, map[string]Meaning, map[string]class) {
	lists, words, classes := new([len(places)][256][]Phrase), make(map[string]Meaning), make(map[string]class)
	for cells := range ascii.Rows(table) {
		text, _ := strconv.Unquote(cells[2])
		and, _ := strconv.Unquote(cells[3])
		level, trace, _ := strings.Cut(cells[1], " ")
		p := Phrase{Trace: trace, and: []byte(and)}
		_ = p.Level.UnmarshalText([]byte(level))
		switch place := Place(slices.Index(places[:], cells[0])); cells[0] {
		case "word", "vague":
			words[text] = Meaning{p.Level, cells[0] == "vague"}
		case "words":
			for word := range strings.FieldsSeq(text) {
				for _, form := range forms(word) {
					classes[form] |= 1 << slices.Index(kinds[:], cells[1])
				}
			}
		default:
			texts := forms(text)
			if place < Clause {
				texts = texts[:1]
			}
			for _, p.Text = range texts {
				list := &lists[place][place.key([]byte(p.Text))]
				*list = append(*list, p)
			}
		}
	}
	return lists, words, classes
}

// forms returns a text as it is and with a capital.
func forms(text string) []string { return []string{text, strings.ToUpper(text[:1]) + text[1:]} }

// key returns the number under which a phrase is listed, of its first two bytes
// or, at the end of a text, its last two.
func (place Place) key(text []byte) byte {
	if place == Ending {
		text = text[len(text)-2:]
	}
	return text[0] + 31*text[1]
}

// Find returns the phrase at this place of b, or nil.
func (place Place) Find(b []byte) *Phrase {
	if len(b) < 2 {
		return nil
	}
	list := phrases[place][place.key(b)]
	for i := range list {
		if p := &list[i]; (p.Text[0] == b[0] || place == Ending) && place.has(b, p) && bytes.Contains(b, p.and) {
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
