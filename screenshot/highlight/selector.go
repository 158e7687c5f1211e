package highlight

import (
	"cmp"
	"slices"
	"strings"
)

// Themes of VS Code select by TextMate scopes. A token stands in nested scopes
// such as "source.go", "string.quoted.double.go"; the selector "string" is for
// it, and "source.go string" too. What is more exact wins, see
// https://macromates.com/manual/en/scope_selectors.

// A rule is the style of what a selector selects.
type rule struct {
	scopes []string // the selector: within what, innermost last; none: everything
	color  string   // "" leaves it as it is
	font   *fontStyle
}

// fontStyle is how letters look. It replaces what an outer scope says as a
// whole.
type fontStyle struct{ bold, italic, underline bool }

func (r rule) apply(s *Style) {
	if r.color != "" {
		s.Color = r.color
	}
	if r.font != nil {
		s.Bold, s.Italic, s.Underline = r.font.bold, r.font.italic, r.font.underline
	}
}

// A match is how exactly a rule selects a token.
type match struct {
	rule   int
	level  int // of the scope that the selector ends at
	parts  int // of that scope's name
	within int // scopes around it that the selector names
}

// compare orders matches from the least exact to the most.
func (m match) compare(n match) int {
	return cmp.Or(cmp.Compare(m.level, n.level), cmp.Compare(m.parts, n.parts), cmp.Compare(m.within, n.within), cmp.Compare(m.rule, n.rule))
}

// match reports how a rule selects a token in nested scopes, outermost first.
func (r rule) match(stack []string) (match, bool) {
	if len(r.scopes) == 0 {
		return match{level: -1}, true
	}
	last := r.scopes[len(r.scopes)-1]
	for level, scope := range slices.Backward(stack) {
		if isWithin(scope, last) && areWithin(stack[:level], r.scopes[:len(r.scopes)-1]) {
			return match{level: level, parts: strings.Count(last, ".") + 1, within: len(r.scopes) - 1}, true
		}
	}
	return match{}, false
}

// areWithin reports whether nested scopes hold all that are wanted, in their
// order.
func areWithin(stack, wanted []string) bool {
	for _, scope := range slices.Backward(stack) {
		if len(wanted) > 0 && isWithin(scope, wanted[len(wanted)-1]) {
			wanted = wanted[:len(wanted)-1]
		}
	}
	return len(wanted) == 0
}

// isWithin reports whether a scope is the wanted one or a part of it, as
// "string.quoted" is of "string".
func isWithin(scope, wanted string) bool {
	rest, ok := strings.CutPrefix(scope, wanted)
	return ok && (rest == "" || rest[0] == '.')
}
