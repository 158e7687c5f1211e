package highlight

import (
	"cmp"
	"slices"
	"strings"
)

// VS Code themes select by TextMate scopes. A token is in nested scopes such as
// "source.go", "string.quoted.double.go"; the selectors "string" and "source.go
// string" both match it. The more specific one wins, see
// https://macromates.com/manual/en/scope_selectors.

// A rule is the style that a selector assigns.
type rule struct {
	scopes []string // the selector, innermost scope last; empty matches everything
	color  string   // "" leaves the colour unchanged
	font   *fontStyle
}

// fontStyle is the style of letters. It replaces that of an outer scope
// completely.
type fontStyle struct{ bold, italic, underline bool }

// A match is the specificity with which a rule selects a token.
type match struct {
	rule   int
	level  int // of the innermost scope of the selector
	parts  int // of the selector's name for that scope
	within int // parent scopes in the selector
}

// over reports whether m is more specific than n, an earlier match of the rules.
func (m match) over(n match) bool {
	return cmp.Or(cmp.Compare(m.level, n.level), cmp.Compare(m.parts, n.parts), cmp.Compare(m.within, n.within), cmp.Compare(m.rule, n.rule)) > 0
}

// match returns the match of a rule with a token in nested scopes, outermost
// first, and whether it matches.
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

// areWithin reports whether nested scopes contain all wanted ones in order.
func areWithin(stack, wanted []string) bool {
	for _, scope := range slices.Backward(stack) {
		if len(wanted) > 0 && isWithin(scope, wanted[len(wanted)-1]) {
			wanted = wanted[:len(wanted)-1]
		}
	}
	return len(wanted) == 0
}

// isWithin reports whether a scope is the wanted one or below it, as
// "string.quoted" is below "string".
func isWithin(scope, wanted string) bool {
	rest, ok := strings.CutPrefix(scope, wanted)
	return ok && (rest == "" || rest[0] == '.')
}
