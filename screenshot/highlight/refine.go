package highlight

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// refine assigns more precise classes to the tokens of a text.
func refine(text string, tokens []Token, lang string, limit time.Duration) []Token {
	g := grammarOf(lang)
	tokens = overlay(tokens, interpolations(tokens, g, lang, limit))
	r := refiner{grammar: g, language: g, out: make([]Token, 0, len(tokens)+len(tokens)/4), declared: declaredTypes(tokens)}
	for _, row := range g.rules().texts {
		if row.expression.MatchString(text) {
			r.facts |= row.fact
		}
	}
	tokens = overlay(tokens, r.literals(text, tokens))
	rest, next := text, text
	for _, t := range tokens {
		if rest = rest[len(t.Text):]; len(next) >= len(rest) { // else the blanks of rest lead to it still
			next = strings.TrimLeft(rest, " \t")
		}
		r.add(t, next)
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
	if t.Class == classText && strings.TrimSpace(t.Text) == "" {
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
	case t.Class == classTag && r.before.Text == "<":
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
	for _, region := range r.rules().regions {
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
	if class, ok := r.words[folded]; ok && wordClasses().has(t.Class) && r.before.Text != "." && (class != classModifier || t.Class != className) {
		return class
	}
	trimmed := Token{text, t.Class}
	for range maxAgain {
		rule := r.first(r.rules().tokens[trimmed.Class], trimmed, folded, next, within)
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
var wordClasses = sync.OnceValue(func() classSet {
	return classSetOf("name,keyword,keyword-declaration,function,builtin,type,boolean,decorator,language-variable")
})

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
	if t.Class != classPunctuation && t.Class != classOperator {
		return r.within()
	}
	defer func(before Token, folded string) { r.before, r.folded[1] = before, folded }(r.before, r.folded[1])
	of := r.within()
	for i := range len(t.Text) {
		bracket := t.Text[i : i+1]
		if n := strings.Index("({<", bracket); n >= 0 {
			after := t.Text[i+1:]
			if after = after[:min(len(after), lookAhead)]; len(after) < lookAhead {
				after += next[:min(len(next), lookAhead)]
			}
			r.open(n, bracket, after)
			of = r.within()
		} else if bracket == ")" || bracket == "}" || bracket == ">" {
			of = r.within()
			r.close(bracket)
		}
		r.before, r.folded[1] = Token{bracket, t.Class}, bracket
	}
	return of
}

// open adds a bracket with its class. Without a row for it, the class of a ( is
// that of the token before it. A { counts if the language has rows for it, a <
// if a row makes it a tag, and a ( if it is not in the text between tags.
func (r *refiner) open(n int, bracket, next string) {
	rules, class := r.rules().brackets[n], r.before.Class
	if rule := r.first(rules, Token{bracket, classPunctuation}, bracket, next, r.within()); rule != nil {
		class = rule.class
	} else if bracket == "<" || r.within() == classUnquoted || bracket == "{" && len(rules) == 0 {
		return
	}
	if len(r.brackets) < maxBrackets {
		r.brackets = append(r.brackets, class)
	}
}

// close removes the innermost bracket. After the > of an opening tag, the text
// up to its closing tag has the class "unquoted".
func (r *refiner) close(bracket string) {
	within := r.within()
	isTag := within == classTag || within == classTagDelimiter
	if isTag != (bracket == ">") || within == classUnquoted || bracket == "}" && len(r.rules().brackets[1]) == 0 || len(r.brackets) == 0 {
		return
	}
	r.brackets = r.brackets[:len(r.brackets)-1]
	switch {
	case within == classTagDelimiter && r.within() == classUnquoted:
		r.brackets = r.brackets[:len(r.brackets)-1]
	case within == classTag && r.before.Text != "/":
		r.brackets = append(r.brackets, classUnquoted)
	}
}

// within returns the class of the innermost bracket.
func (r *refiner) within() Class {
	if len(r.brackets) == 0 {
		return classText
	}
	return r.brackets[len(r.brackets)-1]
}

// parts splits a token at escapes and other parts with classes of their own.
func (r *refiner) parts(t Token) []Token {
	tokens := []Token{t}
	if r.Escapes && t.Class == classString && strings.ContainsAny(t.Text[:1], `"'\`) {
		tokens = escapes.split(tokens)
	}
	for _, p := range r.Parts {
		tokens = p.split(tokens)
	}
	return tokens
}
