package mask

import (
	_ "embed" // of the names
	"slices"
	"strings"
)

// A class of names determines which values after a name are taken for secrets.
type class string

const (
	password   class = "password"   // anything but a word of code or prose
	passphrase class = "passphrase" // like password, but may contain blanks
	secret     class = "secret"     // like password, but longer
	key        class = "key"        // a long string of digits and letters
	signature  class = "signature"  // like key, but longer
	header     class = "header"     // Authorization
	cookie     class = "cookie"     // Cookie, Set-Cookie
	scheme     class = "scheme"     // Bearer, Basic: the value follows without a sign
)

// A name is a word that announces a secret.
type name struct {
	class class
	kind  Kind
	min   int // length of a secret in code points
}

var minLength = map[class]int{password: 3, passphrase: 3, secret: 6, key: 8, signature: 32, header: 12}

// A nameRule is a row of names.tsv.
type nameRule struct {
	suffix string
	name   name
	after  []string // one of these; any text if empty
	never  []string
	whole  bool // the name is the whole word
}

//go:embed names.tsv
var nameTable string

// rulesByEnd holds the rules by the last letter of the name, and endsName these
// letters in both cases.
var rulesByEnd, endsName = func() (rules [256][]nameRule, ends set) {
	for line := range strings.Lines(nameTable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSuffix(line, "\n")+"\t", "\t")
		r := nameRule{name: name{class(fields[1]), Kind(fields[2]), minLength[class(fields[1])]}}
		r.suffix, r.whole = strings.CutPrefix(fields[0], "=")
		for w := range strings.FieldsSeq(fields[3]) {
			if without, never := strings.CutPrefix(w, "-"); never {
				r.never = append(r.never, without)
			} else {
				r.after = append(r.after, w)
			}
		}
		last := r.suffix[len(r.suffix)-1]
		rules[last] = append(rules[last], r)
		ends[last], ends[last-'a'+'A'] = true, true
	}
	return rules, ends
}()

// nameOf returns what the word text[start:] announces.
func nameOf(text string, start int) name {
	w := text[start:]
	if w == "PWD" || w == "OLDPWD" { // working directory
		return name{}
	}
	rules := rulesByEnd[w[len(w)-1]|0x20]
	for i := range rules {
		if rules[i].matches(text, w) {
			return rules[i].name
		}
	}
	return name{}
}

func (r *nameRule) matches(text, w string) bool {
	if !endsWith(text, r.suffix) || r.whole && len(w) != len(r.suffix) && !strings.HasSuffix(w, "Pwd") {
		return false
	}
	before := text[:len(text)-len(r.suffix)]
	if before != "" && strings.IndexByte("_-. ", before[len(before)-1]) >= 0 {
		before = before[:len(before)-1]
	}
	return (len(r.after) == 0 || endsWithAny(before, r.after)) && !endsWithAny(before, r.never)
}

// endsWith is strings.HasSuffix ignoring case; suffix is in lower case.
func endsWith(s, suffix string) bool {
	at := len(s) - len(suffix)
	return at >= 0 && s[at]|0x20 == suffix[0]|0x20 && strings.EqualFold(s[at:], suffix)
}

// endsWithAny reports whether s ends with any of the suffixes, ignoring case.
func endsWithAny(s string, suffixes []string) bool {
	return slices.ContainsFunc(suffixes, func(suffix string) bool { return endsWith(s, suffix) })
}
