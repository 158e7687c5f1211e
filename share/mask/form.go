package mask

import (
	_ "embed"
	"strconv"
	"strings"
)

//go:embed forms.tsv
var formTable string

// A form is a row of forms.tsv: parts that follow one another.
type form struct {
	kind  Kind
	parts []part
}

// A part of a form is a literal text and, after it, bytes of a class.
type part struct {
	literal  string
	keep     bool // the literal is not secret
	class    *set
	min, max int
	mixed    bool // digits, lower-case and upper-case letters
}

// longestPart bounds what one form reads of a hostile text.
const longestPart = 1000

// formClasses are the classes of bytes that forms.tsv names.
var formClasses = map[string]*set{
	"digit": digit, "word": word, "base62": base62, "base64": base64u, "mixed": base64u, "dotted": setOf(wordBytes + "-."),
	"upper": setOf(capitals + digits), "hex": setOf(digits + "abcdef"), "path": setOf(letters + digits + "/"), "long": setOf(wordBytes + "-/"),
}

// prefixed holds the forms that start with a literal by its first byte,
// unprefixed the others.
var prefixed, unprefixed = readForms(formTable)

func readForms(table string) (prefixed [256][]form, unprefixed []form) {
	for line := range strings.Lines(table) {
		kind, rest, _ := strings.Cut(line, "\t")
		pattern, _, ok := strings.Cut(rest, "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		f := form{kind: Kind(kind), parts: readParts(pattern)}
		if first := f.parts[0].literal; first != "" {
			prefixed[first[0]] = append(prefixed[first[0]], f)
		} else {
			unprefixed = append(unprefixed, f)
		}
	}
	return prefixed, unprefixed
}

// readParts reads a form as forms.tsv writes it.
func readParts(pattern string) (parts []part) {
	for pattern != "" {
		var p part
		var class, bounds string
		p.literal, pattern, _ = strings.Cut(pattern, "<")
		p.literal, p.keep = strings.CutSuffix(p.literal, "|")
		class, pattern, _ = strings.Cut(pattern, ">")
		class, bounds, _ = strings.Cut(class, " ")
		low, high, _ := strings.Cut(bounds, "-")
		p.class, p.mixed, p.max = formClasses[class], class == "mixed", longestPart
		p.min, _ = strconv.Atoi(low)
		if high != "" {
			p.max, _ = strconv.Atoi(high)
		}
		parts = append(parts, p)
	}
	return parts
}

// formatted returns the range of the secret in a published form whose first
// word is text[start:end]. If there is none, to is 0. A form with dashes cannot
// start after one (joined), so that no run of dashes is read again and again.
func formatted(text string, start, end int, joined bool) (from, to int, kind Kind) {
	for _, f := range prefixed[text[start]] {
		if joined && f.parts[0].class['-'] {
			continue
		}
		if from, to := f.match(text, start); to > 0 {
			return from, to, f.kind
		}
	}
	for _, f := range unprefixed {
		if n := end - start; n < f.parts[0].min || n > f.parts[0].max {
			continue
		}
		if from, to := f.match(text, start); to > 0 {
			return from, to, f.kind
		}
	}
	return 0, 0, ""
}

// match returns the range of the secret in this form at start. If there is
// none, to is 0.
func (f form) match(text string, start int) (from, to int) {
	from, to = start, start
	for _, p := range f.parts {
		if !strings.HasPrefix(text[to:], p.literal) {
			return 0, 0
		}
		body := to + len(p.literal)
		if to = p.end(text, body); to == 0 {
			return 0, 0
		}
		if p.keep {
			from = body
		}
	}
	if to < len(text) && word[text[to]] || marked(text[to:]) {
		return 0, 0 // longer than the form, or the rest of it is masked
	}
	return from, to
}

// end returns the end of the bytes of a part that start at from, or 0 if there
// are too few or too many.
func (p part) end(text string, from int) int {
	to := from
	for to < len(text) && to-from < p.max && p.class[text[to]] {
		to++
	}
	for p.max == longestPart && to > from && strings.IndexByte("-./", text[to-1]) >= 0 {
		to-- // punctuation after the token
	}
	body := text[from:to]
	if len(body) < p.min || isRepetitive(body) || p.mixed && !isMixed(body) {
		return 0
	}
	return to
}

func isMixed(s string) bool {
	return strings.ContainsAny(s, digits) && strings.ContainsAny(s, capitals) && strings.ContainsAny(s, smalls)
}

// isRepetitive reports whether the first 20 of at least 14 bytes have fewer than
// four different values, as in the xxxx of an example.
func isRepetitive(s string) bool {
	const short, looked, different = 14, 20, 4
	seen := make(map[byte]bool, looked)
	for i := range min(len(s), looked) {
		seen[s[i]] = true
	}
	return len(s) >= short && len(seen) < different
}
