package highlight

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// ruleFile has the rows that classify tokens, and describes their columns.
//
//go:embed rules.tsv
var ruleFile string

// A classSet is a set of classes, a bit for each.
type classSet uint64

func (s classSet) has(c Class) bool { return s>>c&1 != 0 }

// A tokenRule is a row that classifies tokens.
type tokenRule struct {
	earlier, before, text, next pattern
	where                       condition
	class                       Class
	again                       bool // the rows for class decide
}

// A ruleset is the rows for a language, in the order of its sets.
type ruleset struct {
	tokens   [numClasses][]tokenRule
	brackets [3][]tokenRule // for (, { and <
	literals []literal
	regions  []region
	texts    []textFact
}

// A literal finds literals that a lexer may have split.
type literal struct {
	at     classSet // classes of tokens at which it may begin
	before pattern
	text   *regexp.Regexp
	end    string // with $1 for the group of text; "" if text is all of it
	class  Class
}

// A region is a part of code between two tokens.
type region struct {
	opens, closes []string
	fact          fact
}

// A textFact is a fact that holds for a text that an expression matches.
type textFact struct {
	expression *regexp.Regexp
	fact       fact
}

// A fact about the place of a token is a bit.
type fact uint32

const (
	spaced fact = 1 << iota
	newline
	loose
	top
	firstRegion
)

// A condition is what must hold of the place of a token.
type condition struct {
	with, without fact
	within        classSet // of the innermost bracket; 0 for any
	notWithin     classSet
}

func (c condition) holds(facts fact, within Class) bool {
	return facts&c.with == c.with && facts&c.without == 0 && (c.within == 0 || c.within.has(within)) && !c.notWithin.has(within)
}

// A pattern matches a token or the text after one. The zero pattern matches
// everything.
type pattern struct {
	expression *regexp.Regexp
	words      []string // each a text, or in the text after a token its beginning
	suffixes   []string
	classes    classSet
	shapes     []func(r *refiner, text string) bool
	negated    bool
}

func (p *pattern) isZero() bool {
	return p.expression == nil && p.words == nil && p.suffixes == nil && p.classes == 0 && p.shapes == nil
}

// matches reports whether p matches a token. Words are compared with folded,
// the text of the token in lower case if the language is case-insensitive.
func (p *pattern) matches(r *refiner, t Token, folded string) bool {
	if p.isZero() {
		return true
	}
	ok := p.classes.has(t.Class) || slices.Contains(p.words, folded) || slices.ContainsFunc(p.suffixes, func(s string) bool { return strings.HasSuffix(t.Text, s) })
	return p.negated != (ok || p.matchesText(r, t.Text))
}

// matchesNext reports whether p matches the text after a token.
func (p *pattern) matchesNext(r *refiner, next string) bool {
	if p.isZero() {
		return true
	}
	ok := slices.ContainsFunc(p.words, func(w string) bool {
		return strings.HasPrefix(next, w) && w != "" || w == "" && (next == "" || next[0] == '\n')
	})
	return p.negated != (ok || p.matchesText(r, next[:min(len(next), lookAhead)]))
}

func (p *pattern) matchesText(r *refiner, text string) bool {
	return p.expression != nil && p.expression.MatchString(text) ||
		slices.ContainsFunc(p.shapes, func(is func(*refiner, string) bool) bool { return is(r, text) })
}

// lookAhead is how many bytes after a token are considered to classify it.
const lookAhead = 300

var shapes = map[string]func(r *refiner, text string) bool{
	"@capital": func(_ *refiner, text string) bool { return capitalised(text) },
	"@type": func(_ *refiner, text string) bool {
		return capitalised(text) || len(text) == 1 && unicode.IsUpper(rune(text[0]))
	},
	"@upper":    func(_ *refiner, text string) bool { return isUpperCase(text) },
	"@letter":   func(_ *refiner, text string) bool { return text != "" && isLetter(text[0]) },
	"@declares": func(_ *refiner, text string) bool { return slices.Contains(declares, text) },
	"@declared": func(r *refiner, text string) bool { return r.declared[text] },
}

// declares are the words that the name of a new type follows.
var declares = []string{"class", "struct", "interface", "enum", "trait", "type", "record", "union"}

// declaredTypes returns the names of the types that a text declares.
func declaredTypes(tokens []Token) map[string]bool {
	types := make(map[string]bool)
	var previous Token
	for _, t := range tokens {
		if strings.TrimSpace(t.Text) == "" {
			continue
		}
		if (previous.Class == classKeyword || previous.Class == classKeywordDeclaration) && slices.Contains(declares, previous.Text) && isLetter(t.Text[0]) {
			types[t.Text] = true
		}
		previous = t
	}
	return types
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' || b == '_' }

func capitalised(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) && strings.ContainsFunc(s[size:], unicode.IsLower)
}

