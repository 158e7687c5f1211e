package pattern

import (
	"fmt"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
)

// escape replaces each literal sign of the language by a byte that no pattern
// has, and unescape puts the sign back.
var (
	escape   = strings.NewReplacer(`\(`, "\x01", `\)`, "\x02", `\{`, "\x03", `\}`, "\x04", `\|`, "\x05", `\\`, "\x06", `\t`, "\t", `\`, "")
	unescape = strings.NewReplacer("\x01", "(", "\x02", ")", "\x03", "{", "\x04", "}", "\x05", "|", "\x06", `\`)
)

// MustCompile compiles a pattern, which is part of the program: it panics if the
// pattern is wrong.
func MustCompile(source string) *Pattern {
	c := compiler{&Pattern{dated: strings.HasPrefix(source, "{time")}, source}
	c.p.start = c.compile(escape.Replace(source), end)
	if c.p.start == end {
		c.fail("is empty")
	}
	c.p.First, c.p.Needs, c.p.Signs = c.p.start.first, c.p.start.needs, c.p.start.signs
	return c.p
}

// compiler compiles a pattern from its end to its start, so that each node knows
// the next one.
type compiler struct {
	p      *Pattern
	source string
}

func (c *compiler) fail(format string, args ...any) {
	panic(fmt.Sprintf("pattern %q: ", c.source) + fmt.Sprintf(format, args...))
}

// compile returns the node that matches the text of a pattern, and then next.
func (c *compiler) compile(source string, next *node) *node {
	switch n := strings.IndexAny(source, "(){}|"); {
	case source == "":
		return next
	case n < 0:
		return literal(source, next)
	case n > 0:
		return literal(source[:n], c.compile(source[n:], next))
	case source[0] == '(':
		return c.choice(source, next)
	case source[0] == '{':
		part, rest, ok := strings.Cut(source[1:], "}")
		if !ok {
			c.fail("a brace is not closed")
		}
		return c.part(part, c.compile(rest, next))
	}
	c.fail("unexpected %q", source[:1])
	return nil
}

// literal returns a node that matches text, and then next.
func literal(text string, next *node) *node {
	text = unescape.Replace(text)
	n := &node{match: matchLiteral(text, next), first: ascii.SetOf(text[:1]), needs: next.needs}
	n.signs = next.signs | SignsOf([]byte(strings.ReplaceAll(text, " ", "")))
	for word := range strings.FieldsSeq(text) {
		if len(word) > len(n.needs) {
			n.needs = word
		}
	}
	return n
}

// choices cuts (a|b), which a source starts with.
func (c *compiler) choices(source string) (choices []string, rest string) {
	depth, start := 0, 1
	for i, sign := range source {
		switch sign {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 || depth == 1 && sign == '|' {
			choices, start = append(choices, source[start:i]), i+1
		}
		if depth == 0 {
			return choices, source[start:]
		}
	}
	c.fail("a parenthesis is not closed")
	return nil, ""
}

// choice returns a node that matches (a|b) or (a)?, with which a source starts,
// and then the rest of it and next.
func (c *compiler) choice(source string, next *node) *node {
	choices, rest := c.choices(source)
	rest, optional := strings.CutPrefix(rest, "?")
	if optional {
		choices = append(choices, "")
	}
	next = c.compile(rest, next)
	n := &node{needs: next.needs, signs: ^Signs(0)}
	var nodes []*node
	for _, source := range choices {
		choice := c.compile(source, next)
		nodes = append(nodes, choice)
		n.first, n.signs = n.first.Or(choice.first), n.signs&choice.signs
	}
	n.match = func(m *Match, i int) bool {
		return slices.ContainsFunc(nodes, func(choice *node) bool {
			m.steps--
			return m.steps >= 0 && choice.match(m, i)
		})
	}
	return n
}

// part returns a node that matches name or name:type, and then next.
func (c *compiler) part(source string, next *node) *node {
	name, form, typed := strings.Cut(source, ":")
	if !typed || name == "time" {
		form = source
	}
	part := len(c.p.names)
	c.p.names = append(c.p.names, name)
	k, known := kinds[form]
	if name == "message" {
		c.p.End = name
	}
	switch {
	case form == "message", form == "entry", form == "line":
		c.p.End = form
		return &node{match: matchRest(part), first: anyByte, rest: true}
	case strings.Contains(form, "="):
		k = c.signs(form)
	case !known && typed && form != "text":
		c.fail("no type %q", form)
	case !known && next == end:
		k, c.p.searches = kinds["rest"], true
	case !known:
		c.p.searches = true
		return &node{match: matchText(part, name == "message", next), first: anyByte, needs: next.needs, signs: next.signs}
	}
	n := &node{match: matchPart(k, part, next), first: k.first, needs: next.needs, signs: next.signs}
	if k.first == digit {
		n.signs |= signOf['0']
	}
	return n
}

// signs reads the signs of a part and their levels.
func (c *compiler) signs(form string) (k kind) {
	var signs []level.Phrase
	for pair := range strings.SplitSeq(form, ",") {
		text, name, _ := strings.Cut(pair, "=")
		sign := level.Phrase{Text: text}
		if err := sign.Level.UnmarshalText([]byte(name)); err != nil || text == "" {
			c.fail("sign %q: must be a text, = and a level", pair)
		}
		signs = append(signs, sign)
		k.first = k.first.Or(ascii.SetOf(text[:1]))
	}
	k.read = func(m *Match, i int) int {
		for _, sign := range signs {
			if ascii.HasPrefix(m.line[i:], sign.Text) {
				return m.stated(sign.Level, len(sign.Text))
			}
		}
		return 0
	}
	return k
}
