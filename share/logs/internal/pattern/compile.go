package pattern

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// MustCompile compiles a pattern, which is part of the program: it panics if the
// pattern is wrong.
func MustCompile(source string) *Pattern {
	c := compiler{p: &Pattern{dated: strings.HasPrefix(source, "{time")}, source: source, rest: source}
	c.p.filed = strings.HasPrefix(source, "{file}") || strings.HasPrefix(source, "{_:file}")
	start := c.sequence()(end)
	switch {
	case c.rest != "":
		c.fail("unexpected %q", c.rest[:1])
	case start == end:
		c.fail("is empty")
	}
	c.p.start, c.p.First, c.p.Needs = start, start.first, start.needs
	return c.p
}

// compiler reads the source of a pattern from its start to its end.
type compiler struct {
	p            *Pattern
	source, rest string
}

func (c *compiler) fail(format string, args ...any) {
	panic(fmt.Sprintf("pattern %q: ", c.source) + fmt.Sprintf(format, args...))
}

// build makes a node, or several, before the next one.
type build func(next *node) *node

// sequence reads up to the end, or up to the bar or parenthesis that ends a
// choice.
func (c *compiler) sequence() build {
	var items []build
	for c.rest != "" && c.rest[0] != '|' && c.rest[0] != ')' {
		switch c.rest[0] {
		case '{':
			items = append(items, c.part())
		case '(':
			items = append(items, c.choice())
		default:
			items = append(items, c.literal())
		}
	}
	return func(next *node) *node {
		for _, item := range slices.Backward(items) {
			next = item(next)
		}
		return next
	}
}

// literal reads literal text.
func (c *compiler) literal() build {
	var literal strings.Builder
	for c.rest != "" && strings.IndexByte("(){}|", c.rest[0]) < 0 {
		next := c.rest[0]
		if c.rest = c.rest[1:]; next == '\\' {
			if c.rest == "" {
				c.fail("ends in a backslash")
			}
			if next, c.rest = c.rest[0], c.rest[1:]; next == 't' {
				next = '\t'
			}
		}
		literal.WriteByte(next)
	}
	text := literal.String()
	if text == "" {
		c.fail("unexpected %q", c.rest[:1])
	}
	return func(next *node) *node {
		n := &node{match: matchLiteral(text, next), first: ascii.SetOf(text[:1]), needs: next.needs}
		for word := range strings.FieldsSeq(text) {
			if len(word) > len(n.needs) {
				n.needs = word
			}
		}
		return n
	}
}

// part reads {name} or {name:type}.
func (c *compiler) part() build {
	inside, rest, ok := strings.Cut(c.rest[1:], "}")
	if c.rest = rest; !ok {
		c.fail("a brace is not closed")
	}
	name, form, typed := strings.Cut(inside, ":")
	form = cmp.Or(form, name)
	part := len(c.p.names)
	c.p.names = append(c.p.names, name)
	if name == "message" {
		c.p.End = name
	}
	if name == "time" && typed {
		form = "time:" + form
	}
	if form == "message" || form == "entry" || form == "line" {
		c.p.End = form
		return func(*node) *node { return &node{match: matchRest(part, 0), first: anyByte, rest: true} }
	}
	k, known := c.kindOf(form)
	switch {
	case known:
		return func(next *node) *node {
			return &node{match: matchPart(k, part, next), first: k.first, needs: next.needs}
		}
	case typed && form != "text":
		c.fail("no type %q", form)
	}
	c.p.searches = true
	return func(next *node) *node {
		if next == end {
			return &node{match: matchRest(part, 1), first: anyByte}
		}
		return &node{match: matchText(part, name == "message", next), first: anyByte, needs: next.needs}
	}
}

// kindOf returns the type of a part.
func (c *compiler) kindOf(form string) (k kind, known bool) {
	length, err := strconv.Atoi(strings.TrimPrefix(form, "time:"))
	switch k, known = kinds[form]; {
	case err == nil && strings.HasPrefix(form, "time:"):
		return timeKind(func(_ *stamp.Stamp, text []byte) bool { return len(text) == length }), true
	case strings.Contains(form, "="):
		return c.signs(form), true
	}
	return k, known
}

// signs reads the signs of a part and their levels.
func (c *compiler) signs(form string) kind {
	var k kind
	levels := make(map[string]level.Level)
	var texts []string
	for pair := range strings.SplitSeq(form, ",") {
		text, name, _ := strings.Cut(pair, "=")
		var l level.Level
		if err := l.UnmarshalText([]byte(name)); err != nil || text == "" {
			c.fail("sign %q: must be a text, = and a level", pair)
		}
		levels[text] = l
		texts = append(texts, text)
		k.first = k.first.Or(ascii.SetOf(text[:1]))
	}
	k.read = func(m *Match, i int) int {
		for _, text := range texts {
			if ascii.HasPrefix(m.line[i:], text) {
				m.Level = levels[text]
				return len(text)
			}
		}
		return -1
	}
	return k
}

// choice reads (a|b) or (a)?.
func (c *compiler) choice() build {
	var lists []build
	for more := true; more && c.rest != ""; more = !strings.HasPrefix(c.rest, ")") {
		c.rest = c.rest[1:]
		lists = append(lists, c.sequence())
	}
	rest, ok := strings.CutPrefix(c.rest, ")")
	if c.rest = rest; !ok {
		c.fail("a parenthesis is not closed")
	}
	if rest, ok := strings.CutPrefix(c.rest, "?"); ok {
		c.rest = rest
		lists = append(lists, func(next *node) *node { return next })
	}
	return func(next *node) *node {
		n := &node{needs: next.needs}
		var choices []*node
		for _, list := range lists {
			choice := list(next)
			choices = append(choices, choice)
			n.first = n.first.Or(choice.first)
		}
		n.match = matchChoice(choices)
		return n
	}
}
