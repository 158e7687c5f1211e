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
	header           // Authorization
	cookie           // Cookie, Set-Cookie
	scheme           // Bearer, Basic: the value follows without a sign
)

// A name is a word that announces a secret.
type name struct {
	class class
	kind  Kind
	path  bool // the value may be a path: pwd
}

// endsName is the set of bytes that end a name.
var endsName = setOf("dDeEsStTnNyYrRcC")

// nameOf returns what the word text[start:] announces.
func nameOf(text string, start int) name {
	w := text[start:]
	switch w[len(w)-1] | 0x20 {
	case 'd':
		return passwordName(w)
	case 'e':
		if endsWith(w, "passphrase") || endsWith(w, "passcode") {
			return name{class: passphrase, kind: Password}
		}
		if endsWith(w, "secret_key_base") {
			return name{class: key, kind: Secret}
		}
		if strings.EqualFold(w, "cookie") {
			return name{class: cookie, kind: Cookie}
		}
	case 's':
		if endsWith(w, "pass") && followsAccount(w[:len(w)-len("pass")]) {
			return name{class: password, kind: Password}
		}
	case 't':
		if endsWith(w, "secret") {
			return name{class: secret, kind: Secret}
		}
	case 'n':
		return tokenName(text, w)
	case 'y':
		return keyName(text)
	case 'r', 'c':
		if strings.EqualFold(w, "bearer") || strings.EqualFold(w, "basic") {
			return name{class: scheme, kind: Authorization}
		}
	}
	return name{}
}

func passwordName(w string) name {
	switch {
	case endsWith(w, "password"), endsWith(w, "passwd"):
		return name{class: password, kind: Password}
	case w == "PWD", w == "OLDPWD": // working directory
	case strings.EqualFold(w, "pwd"), endsWith(w, "_pwd"), strings.HasSuffix(w, "Pwd"):
		return name{class: password, kind: Password, path: true}
	}
	return name{}
}

func tokenName(text, w string) name {
	if strings.EqualFold(w, "authorization") {
		return name{class: header, kind: Authorization}
	}
	if !endsWith(w, "token") || followsPagination(trimJoint(text[:len(text)-len("token")])) {
		return name{}
	}
	return name{class: key, kind: Token}
}

// keyName recognizes keys that the preceding word makes secret: api_key,
// api-key, "API key", apiKey, APIKEY.
func keyName(text string) name {
	switch {
	case endsWith(text, "identified by"): // SQL
		return name{class: password, kind: Password}
	case !endsWith(text, "key"):
		return name{}
	}
	before := trimJoint(text[:len(text)-len("key")])
	switch {
	case endsWith(before, "api"):
		return name{class: key, kind: APIKey}
	case endsWith(before, "access") && endsWith(trimJoint(before[:len(before)-len("access")]), "secret"):
		return name{class: key, kind: AWSSecretKey}
	}
	if endsWithAny(before, "access", "secret", "private", "account", "auth", "signing", "encryption", "master", "admin", "service") {
		return name{class: key, kind: Secret}
	}
	return name{}
}

// followsAccount reports whether the word before "pass" names an account; "pass"
// alone is usually that of a test or a renderer.
func followsAccount(before string) bool {
	return endsWithAny(trimJoint(before),
		"db", "database", "user", "mail", "smtp", "imap", "ftp", "admin", "root", "auth", "login", "redis", "mysql", "pg", "postgres", "ldap", "proxy", "sudo", "ssh", "default", "become")
}

// followsPagination reports whether the word before "token" shows that it is no secret.
func followsPagination(before string) bool {
	return endsWithAny(before, "next", "page", "continuation", "cancellation", "sync", "unexpected", "invalid", "publickey")
}

func trimJoint(s string) string {
	if s != "" && strings.IndexByte("_-. ", s[len(s)-1]) >= 0 {
		return s[:len(s)-1]
	}
	return s
}

// endsWith is strings.HasSuffix ignoring case; suffix is in lower case.
func endsWith(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

// endsWithAny reports whether s ends with any of the suffixes, ignoring case.
func endsWithAny(s string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(suffix string) bool { return endsWith(s, suffix) })
}
