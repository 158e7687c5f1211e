package highlight

import (
	"slices"
	"strings"
	"time"
)

// refine assigns more precise classes to the tokens of a text.
func refine(text string, tokens []Token, lang string, limit time.Duration) []Token {
	g := grammarOf(lang)
	if g.Flows {
		tokens = overlay(tokens, flowCollections(text))
	}
	tokens = overlay(tokens, interpolations(tokens, g, lang, limit))
	r := refiner{grammar: g, language: g, out: make([]Token, 0, len(tokens)+len(tokens)/4), declared: declaredTypes(tokens)}
	tokens = overlay(tokens, r.literals(text, tokens))
	rest := text
	for _, t := range tokens {
		rest = rest[len(t.Text):]
		r.add(t, strings.TrimLeft(rest, " \t"))
	}
	switch {
	case g.Commands:
		r.out = shellWords(r.out)
	case g.Elements && (strings.Contains(text, "</") || strings.Contains(text, "/>")):
		r.out = jsxElements(r.out)
	}
	return delimit(r.out)
}

// A refiner processes the tokens of a text in one pass.
type refiner struct {
	*grammar                 // of the language at this place
	language *grammar        // of the text
	embedded string          // language of the element whose tag is open
	out      []Token         // the classified tokens
	declared map[string]bool // names that the text declares as types
	before   Token           // the last token that is not blank
	earlier  Token           // the token before that
	folded   [2]string       // the texts of earlier and before, in lower case if the language is case-insensitive
	facts    fact            // about the place of the token
	brackets []Class         // open brackets
}

func (r *refiner) add(t Token, next string) {
	if t.Class == ClassText && strings.TrimSpace(t.Text) == "" {
		r.out, r.facts = append(r.out, t), r.facts|spaced
		if strings.Contains(t.Text, "\n") {
			r.facts |= newline
		}
		return
	}
	r.embed(t, next)
	r.enter(t)
	of := r.count(t, next)
	t.Class = r.class(t, next, of)
	r.move(t)
	r.out = append(r.out, r.parts(t)...)
}

// move makes t the token before the next one.
func (r *refiner) move(t Token) {
	trimmed := strings.TrimSpace(t.Text)
	r.earlier, r.before = r.before, Token{trimmed, t.Class}
	r.folded[0], r.folded[1] = r.folded[1], r.fold(trimmed)
	facts := r.facts &^ (spaced | newline | loose)
	if r.facts&spaced != 0 {
		facts |= loose
	}
	if strings.HasSuffix(t.Text, "\n") {
		facts |= newline
	}
	r.facts = facts
}

func (r *refiner) fold(text string) string {
	if r.IgnoreCase {
		return strings.ToLower(text)
	}
	return text
}

// embed switches to the language of a style sheet or a script within markup, and
// back.
func (r *refiner) embed(t Token, next string) {
	switch {
	case r.language.Embedded == nil:
	case t.Class == ClassTag && r.before.Text == "<":
		r.embedded = r.language.Embedded[t.Text]
	case r.before.Text == ">" && r.embedded != "":
		r.grammar, r.embedded = grammarOf(r.embedded), ""
	case strings.HasSuffix(t.Text, "<") && strings.HasPrefix(next, "/"):
		r.grammar = r.language
	}
}

// enter enters and leaves the regions that t opens and closes.
func (r *refiner) enter(t Token) {
	if r.facts |= top; len(r.brackets) > 0 {
		r.facts &^= top
	}
	for _, region := range r.rules.regions {
		closes := func(end string) bool { return t.Text == end || !isLetter(end[0]) && strings.Contains(t.Text, end) }
		switch {
		case slices.Contains(region.opens, t.Text):
			r.facts |= region.fact
		case slices.ContainsFunc(region.closes, closes), r.facts&(newline|top) == newline|top:
			r.facts &^= region.fact
		}
	}
}

// class returns the class of a token with the class of its bracket, given what
// follows it.
func (r *refiner) class(t Token, next string, within Class) Class {
	text := strings.TrimSpace(t.Text)
	folded := r.fold(text)
	if class, ok := r.words[folded]; ok && wordClasses.has(t.Class) && r.before.Text != "." && (class != ClassModifier || t.Class != ClassName) {
		return class
	}
	trimmed := Token{text, t.Class}
	for range maxAgain {
		rule := r.first(r.rules.tokens[trimmed.Class], trimmed, folded, next, within)
		if rule == nil {
			return trimmed.Class
		}
		if trimmed.Class = rule.class; !rule.again {
			return rule.class
		}
	}
	return trimmed.Class
}

// maxAgain is how often a token may be tried with another class.
const maxAgain = 4

// wordClasses are the classes that lexers give to words.
const wordClasses classSet = 1<<ClassName | 1<<ClassKeyword | 1<<ClassKeywordDeclaration | 1<<ClassFunction | 1<<ClassBuiltin | 1<<ClassType | 1<<ClassBoolean | 1<<ClassDecorator | 1<<ClassLanguageVariable

// first returns the first rule that matches a token, or nil.
func (r *refiner) first(rules []tokenRule, t Token, folded, next string, within Class) *tokenRule {
	for i := range rules {
		rule := &rules[i]
		if rule.where.holds(r.facts, within) && rule.text.matches(r, t, folded) && rule.before.matches(r, r.before, r.folded[1]) &&
			rule.earlier.matches(r, r.earlier, r.folded[0]) && rule.next.matchesNext(r, next) {
			return rule
		}
	}
	return nil
}

// maxBrackets is the depth up to which brackets are tracked.
const maxBrackets = 200

// count tracks brackets. It returns the class of the innermost one, for a
// closing bracket the one that it closes.
func (r *refiner) count(t Token, next string) Class {
	if t.Class != ClassPunctuation && t.Class != ClassOperator {
		return r.within()
	}
	defer func(before Token, folded string) { r.before, r.folded[1] = before, folded }(r.before, r.folded[1])
	of, braces := r.within(), len(r.rules.brackets[1]) > 0
	for i := range len(t.Text) {
		bracket := t.Text[i : i+1]
		switch bracket {
		case ")", "}":
			if of = r.within(); len(r.brackets) > 0 && (braces || bracket == ")") {
				r.brackets = r.brackets[:len(r.brackets)-1]
			}
		case "(":
			of = r.open(r.rules.brackets[0], bracket, t.Text[i+1:]+next[:min(len(next), lookAhead)])
		case "{":
			if braces {
				of = r.open(r.rules.brackets[1], bracket, "")
			}
		}
		r.before, r.folded[1] = Token{bracket, t.Class}, bracket
	}
	return of
}

// open adds a bracket and returns its class.
func (r *refiner) open(rules []tokenRule, bracket, next string) Class {
	class := r.before.Class
	if rule := r.first(rules, Token{bracket, ClassPunctuation}, bracket, next, r.within()); rule != nil {
		class = rule.class
	}
	if len(r.brackets) < maxBrackets {
		r.brackets = append(r.brackets, class)
	}
	return class
}

// within returns the class of the innermost bracket.
func (r *refiner) within() Class {
	if len(r.brackets) == 0 {
		return ClassText
	}
	return r.brackets[len(r.brackets)-1]
}

// parts splits a token at escapes and other parts with classes of their own.
func (r *refiner) parts(t Token) []Token {
	tokens := []Token{t}
	if r.Escapes && t.Class == ClassString && strings.ContainsAny(t.Text[:1], `"'\`) {
		tokens = escapes.split(tokens)
	}
	for _, p := range r.Parts {
		tokens = p.split(tokens)
	}
	return tokens
}