// isUpperCase reports whether s is in upper case, like MAX_SIZE.
func isUpperCase(s string) bool {
	return len(s) > 2 && strings.ContainsFunc(s, unicode.IsUpper) && !strings.ContainsFunc(s, unicode.IsLower)
}

// A ruleParser parses rows. Regions have the facts that follow the others, in
// the order of the file.
type ruleParser struct {
	sets    map[string][][]string // the columns of the rows of each set
	regions map[string]fact
}

var ruleSets = sync.OnceValue(func() ruleParser {
	p := ruleParser{make(map[string][][]string), make(map[string]fact)}
	for line := range strings.Lines(ruleFile) {
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(columns) != 8 || line[0] == '#' {
			continue
		}
		p.sets[columns[0]] = append(p.sets[columns[0]], columns)
		if kind, name := columns[1], columns[7]; (kind == "region" || kind == "if") && p.regions[name] == 0 {
			p.regions[name] = firstRegion << len(p.regions)
		}
	}
	return p
})

func (p ruleParser) condition(text string) (c condition) {
	facts := map[string]fact{"spaced": spaced, "newline": newline, "loose": loose, "top": top}
	for word := range strings.FieldsSeq(strings.TrimPrefix(text, "-")) {
		word, negated := strings.CutPrefix(word, "!")
		classes, isWithin := strings.CutPrefix(word, "in:")
		f, known := facts[word]
		if !known {
			f, known = p.regions[word]
		}
		switch {
		case isWithin && negated:
			c.notWithin = classSetOf(classes)
		case isWithin:
			c.within = classSetOf(classes)
		case !known:
			panic(fmt.Sprintf("rules.tsv: %q is no fact", word))
		case negated:
			c.without |= f
		default:
			c.with |= f
		}
	}
	return c
}

func parsePattern(text string) (p pattern) {
	if text == "-" {
		return p
	}
	if len(text) > 1 && text[0] == '!' {
		p.negated, text = true, text[1:]
	}
	if len(text) > 1 && text[0] == '/' && text[len(text)-1] == '/' {
		p.expression = regexp.MustCompile(text[1 : len(text)-1])
		return p
	}
	for word := range strings.FieldsSeq(text) {
		shape, isShape := shapes[word]
		switch {
		case word == "$":
			p.words = append(p.words, "")
		case isShape:
			p.shapes = append(p.shapes, shape)
		case len(word) > 2 && word[0] == '<' && word[len(word)-1] == '>':
			p.classes |= classSetOf(word[1 : len(word)-1])
		case len(word) > 1 && word[0] == '*':
			p.suffixes = append(p.suffixes, word[1:])
		default:
			p.words = append(p.words, word)
		}
	}
	return p
}

func classNamed(name string) (c Class) {
	if err := c.UnmarshalText([]byte(name)); err != nil {
		panic("rules.tsv: " + err.Error())
	}
	return c
}

func classSetOf(names string) (s classSet) {
	if names == "*" {
		return ^classSet(0)
	}
	for name := range strings.SplitSeq(names, ",") {
		s |= 1 << classNamed(name)
	}
	return s
}

// notLiteral are the classes of tokens in which no literal begins.
const notLiteral = "comment,doc-comment,regexp,string-escape"

// rulesOf returns the rows of sets in their order.
func rulesOf(sets []string) *ruleset {
	p, rules := ruleSets(), new(ruleset)
	for _, set := range sets {
		for _, columns := range p.sets[set] {
			p.add(rules, columns)
		}
	}
	return rules
}

// add parses a row and adds it to rules. It panics on an error in it, which
// TestCode_allLanguages would find.
func (p ruleParser) add(rules *ruleset, columns []string) {
	kind, classes, _ := strings.Cut(columns[1], ":")
	text, next, result := columns[4], columns[5], columns[7]
	switch kind {
	case "if":
		rules.texts = append(rules.texts, textFact{parsePattern(text).expression, p.regions[result]})
		return
	case "region":
		rules.regions = append(rules.regions, region{strings.Fields(text), strings.Fields(next), p.regions[result]})
		return
	}
	name, again := strings.CutPrefix(result, "as ")
	rule := tokenRule{parsePattern(columns[2]), parsePattern(columns[3]), parsePattern(text), parsePattern(next), p.condition(columns[6]), classNamed(name), again}
	switch kind {
	case "(", "{", "<":
		n := strings.Index("({<", kind)
		rules.brackets[n] = append(rules.brackets[n], rule)
	case "literal":
		l := literal{at: ^classSetOf(notLiteral), before: rule.before, text: rule.text.expression, end: strings.TrimPrefix(next, "-"), class: rule.class}
		if classes != "" {
			l.at = classSetOf(classes)
		}
		rules.literals = append(rules.literals, l)
	default:
		of := classSetOf(kind)
		for c := range Class(numClasses) {
			if of.has(c) {
				rules.tokens[c] = append(rules.tokens[c], rule)
			}
		}
	}
}
