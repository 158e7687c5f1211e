package pattern

import (
	"fmt"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
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
	c := compiler{pattern: source, source: "(" + escape.Replace(source)}
	p := &c.p
	p.start = c.sequence(end)
	c.must(c.sign == '(' && c.source == "", string(c.sign))
	p.First, p.Signs = p.start.first, p.start.signs
	for s := p.start; s != end; s = s.next {
		if len(s.text) > len(p.Needs) {
			p.Needs = s.text
		}
	}
	return p
}

// compiler compiles a pattern from its end to its start, so that each step knows
// the next one.
type compiler struct {
	p       Pattern
	parts   int
	pattern string
	source  string // what is left of it, after a (
	sign    byte   // the ( or | before the latest sequence
}

func (c *compiler) must(ok bool, token string) {
	if !ok {
		panic(fmt.Sprintf("pattern %q: unexpected %q", c.pattern, token))
	}
}

// sequence returns the step that matches the end of the source, back to a ( or |,
// and then next.
func (c *compiler) sequence(next *step) *step {
	for {
		at := strings.LastIndexAny(c.source, "(){}| ")
		c.must(at >= 0, ")")
		text, optional := c.source[at+1:], false
		if c.sign, c.source = c.source[at], c.source[:at]; c.sign == ')' {
			text, optional = strings.CutPrefix(text, "?")
		}
		if text = unescape.Replace(text); text != "" {
			next = literal(text, next)
		}
		switch c.sign {
		case ' ':
			before := strings.TrimRight(c.source, " ")
			next = &step{blanks: at + 1 - len(before), first: ascii.SetOf(" "), signs: next.signs, next: next}
			c.source = before
		case ')':
			next = c.choice(optional, next)
		case '}':
			at = strings.LastIndexByte(c.source, '{')
			c.must(at >= 0, "}")
			next = c.part(c.source[at+1:], next)
			c.source = c.source[:at]
		default:
			return next
		}
	}
}

func literal(text string, next *step) *step {
	return &step{text: text, first: ascii.SetOf(text[:1]), signs: next.signs | SignsOf(text), next: next}
}

// or adds a choice to the others that a step has.
func (s *step) or(choice *step) {
	s.choices = append([]*step{choice}, s.choices...)
	s.first, s.signs = s.first.Or(choice.first), s.signs&choice.signs
}

// choice returns the step that matches (a|b) or (a)?, and then next.
func (c *compiler) choice(optional bool, next *step) *step {
	s := &step{next: next, signs: ^Signs(0)}
	if optional {
		s.or(next)
	}
	for more := true; more; more = c.sign == '|' {
		s.or(c.sequence(next))
	}
	c.must(c.sign == '(', ")")
	return s
}

// part returns the step that matches name or name:type, and then next.
func (c *compiler) part(source string, next *step) *step {
	name, form, typed := strings.Cut(source, ":")
	if !typed || name == "time" {
		form = source
	}
	c.parts++
	c.must(c.parts <= maxParts, source)
	if name == "message" {
		c.p.End = name
	}
	s := &step{name: name, next: next, first: anyByte, signs: next.signs}
	switch k, known := kinds[form]; {
	case known:
		if s.first, s.read = k.first, k.read; k.first == digit {
			s.signs |= SignsOf("0")
		}
	case form == "message", form == "entry", form == "line":
		c.must(next == end, source)
		c.p.End, s.rest = form, true
	case strings.Contains(form, "="):
		return c.signs(name, form, next)
	default:
		c.must(!typed || form == "text", source)
	}
	return s
}

// signs returns the step that matches one of the signs of a part, and then next.
func (c *compiler) signs(name, form string, next *step) *step {
	signs := strings.Split(form, ",")
	s := &step{next: next, signs: ^Signs(0)}
	for _, pair := range slices.Backward(signs) {
		text, meaning, _ := strings.Cut(pair, "=")
		c.must(text != "", pair)
		sign := literal(text, next)
		sign.name = name
		c.must(sign.level.UnmarshalText([]byte(meaning)) == nil, pair)
		s.or(sign)
	}
	return s
}
