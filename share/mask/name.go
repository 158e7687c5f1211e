package mask

import (
	"slices"
	"strings"
)

// A class of names determines which values after a name are taken for secrets.
type class int

const (
	noName     class = iota
	password         // anything but a word of code or prose
	passphrase       // like password, but may contain blanks
	secret           // like password, but longer
	key              // a long string of digits and letters
	signature        // like key, but longer
	header           // Authorization
	cookie           // Cookie, Set-Cookie
	scheme           // Bearer, Basic: the value follows without a sign
)

// A name is a word that announces a secret.
type name struct {
	class class
	kind  Kind
}

// A nameRule is a name and the words of which one must stand before it, or of
// which none may, after a joint: api_key, api-key, "API key", apiKey, APIKEY.
type nameRule struct {
	suffix string
	name   name
	after  []string // one of these; any text if empty
	never  []string
	whole  bool // the name is the whole word
}

var nameRules = []nameRule{
	{suffix: "password", name: name{password, "password"}},
	{suffix: "passwd", name: name{password, "password"}},
	{suffix: "pwd", name: name{password, "password"}, whole: true},
	{suffix: "_pwd", name: name{password, "password"}},
	{suffix: "pass", name: name{password, "password"}, after: strings.Fields( // alone, it is usually that of a test
		"db database user mail smtp imap ftp admin root auth login redis mysql pg postgres ldap proxy sudo ssh default become")},
	{suffix: "identified by", name: name{password, "password"}}, // SQL
	{suffix: "passphrase", name: name{passphrase, "password"}},
	{suffix: "passcode", name: name{passphrase, "password"}},
	{suffix: "secret", name: name{secret, "secret"}},
	{suffix: "secret_key_base", name: name{key, "secret"}},
	{suffix: "authorization", name: name{header, "authorization"}, whole: true},
	{suffix: "cookie", name: name{cookie, "cookie"}, whole: true},
	{suffix: "bearer", name: name{scheme, "authorization"}, whole: true},
	{suffix: "basic", name: name{scheme, "authorization"}, whole: true},
	{suffix: "token", name: name{key, "token"}, never: strings.Fields("next page continuation cancellation sync unexpected invalid publickey")},
	{suffix: "key", name: name{key, "api-key"}, after: []string{"api"}},
	{suffix: "key", name: name{key, "aws-secret-key"}, after: []string{"secret_access", "secret-access", "secretaccess", "secret access"}},
	{suffix: "key", name: name{key, "secret"}, after: strings.Fields("access secret private account auth signing encryption master admin service")},
	{suffix: "signature", name: name{signature, "secret"}},
	{suffix: "sig", name: name{signature, "secret"}, whole: true},
}

// rulesByEnd holds nameRules by the last letter of the name, and endsName these
// letters in both cases.
var rulesByEnd, endsName = func() (rules [256][]nameRule, ends set) {
	for _, r := range nameRules {
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
	for _, r := range rulesByEnd[w[len(w)-1]|0x20] {
		if r.matches(text, w) {
			return r.name
		}
	}
	return name{}
}

func (r nameRule) matches(text, w string) bool {
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
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

// endsWithAny reports whether s ends with any of the suffixes, ignoring case.
func endsWithAny(s string, suffixes []string) bool {
	return slices.ContainsFunc(suffixes, func(suffix string) bool { return endsWith(s, suffix) })
}
