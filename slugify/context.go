package slugify

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A contextRule spells letters together, or by their place in a word: Greek ου
// is ou, and Ukrainian є is ye at the beginning of a word.
type contextRule struct {
	match    []rune // in lower case; the first rune is the key of the map
	initial  bool   // matches only at the beginning of a word
	final    bool   // matches only at the end of a word
	before   string // one of these letters must follow; "" allows any
	spelling string // with spaces for breaks
}

// parseContexts reads contexts separated by blanks. Each has the form
// letters=spelling, as in "ου=ou". "^" before the letters restricts them to the
// beginning of a word, "$" after them to its end, and "(…)" to where one of the
// enclosed letters follows: "αυ(βγδ)=av". A spelling with "_" forms words of
// its own: "重庆=chong_qing".
func parseContexts(list string) map[rune][]contextRule {
	if list == "" {
		return nil
	}
	all := make(map[rune][]contextRule)
	for item := range strings.FieldsSeq(list) {
		match, spelling, _ := strings.Cut(item, "=")
		var c contextRule
		match, c.initial = strings.CutPrefix(match, "^")
		match, c.final = strings.CutSuffix(match, "$")
		match, c.before, _ = strings.Cut(match, "(")
		c.before = strings.TrimSuffix(c.before, ")")
		c.match = []rune(match)
		if c.spelling = strings.ReplaceAll(spelling, "_", " "); c.spelling != spelling {
			c.spelling = " " + c.spelling + " "
		}
		all[c.match[0]] = append(all[c.match[0]], c)
	}
	for _, contexts := range all {
		slices.SortStableFunc(contexts, func(a, b contextRule) int { return cmp.Compare(len(b.match), len(a.match)) })
	}
	return all
}

// contextAt returns the longest context that matches at text[i:], and its
// length in bytes, which is 0 if none matches.
func (l *language) contextAt(text string, i int) (*contextRule, int) {
	r, _ := utf8.DecodeRuneInString(text[i:])
	contexts := l.contexts[unicode.ToLower(r)]
	for k := range contexts {
		if n := contexts[k].length(text, i); n > 0 {
			return &contexts[k], n
		}
	}
	return nil, 0
}

// length returns the length in bytes of the context at text[i:], or 0 if it
// does not match there.
func (c *contextRule) length(text string, i int) int {
	n := i
	for _, want := range c.match {
		r, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 || unicode.ToLower(r) != want {
			return 0
		}
		n += size
	}
	next, _ := utf8.DecodeRuneInString(text[n:])
	switch {
	case c.initial && insideWord(text[:i]),
		c.final && isWordRune(next),
		c.before != "" && !strings.ContainsRune(c.before, unicode.ToLower(next)):
		return 0
	}
	return n - i
}

// insideWord reports whether a letter after text would continue a word.
func insideWord(text string) bool {
	for text != "" {
		r, size := utf8.DecodeLastRuneInString(text)
		if !noLetter(r) {
			return unicode.IsLetter(r)
		}
		text = text[:len(text)-size]
	}
	return false
}

// contextForm returns the form for the spelling of a context, which is stored
// in lower case.
func contextForm(text string, i, n int) form {
	first, size := utf8.DecodeRuneInString(text[i:])
	if caseOf(first) != upper {
		return asLower
	}
	if size < n {
		if second, _ := utf8.DecodeRuneInString(text[i+size:]); caseOf(second) == upper {
			return asUpper
		}
		return asTitle
	}
	if f := formOf(text, i, n); f != asKept {
		return f
	}
	return asTitle
}
