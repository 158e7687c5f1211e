package logs

import (
	"bytes"
	_ "embed" // of phrases.tsv
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

// Messages about failures have a few forms, whoever writes them. A clause,
// either the first or one after labels and colons, opens with what could not be
// done ("tool: x: cannot open y") or with what is wrong ("invalid argument"),
// or it states what happened to its subject ("the test of x failed with 2", "x
// not found"). The words for that are in phrases.tsv. They count only in the
// main clause: not after "if" or "no", in quotes, or in a name ("failed jobs:
// 3").

// maxClauses is the maximum number of clauses, and of predicates, that are
// examined in a message.
const maxClauses = 6

// openingLevel returns the level of the first clause that opens with a failed
// attempt or a fault.
func openingLevel(b []byte) Level {
	i := leadLen(b)
	for range maxClauses {
		if l := clauseLevel(b[i:]); l != LevelNone && isLabel(b[:i]) {
			return l
		}
		n := bytes.Index(b[i:], []byte(": "))
		if n < 0 {
			break
		}
		i = ascii.SkipSpace(b, i+n+2)
		i += leadLen(b[i:])
	}
	return LevelNone
}

// clausesLevel returns the level of a message by the grammar of its clauses.
func clausesLevel(b []byte) Level {
	level := max(openingLevel(b), causeLevel(b))
	for i, found := 1, 0; i+1 < len(b) && level == LevelNone && found < maxClauses; i++ {
		if b[i-1] != ' ' {
			continue
		}
		if p := predicatePhrase.find(b[i:]); p != nil {
			level = p.predicateLevel(b, i)
			found++
		}
	}
	switch {
	case level == LevelNone || isPassing(b):
		return LevelNone
	case isHandled(b):
		return min(level, LevelWarning)
	}
	return level
}

// isHandled reports whether a message about a failure says that it does no
// harm.
func isHandled(b []byte) bool {
	return containsAny(b, "kipping", "ignoring", "gnored", "fallback", "alling back", "sing default", "sing Default", "etrying", "nstalling", "ownloading", "attempting", "is expected", "continuing", " as is")
}

// causeLevel returns the level of the cause at the end of a message, after a
// colon or a dash. The cause may also be the whole message.
func causeLevel(b []byte) Level {
	if last := b[len(b)-1]; last == '.' || last == ')' {
		b = b[:len(b)-1]
	}
	p := causePhrase.find(b)
	if p == nil {
		return LevelNone
	}
	before := b[:len(b)-len(p.text)]
	if len(before) == 0 || hasSuffix(before, ": ") || hasSuffix(before, " - ") {
		return p.level
	}
	return LevelNone
}

// leadLen returns the length of a sign or a name in brackets, and the blanks
// after it, before a message.
func leadLen(b []byte) int {
	end := 0
	switch ascii.At(b, 0) {
	case '[':
		end = bytes.IndexByte(b, ']') + 1
	case '>', '*':
		end = len(b) - len(bytes.TrimLeft(b, ">*"))
	case '=':
		end = bytes.Index(b, []byte("== ")) + 2 // Valgrind
	case '(':
		if n := 1 + ascii.Digits(b[1:]); n > 1 && ascii.At(b, n) == ')' {
			end = n + 1
		}
	default:
		if ascii.At(b, 6) == '-' && (bytes.IndexByte(b, ' ') == 16 || bytes.IndexByte(b, ' ') == 23) {
			end = bytes.IndexByte(b, ' ') // the ID of a message, as Exim logs it
		}
	}
	if ascii.At(b, end) != ' ' {
		return 0
	}
	return ascii.SkipSpace(b, end)
}

// clauseLevel returns the level of a clause by how it opens.
func clauseLevel(b []byte) Level {
	if p := clausePhrase.find(b); p != nil && (!ascii.IsLetter(p.last()) || endsPredicate(b[len(p.text):])) {
		return p.level
	}
	if p := nounPhrase.find(b); p != nil && isNamed(b[len(p.text):]) {
		return p.level
	}
	n := ascii.Letters(b)
	if ascii.At(b, n) != ' ' {
		return LevelNone
	}
	if rest := b[n+1:]; n > 3 && ascii.IsUpper(b[0]) && (hasPrefix(rest, "error ") || hasPrefix(rest, "Error ")) && continuesError(rest[len("error"):]) && !qualifiers[string(b[:n])] {
		return LevelError
	}
	if n < len("error") {
		return LevelNone
	}
	if level := severity(b[:n]); level != LevelNone && continuesError(b[n:]) {
		return level
	}
	return LevelNone
}

// isNamed reports whether b continues the name of what is wrong up to the end
// of its clause, rather than a sentence about it.
func isNamed(b []byte) bool {
	end := bytes.IndexAny(b, ":,;(\"'`")
	if end < 0 {
		end = len(b)
	}
	for word := range bytes.FieldsSeq(b[:end]) {
		if sentenceVerbs[string(word)] {
			return false
		}
	}
	if end < len(b) {
		rest := b[end+1:]
		rest = rest[bytes.IndexAny(rest, "\"'`")+1:] // after the name in quotes
		if hasPrefix(rest, " has ") && !hasPrefix(rest, " has been ") {
			return false
		}
	}
	return !hasPrefix(b, "or ") && !hasPrefix(b, "and ") && (ascii.At(b, end) != ':' || ascii.At(b, end+1) > ' ' || !deniesError(bytes.TrimLeft(b[end+1:], " ")))
}

// isLabel reports whether the text before a clause is empty or ends with a
// label: a name, a position, or at most maxLead words that form no sentence.
// Text with a % is source code, such as a format.
func isLabel(before []byte) bool {
	return bytes.IndexByte(before, '%') < 0 && !isAside(before) && !isEnclosed(before) && canPrecedeLevel(bytes.TrimRight(before, ": "))
}

// isAside reports whether a label before a clause says that it reports no
// failure.
func isAside(before []byte) bool {
	for word := range bytes.FieldsSeq(before) {
		if label, ok := bytes.CutSuffix(word, []byte(":")); ok && asides[string(label)] {
			return true
		}
	}
	return false
}

// predicateLevel returns the level of the predicate at i of a message.
func (p *phrase) predicateLevel(b []byte, i int) Level {
	end := i + len(p.text)
	if ascii.IsLetter(p.last()) && (ascii.IsLetter(ascii.At(b, end)) || isJoined(b, i, end) || !endsPredicate(b[end:])) {
		return LevelNone
	}
	if caseOf([]byte(p.text)) == titleCase && isCount(b[:i-1]) || !isSubject(b[:i], b[end:]) {
		return LevelNone
	}
	return p.level
}

// endsPredicate reports whether the text after a predicate ends the clause, or
// says how, where or why.
func endsPredicate(b []byte) bool {
	n := len(b)
	b = bytes.TrimLeft(b, ".!")
	switch {
	case len(b) == 0 || len(b) < n && b[0] == ' ':
		return true
	case b[0] == ':':
		return len(b) == 1 || b[1] == ' ' && !deniesError(bytes.TrimLeft(b[1:], " "))
	case b[0] != ' ':
		return strings.IndexByte(",;)]|\t", b[0]) >= 0
	}
	if n := ascii.Letters(b[1:]); n > 0 {
		return adverbials[string(b[1:1+n])]
	}
	return strings.IndexByte("([{-|= ", ascii.At(b, 1)) >= 0 && !hasPrefix(b, " (0)") && !hasPrefix(b, " = ")
}

// isCount reports whether b ends with a number that starts its clause. With a
// capital, the word after it is the name of a count: "0 Approved, 5 Rejected".
func isCount(b []byte) bool {
	before := bytes.TrimRight(b, "0123456789")
	return len(before) < len(b) && startsCount(before)
}

// Limits of the subject before a predicate, in words.
const (
	maxSubject      = 14
	maxPlainSubject = 8 // in a message that consists of words alone
)

// isSubject reports whether the clause at the end of before can be the subject
// of a failure, rather than a condition, a negation or a narrative.
func isSubject(before, after []byte) bool {
	if isEnclosed(before) || isAside(before) {
		return false
	}
	clause := before[clauseStart(before):]
	words, article := 0, false
	last := []byte(nil)
	for word := range bytes.FieldsSeq(clause) {
		if words++; conditions[string(word)] {
			return false
		}
		article = article || articles[string(word)]
		last = word
	}
	switch {
	case words == 0 || words > maxSubject || attributive[string(last)]:
		return false
	case !bytes.ContainsAny(clause, "0123456789'\"`._@$<[{%#="):
		return !article && words <= maxPlainSubject
	}
	return !article || string(after) != "."
}

// isEnclosed reports whether before ends inside quotes or parentheses.
func isEnclosed(before []byte) bool {
	return bytes.Count(before, []byte(`"`))%2 != 0 ||
		bytes.Count(before, []byte("`"))%2 != 0 && bytes.LastIndexByte(before, '`') > bytes.LastIndexByte(before, '\'') ||
		bytes.LastIndex(before, []byte(" '")) > bytes.LastIndex(before, []byte("' ")) ||
		bytes.LastIndexByte(before, '(') > bytes.LastIndexByte(before, ')')
}

// clauseStart returns the start of the last clause of b.
func clauseStart(b []byte) int {
	for i := len(b) - 2; i > 0; i-- {
		if b[i+1] == ' ' && strings.IndexByte(":;,.", b[i]) >= 0 && b[i-1] != ' ' {
			return i + 1
		}
	}
	return leadLen(b)
}

// isPassing reports whether a line is source code, or starts or ends with the
// mark of a passed test or step, whatever its name says.
func isPassing(b []byte) bool {
	last := b[len(b)-1]
	return last == ';' || last == '{' || passingPhrase.find(b) != nil || passedPhrase.find(b) != nil
}

// Phrases that determine the level of a message are in a table, phrases.tsv.

// phrasePlace is the place of a phrase in a message.
type phrasePlace uint8

const (
	headPhrase phrasePlace = iota
	continuingPhrase
	signPhrase
	openingPhrase
	clausePhrase
	nounPhrase
	predicatePhrase
	eventPhrase
	dumpPhrase
	detailPhrase
	passingPhrase
	endingPhrase
	causePhrase
	passedPhrase
)

// phrasePlaces are the names of places in the table.
var phrasePlaces = [...]string{"head", "continuing", "sign", "opening", "clause", "noun", "predicate", "event", "dump", "detail", "passing", "ending", "cause", "passed"}

// folds reports whether phrases of this place may also start with a capital.
func (p phrasePlace) folds() bool {
	return p == clausePhrase || p == nounPhrase || p == predicatePhrase || p == causePhrase
}

// phrase is a text that determines the level of a message, if the message also
// contains and.
type phrase struct {
	place phrasePlace
	text  string
	and   []byte
	level Level
	trace tracePart
	next  *phrase // in the same list
}

// last returns the last byte of a phrase.
func (p *phrase) last() byte { return p.text[len(p.text)-1] }

//go:embed phrases.tsv
var phraseTable string

var phrases = readPhrases(phraseTable)

// phraseIndex lists phrases by the first two bytes or, at places of endings,
// the last two, under their hash.
type phraseIndex [1 << 12]phraseList

// phraseList is a list of phrases, and the set of their places.
type phraseList struct {
	places uint16 // one bit each
	first  *phrase
}

func readPhrases(table string) *phraseIndex {
	var all []phrase
	for row := range strings.Lines(table) {
		cells := append(strings.Split(strings.TrimSuffix(row, "\n"), "\t"), `""`)
		at := slices.Index(phrasePlaces[:], cells[0])
		if at < 0 {
			continue // the header of the table
		}
		p := phrase{place: phrasePlace(at)}
		text, _ := strconv.Unquote(cells[2])
		and, _ := strconv.Unquote(cells[3])
		p.text, p.and = text, []byte(and)
		level, part, _ := strings.Cut(cells[1], " ")
		_ = p.level.UnmarshalText([]byte(level))
		p.trace = tracePart(slices.Index(traceParts[:], part))
		all = append(all, p)
		if p.place.folds() && ascii.IsLower(text[0]) {
			p.text = strings.ToUpper(text[:1]) + text[1:]
			all = append(all, p)
		}
	}
	index := new(phraseIndex)
	for i := range all {
		p := &all[len(all)-1-i] // in reverse, so that lists are in the order of the table
		list := index.list(p.place, []byte(p.text))
		list.places |= 1 << p.place
		p.next, list.first = list.first, p
	}
	return index
}

// list returns the list of the phrases that b may start with or, if place is
// one of endings, end with.
func (x *phraseIndex) list(place phrasePlace, b []byte) *phraseList {
	if place >= endingPhrase {
		b = b[len(b)-2:]
	}
	return &x[uint32(binary.LittleEndian.Uint16(b))*0x9E3779B1>>20]
}

// find returns the phrase at the start of b or, at places of endings, at its
// end. It returns nil if there is none.
func (p phrasePlace) find(b []byte) *phrase {
	if len(b) < 2 {
		return nil
	}
	list := phrases.list(p, b)
	if list.places>>p&1 == 0 {
		return nil
	}
	for f := list.first; f != nil; f = f.next {
		if f.place == p && f.isAt(b) && bytes.Contains(b, f.and) {
			return f
		}
	}
	return nil
}

// isAt reports whether b starts or, at places of endings, ends with the phrase.
func (p *phrase) isAt(b []byte) bool {
	n := len(p.text)
	switch {
	case n > len(b):
		return false
	case p.place >= endingPhrase:
		b = b[len(b)-n:]
		return b[0] == p.text[0] && string(b) == p.text
	}
	return b[n-1] == p.last() && string(b[:n]) == p.text
}

// level returns the level of the phrase at this place of b, or LevelNone.
func (p phrasePlace) level(b []byte) Level {
	if f := p.find(b); f != nil {
		return f.level
	}
	return LevelNone
}

// wordSet returns a set of words, in lower case and capitalized.
func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
		set[strings.ToUpper(word[:1])+word[1:]] = true
	}
	return set
}

