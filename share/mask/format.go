package mask

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// A format is a form of secret that its issuer has published. Checksums, which
// some have, are not verified: most of a secret survives in a token that is cut
// or mistyped, and the prefixes are rare enough.
type format struct {
	prefix string
	kind   Kind
	body   *set
	least  int  // minimum length of the body
	most   int  // maximum; 0 means no limit
	keep   bool // keep the prefix, which is not secret
	mixed  bool // the body has digits, lower-case and upper-case letters
}

const (
	digits    = "0123456789"
	capitals  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	smalls    = "abcdefghijklmnopqrstuvwxyz"
	letters   = capitals + smalls
	wordBytes = letters + digits + "_"
)

// A set is a set of bytes.
type set [256]bool

// all reports whether every byte of s is in the set.
func (t *set) all(s string) bool {
	for i := range len(s) {
		if !t[s[i]] {
			return false
		}
	}
	return true
}

// any reports whether some byte of s is in the set.
func (t *set) any(s string) bool {
	for i := range len(s) {
		if t[s[i]] {
			return true
		}
	}
	return false
}

var (
	digit      = setOf(digits)
	letter     = setOf(letters)
	capital    = setOf(capitals)
	small      = setOf(smalls)
	nameLetter = setOf(letters + "_")
	word       = setOf(wordBytes)
	base62     = setOf(letters + digits)
	base64u    = setOf(wordBytes + "-")
	dotted     = setOf(wordBytes + "-.")
	upper36    = setOf(capitals + digits)
	hex        = setOf(digits + "abcdef")
	path       = setOf(letters + digits + "/")
)

func setOf(chars string) *set {
	var t set
	for _, c := range []byte(chars) {
		t[c] = true
	}
	return &t
}

// endsOf returns the bytes that end a value: chars and the control characters.
func endsOf(chars string) *set {
	t := setOf(chars + "\x7f")
	for c := range ' ' {
		t[c] = true
	}
	return t
}

// formats holds the formats by their first byte. The sources are the issuers'
// own pages:
//
//   - GitHub: "Behind GitHub's new authentication token formats" (2021) and
//     docs, "About authentication to GitHub"
//   - GitLab: docs, "Token overview", section "Token prefixes"
//   - AWS: IAM user guide, "IAM identifiers", section "Understanding unique ID
//     prefixes"
//   - Slack: docs, "Token types" and "Sending messages using incoming webhooks"
//   - Stripe: docs, "API keys" and "Webhook signatures"
//   - Google Cloud: docs, "Manage API keys"; the length is that of all known keys
//   - npm: GitHub's changelog of 23 September 2021
//   - PyPI: help, "How can I use API tokens to authenticate with PyPI?"
//   - DigitalOcean: docs, "Personal access tokens"
//   - Hugging Face: docs, "User access tokens"
//   - HashiCorp Vault: docs, "Tokens", section "Token prefixes"
//   - sk-: the API references of OpenAI and Anthropic, which give only the prefix
//   - age: C2SP, "The age file encryption format", section on X25519
//   - Devkiln: package apikey
var formats = func() (t [256][]format) {
	for _, f := range []struct {
		format
		prefixes string
	}{
		{format{kind: GitHubToken, body: word, least: 36}, "ghp_ gho_ ghu_ ghr_ github_pat_"},
		{format{kind: GitHubToken, body: dotted, least: 36}, "ghs_"},
		{format{kind: GitLabToken, body: dotted, least: 20}, "glpat- gldt- glrt- glptt- glcbt- glft- glimt- glagent- gloas-"},
		{format{kind: AWSAccessKey, body: upper36, least: 16, most: 16}, "AKIA ASIA ABIA ACCA"},
		{format{kind: SlackToken, body: dotted, least: 16}, "xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xoxd- xoxe- xoxe. xapp-"},
		{format{kind: SlackToken, body: path, least: 30, keep: true}, "hooks.slack.com/services/"},
		{format{kind: StripeKey, body: base62, least: 16}, "sk_live_ sk_test_ rk_live_ rk_test_"},
		{format{kind: StripeKey, body: base62, least: 24}, "whsec_"},
		{format{kind: GoogleAPIKey, body: base64u, least: 35, most: 35}, "AIza"},
		{format{kind: NPMToken, body: base62, least: 36, most: 36}, "npm_"},
		{format{kind: PyPIToken, body: base64u, least: 50}, "pypi-AgE"},
		{format{kind: Token, body: hex, least: 64, most: 64}, "dop_v1_ doo_v1_ dor_v1_"},
		{format{kind: Token, body: base62, least: 34}, "hf_"},
		{format{kind: Token, body: base64u, least: 24}, "hvs. hvb. hvr."},
		{format{kind: APIKey, body: base64u, least: 32, mixed: true}, "sk-"},
		{format{kind: PrivateKey, body: upper36, least: 58, most: 58}, "AGE-SECRET-KEY-1"},
		{format{kind: DevkilnKey, body: base62, least: 36, most: 36}, "dk_"},
	} {
		for prefix := range strings.FieldsSeq(f.prefixes) {
			f.prefix = prefix
			t[prefix[0]] = append(t[prefix[0]], f.format)
		}
	}
	return t
}()

