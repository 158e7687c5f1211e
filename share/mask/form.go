package mask

import (
	_ "embed" // of the forms
	"regexp"
	"slices"
	"strings"
)

//go:embed forms.tsv
var formTable string

// A form is a row of forms.tsv.
type form struct {
	kind         Kind
	prefix       string
	pattern      *regexp.Regexp // anchored
	more         *set           // what may follow the match, if the length is open
	dashes, dots bool           // the secret may hold them
}

// No secret is shorter than minForm bytes, nor the first word of one that starts
// with a class of bytes than minFirst. A pattern reads at most maxPattern, because
// package regexp is slow on long texts.
const minForm, minFirst, maxPattern = 20, 8, 256

var formByte = setOf(wordBytes + ":./-")

// forms holds the forms by their first byte, and those that start with a class
// of bytes by the byte after their first word.
var forms = func() (all [256][]form) {
	for line := range strings.Lines(formTable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		pattern := regexp.MustCompile("^" + fields[1])
		prefix, _ := regexp.MustCompile(fields[1]).LiteralPrefix()
		f := form{kind: Kind(fields[0]), prefix: prefix, pattern: pattern, dashes: strings.Contains(fields[1], "-]")}
		if fields[2] != "" {
			f.more, f.dots = setOf(wordBytes+fields[2]), strings.Contains(fields[2], ".")
		}
		first := (prefix + ".")[0]
		if strings.HasPrefix(fields[1], `\d`) {
			first = ':'
		}
		all[first] = append(all[first], f)
	}
	return all
}()

// formatted returns the range of the secret in a published form whose first
// word starts at an offset. If there is none, to is 0.
func (s *scanner) formatted(start int) (from, to int, kind Kind) {
	if formByte.run(s.text, start, minForm) < start+minForm {
		return 0, 0, ""
	}
	first := [2]byte{s.text[start]}
	if end := word.run(s.text, start, len(s.text)); end >= start+minFirst && end < len(s.text) {
		first[1] = s.text[end]
	}
	for _, first := range first {
		for _, f := range forms[first] {
			if from, to := s.match(f, start); to > 0 {
				return from, to, f.kind
			}
		}
	}
	return 0, 0, ""
}

// match returns the range of the secret of a form. A form with dashes cannot
// start after one, and one with dots not in a run that was refused, so that no
// run is read again and again.
func (s *scanner) match(f form, start int) (from, to int) {
	joined := start > s.lastSecretEnd() && s.text[start-1] == '-'
	if f.dashes && joined || f.dots && start < s.refused || !strings.HasPrefix(s.text[start:], f.prefix) {
		return 0, 0
	}
	m := f.pattern.FindStringSubmatchIndex(s.text[start:min(len(s.text), start+maxPattern)])
	if m == nil {
		return 0, 0
	}
	from, to = start+m[len(m)-2], start+m[1]
	shortest, run := to, to
	if f.more != nil {
		run = f.more.run(s.text, to, len(s.text))
		if key := strings.Index(s.text[from:run], "-----BEGIN"); key >= 0 {
			run = from + key
		}
		to = from + len(strings.TrimRight(s.text[from:run], "./"))
	}
	if to < shortest || !f.accepts(s.text[from:to], s.text[to:]) {
		s.refused = run
		return 0, 0
	}
	return from, to
}

// accepts reports whether a text is a secret rather than an example, or a part
// of something longer; rest is what follows.
func (f form) accepts(secret, rest string) bool {
	mixed := digit.in(secret) && strings.ToLower(secret) != secret && strings.ToUpper(secret) != secret
	if f.kind == "api-key" && !mixed || f.kind == "jwt" && !isToken(strings.SplitN(secret, ".", 6)) {
		return false
	}
	longer := rest != "" && word[rest[0]]
	return !longer && !marked(rest) && !isRepetitive(secret)
}

// isToken reports whether the parts are those of a JSON Web Token: a header and
// claims, both JSON, and a signature (RFC 7519 in the compact form of RFC 7515),
// or the five of RFC 7516, section 3.1.
func isToken(parts []string) bool {
	n := len(parts)
	signed := n > 2 && strings.HasPrefix(parts[1], "eyJ") && len(parts[1]) >= 8 && len(parts[2]) >= 16
	return signed || n > 4 && len(parts[2]) >= 4 && len(parts[3]) >= 2 && len(parts[4]) >= 4
}

// isRepetitive reports whether the last 14 bytes of a text have fewer than four
// different values, as in the xxxx of an example.
func isRepetitive(s string) bool {
	last := []byte(s[max(0, len(s)-14):])
	slices.Sort(last)
	return len(slices.Compact(last)) < 4
}
