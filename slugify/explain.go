package slugify

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gosimple/unidecode"
	"golang.org/x/text/unicode/norm"
)

// Rule is the reason why a part of a text became what it did, in words for
// people.
type Rule string

// The rules, in the order in which they apply.
const (
	FromHTML   Rule = "text of the HTML"
	Replaced   Rule = "replaced"             // by Replace
	EmojiName  Rule = "name of the emoji"    // by Unicode CLDR
	Kept       Rule = "kept"                 // except for its case
	Contextual Rule = "language, by context" // by neighbouring letters or the position in the word
	OfLanguage Rule = "language"             // by the language's table
	Named      Rule = "word for the sign"    // & and @, in the language
	Listed     Rule = "own table"            // letters that unidecode lacks or gets wrong
	Digit      Rule = "decimal digit"
	Unidecode  Rule = "unidecode"     // the table of github.com/gosimple/unidecode
	Decomposed Rule = "decomposition" // the compatibility decomposition of Unicode
	Vanished   Rule = "vanishes"
	Break      Rule = "break"
	CamelSplit Rule = "camel case"
	StopWord   Rule = "stop word"
	Cut        Rule = "beyond the maximum length"
	FellBack   Rule = "fallback"
)

// Step records what a part of the text, or of the result of earlier steps,
// became.
type Step struct {
	Text   string // in NFC; adjacent characters that are kept, or that separate words, form one step
	Became string // words separated by spaces; may be empty
	Rule   Rule
}

// Explanation describes how a slug was made.
type Explanation struct {
	Slug  string
	Steps []Step // on the text, then on its letters, then on whole words
}

// Explain describes how [Make] arrives at the slug of text: what each letter
// became, and why. The error is that of Make. Explain takes about a hundred
// times as long as Make, and memory in proportion to the text.
func Explain(text string, o Options) (Explanation, error) {
	m, err := NewMaker(o)
	if err != nil {
		return Explanation{}, err
	}
	x := Explanation{Slug: m.Make(text)}
	unlimited := *m
	if m.composer == nil {
		x.letters(m.plan, text)
		unlimited.plan.limit = math.MaxInt
	} else {
		c := *m.composer
		x.words(&c, x.letters(c.plan, x.text(&c, text)))
		c.limit = math.MaxInt
		unlimited.composer = &c
	}
	if rest, ok := strings.CutPrefix(unlimited.Make(text), x.Slug); ok && rest != "" {
		x.add(rest, "", Cut)
	}
	if unlimited.fallback = ""; m.fallback != "" && unlimited.Make(text) == "" {
		x.add(text, x.Slug, FellBack)
	}
	return x, nil
}

func (x *Explanation) add(text, became string, rule Rule) {
	became = strings.Join(strings.Fields(became), " ")
	if n := len(x.Steps); n > 0 && (rule == Kept || rule == Break) && x.Steps[n-1].Rule == rule {
		x.Steps[n-1].Text += text
		x.Steps[n-1].Became += became
		return
	}
	x.Steps = append(x.Steps, Step{strings.ToValidUTF8(text, "\ufffd"), became, rule})
}

// text explains what happens to the text before its letters are spelled, and
// returns the resulting text.
func (x *Explanation) text(c *composer, text string) string {
	if c.html {
		source := text
		if text = textOfHTML(source); text != source {
			x.add(source, text, FromHTML)
		}
	}
	text = c.replace.signs(text, func(key, value string) { x.add(key, value, Replaced) })
	if c.emoji {
		text = nameEmoji(text, func(key, value string) { x.add(key, value, EmojiName) })
	}
	return text
}

// letters explains the letters of a text, one after the other, and returns the
// words that they form.
func (x *Explanation) letters(p plan, text string) []string {
	p.separator, p.width, p.limit = ' ', 1, math.MaxInt
	text = norm.NFC.String(text)
	w := pass{plan: p, text: text, edge: -1, stop: math.MaxInt, settled: len(text)}
	w.room(entryRoom, len(text))
	for i := 0; i < len(text); {
		begin, rule := w.end, w.ruleAt(i)
		next := i + 1
		if named := text[i] == '&' || text[i] == '@'; text[i] >= utf8.RuneSelf || named && text[i] != w.breaks {
			next = w.rune(i)
		} else {
			w.text = text[:next]
			w.ascii(i)
			w.text = text
		}
		became := string(w.out[begin:w.end])
		if strings.TrimSpace(became) == "" && rule != Break {
			rule = Vanished
		}
		x.add(text[i:next], became, rule)
		i = next
	}
	return strings.Fields(string(w.out[:w.end]))
}

// ruleAt returns the rule for the rune at i.
func (w *pass) ruleAt(i int) Rule {
	r, _ := utf8.DecodeRuneInString(w.text[i:])
	e := w.language.page(r >> 8).entries[byte(r)]
	_, context := w.language.contextAt(w.text, i)
	_, own := w.language.own[r]
	switch {
	case r < utf8.RuneSelf && w.letter[r] != 0, w.keepsNonASCII && w.keeps(r):
		return Kept
	case r == '\'' && w.breaks != '\'':
		return Vanished
	case r < utf8.RuneSelf && (e&named == 0 || byte(r) == w.breaks):
		return Break
	case context > 0 && !w.unicode:
		return Contextual
	case e&named != 0:
		return Named
	case e.length() == 0 && e&long == 0 && e&(breakBefore|breakAfter) != 0:
		return Break
	case own:
		return OfLanguage
	}
	return tableOf(r)
}

// tableOf returns the rule by which transliterate spells a rune.
func tableOf(r rune) Rule {
	_, listed := exception(r)
	isSign := !unicode.In(r, unicode.L, unicode.M, unicode.N) && !isBraille(r)
	switch {
	case listed:
		return Listed
	case unicode.Is(unicode.Nd, r):
		return Digit
	case !isSign && hasAlnum(unidecode.Unidecode(string(r))):
		return Unidecode
	case hasAlnum(decomposed(r)):
		return Decomposed
	}
	return Listed
}

// words explains what happens to whole words.
func (x *Explanation) words(c *composer, words []string) {
	var left []string
	for _, word := range words {
		parts := []string{word}
		if c.camel {
			parts = camel(norm.NFC.String(word))
		}
		if len(parts) > 1 {
			x.add(word, strings.Join(parts, " "), CamelSplit)
		}
		for _, part := range parts {
			n := len(left)
			left = c.add(left, part)
			if n == len(left) && c.stop[strings.ToLower(part)] {
				x.add(part, "", StopWord)
			}
		}
	}
	for i := 0; i < len(left); i++ {
		if value, n := c.replace.wordsAt(left[i:]); n > 0 {
			x.add(strings.Join(left[i:i+n], " "), strings.Join(value, " "), Replaced)
			i += n - 1
		}
	}
}
