// Package mask replaces secrets in logs and code by marks that name their kind:
//
//	text, found := mask.Secrets("password=hunter2", mask.Options{})
//	// text is "password=[masked: password]", found is {password: 1}
//
// It recognizes secrets with a published form (tokens with a prefix, JSON Web
// Tokens, private keys in PEM) and values in places reserved for secrets: after
// a name such as password or api_key, in the headers Authorization, Cookie and
// Set-Cookie, and before the @ of a URL. It does not treat a random string
// alone as a secret, nor the addresses of machines and people: hashes, UUIDs
// and images in base64 are kept.
//
// It guarantees:
//
//   - The number of lines does not change; UTF-8 stays UTF-8, JSON stays JSON,
//     and JSON lines stay JSON lines.
//   - Masking masked text changes nothing.
//   - The time is linear in the length of the text, whatever it holds.
//
// It does not guarantee that no secret remains. It does not find a secret that
// is split, encoded, or named by a word that this package does not know, nor a
// password with spaces unless it is called a passphrase. A value of letters
// alone is masked only after a name such as password, a name that ends with
// secret (from 6 letters on), Authorization: Bearer (from 12) and in cookies
// (from 8): api_key=kqjwzxpv is kept. Masking reduces the damage of sharing a
// secret by mistake; it does not make it safe to share one.
package mask

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Options configures [Secrets]. The zero value masks secrets only, and writes
// every mark in full.
type Options struct {
	// Limit is the maximum number of code points of the result. If marks would
	// exceed it, those longer than their secret are written as ***, so that the
	// result is never longer than both Limit and the text. Zero means no limit.
	Limit int
	// Addresses masks email and IP addresses as well, except loopback and
	// unspecified ones.
	Addresses bool
	// Users masks the names of users in the paths of their folders as well:
	// C:\Users\ada, /home/ada, /Users/ada. Names of two letters are kept.
	Users bool
}

// Kind is the kind of a secret, in lower-case letters and dashes. It appears in
// the mark: [masked: github-token]. The other kinds are private-key, jwt,
// aws-access-key, aws-secret-key, gitlab-token, slack-token, stripe-key,
// google-api-key, npm-token, pypi-token, devkiln-key, authorization, cookie,
// password, api-key, token, secret, email-address, ip-address and user-name.
type Kind string

// Name returns the name of the kind for people, such as "GitHub token".
func (k Kind) Name() string {
	words := strings.Split(string(k), "-")
	for i, w := range words {
		words[i] = cmp.Or(spellings[w], w)
	}
	return strings.Join(words, " ")
}

// spellings holds the words in the names of kinds that are not in lower case.
var spellings = map[string]string{
	"api": "API", "aws": "AWS", "devkiln": "Devkiln", "github": "GitHub", "gitlab": "GitLab", "google": "Google", "ip": "IP",
	"jwt": "JSON web token", "pypi": "PyPI", "slack": "Slack", "stripe": "Stripe",
}

// Found counts masked secrets by kind. Nil means none.
type Found map[Kind]int

// Total returns the number of masked secrets.
func (f Found) Total() int {
	total := 0
	for _, n := range f {
		total += n
	}
	return total
}

// Plus returns the sum of two counts.
func (f Found) Plus(g Found) Found {
	if len(f) == 0 {
		return g
	}
	sum := maps.Clone(f)
	for k, n := range g {
		sum[k] += n
	}
	return sum
}

// String lists the kinds, most frequent first: "2 × GitHub token, 1 ×
// password".
func (f Found) String() string {
	kinds := slices.SortedFunc(maps.Keys(f), func(a, b Kind) int {
		return cmp.Or(cmp.Compare(f[b], f[a]), cmp.Compare(a, b))
	})
	parts := make([]string, len(kinds))
	for i, k := range kinds {
		parts[i] = fmt.Sprintf("%d × %s", f[k], k.Name())
	}
	return strings.Join(parts, ", ")
}

const (
	markStart = "[masked: "
	markEnd   = "]"
	shortMark = "***"
)

// markForm is a mark. No kind is longer than 32 letters.
var (
	markForm = regexp.MustCompile(`^\[masked: [a-z-]{1,32}\]`)
	allMarks = regexp.MustCompile(`\[masked: [a-z-]{1,32}\]`)
)

// Marks returns the start and end offset of each mark in text.
func Marks(text string) [][]int { return allMarks.FindAllStringIndex(text, -1) }

// markLength returns the length of the mark at the start of s, or 0 if there is
// none.
func markLength(s string) int {
	const longest = len(markStart) + 32 + len(markEnd)
	if !strings.HasPrefix(s, markStart) {
		return 0
	}
	return len(markForm.FindString(s[:min(len(s), longest)]))
}

// marked reports whether s starts with a mark, long or short.
func marked(s string) bool { return strings.HasPrefix(s, shortMark) || markLength(s) > 0 }

// Secrets returns text with a mark in place of each secret, and the number of
// secrets of each kind. If it finds none, it returns text itself and nil. Bytes
// that are not valid UTF-8 are kept.
func Secrets(text string, o Options) (masked string, found Found) {
	s := scanner{text: text, options: o}
	s.scan()
	if len(s.spans) == 0 {
		return text, nil
	}
	found = make(Found)
	grown := 0
	for _, p := range s.spans {
		if !p.more {
			found[p.kind]++
		}
		grown += len(p.mark()) - utf8.RuneCountInString(text[p.from:p.to])
	}
	short := o.Limit > 0 && grown > 0 && utf8.RuneCountInString(text)+grown > o.Limit
	return s.replace(short, max(grown, 0)), found
}

// replace returns the text with its marks; grown hints at how much longer it
// is.
func (s *scanner) replace(short bool, grown int) string {
	b := make([]byte, 0, len(s.text)+grown)
	at := 0
	for _, p := range s.spans {
		b = append(b, s.text[at:p.from]...)
		mark := p.mark()
		if short && len(mark) > utf8.RuneCountInString(s.text[p.from:p.to]) {
			mark = p.quote + shortMark + p.quote
		}
		b = append(b, mark...)
		at = p.to
	}
	return string(append(b, s.text[at:]...))
}

// A span is a secret in the text, or one part of it.
type span struct {
	from, to int // byte offsets; spans at least as many code points as a short mark
	kind     Kind
	quote    string // goes around the mark that replaces a number
	more     bool   // belongs to the same secret as the previous span
}

func (p span) mark() string { return p.quote + markStart + string(p.kind) + markEnd + p.quote }
