package pattern

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Compile compiles a pattern. The error says what is wrong with it.
func Compile(source string) (*Pattern, error) {
	c := compiler{p: &Pattern{source: source}, rest: source}
	nodes, err := c.sequence()
	if err == nil && c.rest != "" {
		err = fmt.Errorf("unexpected %q", c.rest[:1])
	}
	if err == nil && len(nodes) == 0 {
		err = errors.New("is empty")
	}
	if n := len(Match{}.spans); err == nil && len(c.p.names) > n {
		err = fmt.Errorf("has more than %d parts", n)
	}
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", source, err)
	}
	for _, n := range nodes {
		c.p.searches = c.p.searches || n.kind == &textKind
		if text := strings.Trim(n.literal, " "); len(text) > len(c.p.needs) && !strings.Contains(text, " ") {
			c.p.needs = []byte(text)
		}
	}
	c.p.start = link(nodes, nil)
	c.p.First = c.p.start.first
	c.p.dated = strings.HasPrefix(source, "{time")
	return c.p, nil
}

// MustCompile is Compile for patterns that are part of the program.
func MustCompile(source string) *Pattern {
	p, err := Compile(source)
	if err != nil {
		panic(err)
	}
	return p
}

// String returns the source of the pattern.
func (p *Pattern) String() string { return p.source }

// compiler reads the source of a pattern from its start to its end.
type compiler struct {
	p    *Pattern
	rest string
}

// sequence reads nodes up to the end, or up to the bar or parenthesis that ends
// a choice. Choices are not linked yet: each is a list.
func (c *compiler) sequence() ([]*node, error) {
	var nodes []*node
	for c.rest != "" && c.rest[0] != '|' && c.rest[0] != ')' {
		n, err := &node{}, error(nil)
		switch c.rest[0] {
		case '{':
			err = c.part(n)
		case '(':
			err = c.alternatives(n)
		default:
			n.literal, err = c.literal()
		}
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// literal reads literal text.
func (c *compiler) literal() (string, error) {
	var text strings.Builder
	for c.rest != "" && strings.IndexByte("(){}|", c.rest[0]) < 0 {
		if c.rest[0] == '\\' {
			if len(c.rest) == 1 {
				return "", errors.New("ends in a backslash")
			}
			c.rest = c.rest[1:]
			if c.rest[0] == 't' {
				c.rest = "\t" + c.rest[1:]
			}
		}
		text.WriteByte(c.rest[0])
		c.rest = c.rest[1:]
	}
	if text.Len() == 0 {
		return "", fmt.Errorf("unexpected %q", c.rest[:1])
	}
	return text.String(), nil
}

// part reads {name} or {name:type}.
func (c *compiler) part(n *node) error {
	inside, rest, ok := strings.Cut(c.rest[1:], "}")
	if !ok {
		return errors.New("a brace is not closed")
	}
	c.rest = rest
	name, form, typed := strings.Cut(inside, ":")
	if form == "" {
		form = name
	}
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
		return n.readSigns(form)
	case n.kind == nil && typed && form != "text":
		return fmt.Errorf("no type %q", form)
	case n.kind == nil:
		n.kind = &textKind
	}
	return nil
}

// readSigns reads the signs of a part and their levels.
func (n *node) readSigns(signs string) error {
	for pair := range strings.SplitSeq(signs, ",") {
		text, name, _ := strings.Cut(pair, "=")
		s := sign{text: text}
		if err := s.level.UnmarshalText([]byte(name)); err != nil || text == "" {
			return fmt.Errorf("sign %q: must be a text, = and a level", pair)
		}
		n.signs = append(n.signs, s)
	}
	slices.SortStableFunc(n.signs, func(a, b sign) int { return len(b.text) - len(a.text) })
	return nil
}

// alternatives reads (a|b) or (a)?.
func (c *compiler) alternatives(n *node) error {
	for {
		c.rest = c.rest[1:]
		list, err := c.sequence()
		if err != nil {
			return err
		}
		n.lists = append(n.lists, list)
		if c.rest == "" {
			return errors.New("a parenthesis is not closed")
		}
		if c.rest[0] == ')' {
			break
		}
	}
	c.rest = c.rest[1:]
	if rest, ok := strings.CutPrefix(c.rest, "?"); ok {
		c.rest = rest
		n.lists = append(n.lists, nil)
	}
	return nil
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
