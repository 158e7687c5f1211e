package pattern

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MustCompile compiles a pattern, which is part of the program: it panics if the
// pattern is wrong.
func MustCompile(source string) *Pattern {
	c := compiler{p: &Pattern{source: source}, rest: source}
	nodes := c.sequence()
	switch n := len(Match{}.spans); {
	case c.rest != "":
		c.fail("unexpected %q", c.rest[:1])
	case len(nodes) == 0:
		c.fail("is empty")
	case len(c.p.names) > n:
		c.fail("has more than %d parts", n)
	}
	for _, n := range nodes {
		c.p.searches = c.p.searches || n.kind != nil && n.kind.first == nil
		for text := range strings.FieldsSeq(n.literal) {
			if len(text) > len(c.p.Needs) {
				c.p.Needs = text
			}
		}
	}
	c.p.start = link(nodes, nil)
	c.p.First = c.p.start.first
	c.p.dated = strings.HasPrefix(source, "{time")
	return c.p
}

// compiler reads the source of a pattern from its start to its end.
type compiler struct {
	p    *Pattern
	rest string
}

func (c *compiler) fail(format string, args ...any) {
	panic(fmt.Sprintf("pattern %q: ", c.p.source) + fmt.Sprintf(format, args...))
}

// sequence reads nodes up to the end, or up to the bar or parenthesis that ends
// a choice. Choices are not linked yet: each is a list.
func (c *compiler) sequence() []*node {
	var nodes []*node
	for c.rest != "" && c.rest[0] != '|' && c.rest[0] != ')' {
		n := &node{}
		switch c.rest[0] {
		case '{':
			c.part(n)
		case '(':
			c.alternatives(n)
		default:
			n.literal = c.literal()
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// literal reads literal text.
func (c *compiler) literal() string {
	var text strings.Builder
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
		text.WriteByte(next)
	}
	if text.Len() == 0 && c.rest != "" {
		c.fail("unexpected %q", c.rest[:1])
	}
	return text.String()
}

// part reads {name} or {name:type}.
func (c *compiler) part(n *node) {
	inside, rest, ok := strings.Cut(c.rest[1:], "}")
	if c.rest = rest; !ok {
		c.fail("a brace is not closed")
	}
	name, form, typed := strings.Cut(inside, ":")
	form = cmp.Or(form, name)
	n.capture = len(c.p.names)
	c.p.names = append(c.p.names, name)
	if name == "time" && typed {
		var err error
		if n.length, err = strconv.Atoi(form); err == nil {
			form = "any"
		}
		form = "time:" + form
	}
	n.kind = kinds[form]
	if name == "message" {
		c.p.End = name
	}
	switch {
	case form == "message" || form == "entry" || form == "line":
		n.kind, c.p.End = &restKind, form
	case strings.Contains(form, "="):
		n.kind = &signKind
		c.signs(n, form)
	case n.kind == nil && typed && form != "text":
		c.fail("no type %q", form)
	case n.kind == nil:
		n.kind = &textKind
	}
}

// signs reads the signs of a part and their levels.
func (c *compiler) signs(n *node, signs string) {
	for pair := range strings.SplitSeq(signs, ",") {
		text, name, _ := strings.Cut(pair, "=")
		s := sign{text: text}
		if err := s.level.UnmarshalText([]byte(name)); err != nil || text == "" {
			c.fail("sign %q: must be a text, = and a level", pair)
		}
		n.signs = append(n.signs, s)
	}
}

// alternatives reads (a|b) or (a)?.
func (c *compiler) alternatives(n *node) {
	for more := true; more && c.rest != ""; {
		c.rest = c.rest[1:]
		n.lists = append(n.lists, c.sequence())
		more = !strings.HasPrefix(c.rest, ")")
	}
	rest, ok := strings.CutPrefix(c.rest, ")")
	if c.rest = rest; !ok {
		c.fail("a parenthesis is not closed")
	}
	if rest, ok := strings.CutPrefix(c.rest, "?"); ok {
		c.rest = rest
		n.lists = append(n.lists, nil)
	}
}

// link leads each node to the one after it, and the last to next. It returns
// the first, or next if there is none.
func link(nodes []*node, next *node) *node {
	for _, n := range slices.Backward(nodes) {
		n.next = next
		for _, list := range n.lists {
			n.choice = append(n.choice, link(list, next))
		}
		for c := range n.first {
			n.first[c] = n.starts(byte(c))
		}
		next = n
	}
	return next
}

// starts reports whether a match from n on may start with c.
func (n *node) starts(c byte) bool {
	switch {
	case n.literal != "":
		return n.literal[0] == c
	case n.choice != nil:
		return slices.ContainsFunc(n.choice, func(choice *node) bool { return choice != nil && choice.first[c] })
	case n.signs != nil:
		return slices.ContainsFunc(n.signs, func(s sign) bool { return s.text[0] == c })
	}
	return n.kind.first == nil || n.kind.first(c)
}
