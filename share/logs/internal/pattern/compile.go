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
	c := compiler{&Pattern{dated: strings.HasPrefix(source, "{time")}, source}
	c.p.filed = strings.HasPrefix(source, "{file}") || strings.HasPrefix(source, "{_:file}")
	start := c.compile(source, end)
	if start == end {
		c.fail("is empty")
	}
	c.p.start, c.p.First, c.p.Needs = start, start.first, start.needs
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
	switch {
	case source == "":
		return next
	case source[0] == '(':
		return c.choice(source, next)
	case source[0] == '{':
		part, rest, ok := strings.Cut(source[1:], "}")
		if !ok {
			c.fail("a brace is not closed")
		}
		return c.part(part, c.compile(rest, next))
	}
	text, rest := c.literal(source)
	next = c.compile(rest, next)
	n := &node{match: matchLiteral(text, next), first: ascii.SetOf(text[:1]), needs: next.needs}
	for word := range strings.FieldsSeq(text) {
		if len(word) > len(n.needs) {
			n.needs = word
		}
	}
	return n
}

// literal cuts the literal text that a source starts with.
func (c *compiler) literal(source string) (text, rest string) {
	var b []byte
	i := 0
	for ; i < len(source) && strings.IndexByte("(){}|", source[i]) < 0; i++ {
		next := source[i]
		if next == '\\' {
			if i++; i == len(source) {
				c.fail("ends in a backslash")
			}
			if next = source[i]; next == 't' {
				next = '\t'
			}
		}
		b = append(b, next)
	}
	if len(b) == 0 {
		c.fail("unexpected %q", source[:1])
	}
	return string(b), source[i:]
}

// choices cuts (a|b), which a source starts with.
func (c *compiler) choices(source string) (choices []string, rest string) {
	depth, start := 0, 1
	for i := 0; i < len(source); i++ {
		switch source[i] {
		case '\\':
			i++
			continue
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 || depth == 1 && source[i] == '|' {
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
	n := &node{needs: next.needs}
	var nodes []*node
	for _, source := range choices {
		choice := c.compile(source, next)
		nodes = append(nodes, choice)
		n.first = n.first.Or(choice.first)
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
	form = cmp.Or(form, name)
	part := len(c.p.names)
	c.p.names = append(c.p.names, name)
	if name == "time" && typed {
		form = "time:" + form
	}
	if form == "message" || form == "entry" || form == "line" {
		c.p.End = form
		return &node{match: matchRest(part, 0), first: anyByte, rest: true}
	}
	if k, known := c.kindOf(form); known {
		return &node{match: matchPart(k, part, next), first: k.first, needs: next.needs}
	}
	if typed && form != "text" {
		c.fail("no type %q", form)
	}
	c.p.searches = true
	if name == "message" {
		c.p.End = name
	}
	if next == end {
		return &node{match: matchRest(part, 1), first: anyByte}
	}
	return &node{match: matchText(part, name == "message", next), first: anyByte, needs: next.needs}
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
				m.Level = sign.Level
				return len(sign.Text)
			}
		}
		return 0
	}
	return k
}