// Words by their effect on the grammar of a clause.
var (
	// sentenceVerbs make a sentence of the text that contains them.
	sentenceVerbs = wordSet("is are was were be been will would can may must should has have had if ok")
	// asides are labels before text that reports no failure of the program
	// itself.
	asides = wordSet("fix feat chore docs refactor note hint help tip usage see title subject description summary example ok skipped skipping")
	// adverbials may follow a predicate.
	adverbials = wordSet("AND or with for because due after at in on by while during from to and as out when since near but signal found generated occurred emitted reported detected")
	// conditions mark a clause that does not state that something has
	// failed.
	conditions = wordSet(`if when whenever whether unless until while that which who where what why how because since though although after before
		once may might can could would will should no not never without none nothing nobody neither nor zero than I we he she they it you people 0 cache successfully handled`)
	// articles occur in sentences more often than in messages.
	articles = wordSet("a an the his her its my our their this these those such")
	// errorContexts may follow "error" in a message. handlingWords make it
	// part of a name for dealing with errors.
	errorContexts = wordSet("from in response while during when at occurred")
	handlingWords = wordSet("handler handlers handling reporting checking logging tracking monitoring correcting")
	// qualifiers precede "error" where it is not the failure being reported.
	qualifiers = wordSet("this that last previous next first second other another same possible potential standard mean expected known with without when")
	// attributive words precede nouns, so that no predicate follows them.
	attributive = wordSet("on for of a an the any some all each every to be and or with in as")
)