// formatted returns the range of the secret in a published format whose first
// word is at start. If there is none, to is 0.
func formatted(text string, start int) (from, to int, kind Kind) {
	if text[start] == 'e' {
		return start, jwt(text, start), JWT
	}
	for _, f := range formats[text[start]] {
		if !strings.HasPrefix(text[start:], f.prefix) {
			continue
		}
		body := start + len(f.prefix)
		if to = f.end(text, body); to == 0 {
			continue
		}
		if f.keep {
			start = body
		}
		return start, to, f.kind
	}
	return 0, 0, ""
}

// end returns the end of the body that starts at from, or 0 if there is none.
func (f format) end(text string, from int) int {
	to := from
	for to < len(text) && f.body[text[to]] {
		to++
	}
	if marked(text[to:]) {
		return 0 // part of it is masked already, so the rest is not a token
	}
	for to > from && strings.IndexByte("-./", text[to-1]) >= 0 {
		to-- // punctuation after the token
	}
	n := to - from
	if n < f.least || f.most > 0 && n > f.most || to < len(text) && word[text[to]] {
		return 0
	}
	if f.mixed && !mixed(text[from:to]) || isRepetitive(text[from:to]) {
		return 0
	}
	return to
}

func mixed(s string) bool {
	return digit.any(s) && capital.any(s) && small.any(s)
}

// isRepetitive reports whether the first 20 bytes have fewer than four different
// values, as in the xxxx of an example.
func isRepetitive(s string) bool {
	const looked, different = 20, 4
	var seen [256]bool
	n := 0
	for i := range min(len(s), looked) {
		if !seen[s[i]] {
			seen[s[i]] = true
			n++
		}
	}
	return n < different
}

// Bounds on a JSON web token's encoded header, which is at least {"alg":""}.
const (
	minJWTHeader = 14
	maxJWTHeader = 8 << 10
)

// jwt returns the end of the JSON web token (RFC 7519, in the compact forms of
// RFC 7515 and 7516) at start, or 0 if there is none: three or five base64url
// parts, of which the first is a JSON object that names its algorithm.
func jwt(text string, start int) int {
	if !strings.HasPrefix(text[start:], "eyJ") {
		return 0
	}
	dot := base64Run(text, start)
	if n := dot - start; n < minJWTHeader || n > maxJWTHeader || dot == len(text) || text[dot] != '.' || !namesAlgorithm(text[start:dot]) {
		return 0
	}
	payload := base64Run(text, dot+1)
	if payload == len(text) || text[payload] != '.' {
		return 0
	}
	third := base64Run(text, payload+1)
	if to := twoMoreParts(text, third); to > 0 {
		return to
	}
	if payload == dot+1 {
		return 0
	}
	return third
}

// twoMoreParts returns the end of two more parts, or 0 if they are missing.
func twoMoreParts(text string, at int) int {
	for range 2 {
		if at == len(text) || text[at] != '.' {
			return 0
		}
		next := base64Run(text, at+1)
		if next == at+1 {
			return 0
		}
		at = next
	}
	return at
}

func base64Run(text string, from int) int {
	for from < len(text) && base64u[text[from]] {
		from++
	}
	return from
}

func namesAlgorithm(part string) bool {
	head, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return false
	}
	var h struct {
		Alg string `json:"alg"`
	}
	return json.Unmarshal(head, &h) == nil && h.Alg != ""
}
