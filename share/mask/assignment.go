package mask

import (
	"regexp"
	"strings"
)

const (
	maxGap    = 32 // blanks before a value
	maxName   = 48 // including dots and dashes
	maxBefore = 256
)

// awsSecretLength is the length of a secret access key in characters (IAM user
// guide, "Manage access keys for IAM users").
const awsSecretLength = 40

// named examines the value after a word that may be a name and returns where
// scanning continues.
func (s *scanner) named(start, end int) int {
	from := max(s.lastSecretEnd(), start-maxName)
	v := value{name: nameOf(s.text[from:end], start-from)}
	if v.class == noName {
		return end
	}
	if v.class == scheme {
		return s.credentials(end, v.name)
	}
	at := s.valueStart(&v, start, end)
	switch {
	case at == 0:
		return end
	case v.class == cookie:
		return s.cookies(start, at)
	case v.class == header:
		s.readHeader(&v, at)
	default:
		s.read(&v, at)
	}
	return s.maskPlausible(v, end)
}

// maskPlausible masks a plausible value and returns where scanning continues.
func (s *scanner) maskPlausible(v value, end int) int {
	v.text = s.text[v.from:v.to]
	if v.to < len(s.text) {
		v.next = s.text[v.to]
	}
	if v.keyQuote != "" && !v.quoted { // JSON: a number, which becomes a string, or a literal
		if v.kind == "password" && len(v.text) >= len(shortMark)+2*len(v.keyQuote) && digit.all(v.text) {
			s.spans = append(s.spans, span{from: v.from, to: v.to, kind: v.kind, quote: v.keyQuote})
			return v.to
		}
		return end
	}
	if !v.plausible() || marked(s.text[v.to:]) {
		return end
	}
	if v.kind == "aws-secret-key" && len(v.text) != awsSecretLength {
		v.kind = "secret"
	}
	return s.maskAs(v.from, v.to, v.kind)
}

const (
	controls = `(?:(?:\x1b|\\u001[bB])\[[0-9;:?]*[a-zA-Z])*`
	blanks   = `[ \t]{0,32}` // that align a value
)

var (
	// keyEnd is what may follow a name: a quote or a bracket, as in
	// user[password]=x, which forms send as user%5Bpassword%5D=x.
	keyEnd = regexp.MustCompile(`^` + controls + "(\\\\?[\"'`])?" + `(\]|%5[Dd])?` + controls)
	sign   = regexp.MustCompile(`^(` + blanks + `)(=>|:=|=|:)` + controls + `(` + blanks + `)` + controls)
	// pair is what stands between a name and a value that are both values, as in
	// a container's environment: {"name": "DB_PASSWORD", "value": "hunter2"}.
	pair = regexp.MustCompile("^[ \t\r\n,]{1,64}(\\\\?[\"'`])?(?i:value)(\\\\?[\"'`])?" + blanks + `[:=]` + blanks)
	// call is what stands around a name if it and its value are arguments:
	// define('DB_PASSWORD', 'hunter2'), os.Setenv("PGPASSWORD", "hunter2").
	call     = regexp.MustCompile(`(?i)(?:define|setenv|setproperty)\( ?\\?["']$`)
	argument = regexp.MustCompile(`^,` + blanks + `\\?["']`)
	// lineStart is what may precede a name in a configuration file, and netrc
	// what precedes a password in a .netrc file.
	lineStart = regexp.MustCompile(`(?:^|\n)[ \t]*(?:- |export )?$`)
	netrc     = regexp.MustCompile(`machine\s+\S+\s+login\s+\S+\s+$`)
)

// valueStart reads the text between a name and its value and returns the start
// of the value, or 0 if there is none.
func (s *scanner) valueStart(v *value, start, end int) int {
	from := s.nameStart(start)
	if from > s.lastSecretEnd() {
		v.lead = s.text[from-1]
	}
	v.query = v.lead == '?' || v.lead == '&' || strings.HasPrefix(s.text[from:], "u0026")
	if v.lead == '<' && strings.HasPrefix(s.text[end:], ">") {
		return end + 1
	}
	key := keyEnd.FindStringSubmatch(s.text[end:])
	behind := end + len(key[0])
	v.keyQuote = key[1]
	m := sign.FindStringSubmatch(s.text[behind:])
	if m == nil {
		return s.unsigned(v, from, behind)
	}
	at := behind + len(m[0])
	colon := m[2] == ":"
	switch rest := s.text[behind+len(m[1])+len(m[2]):]; {
	case m[2] == "=" && rest != "" && (rest[0] == '=' || rest[0] == '~'), colon && (strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "//")):
		return 0 // no assignment
	case colon && (key[2] != "" || v.lead == ':'):
		return 0 // [type=password]:focus, arn:…:secret:name
	}
	v.spaced = m[1] != "" || m[3] != ""
	v.field = s.startsLine(from) && (colon || !strings.Contains(s.text[from:start], "."))
	return at
}

// unsigned is valueStart for values without a sign: --password hunter2, PASSWORD
// 'hunter2', the password of a .netrc file, and names and values that are both
// arguments or both values.
func (s *scanner) unsigned(v *value, from, behind int) int {
	before := s.text[max(s.lastSecretEnd(), from-maxBefore):from]
	if m := argument.FindString(s.text[behind:]); v.keyQuote != "" && m != "" && strings.HasSuffix(m, v.keyQuote) && call.MatchString(before) {
		if v.class == password {
			v.class = passphrase
		}
		return behind + len(m) - len(v.keyQuote)
	}
	if m := pair.FindStringSubmatch(s.text[behind:]); m != nil && m[1] == m[2] && (v.keyQuote != "" || strings.Contains(m[0], "\n")) {
		v.keyQuote, v.spaced, v.field = m[1], true, m[1] == ""
		return behind + len(m[0])
	}
	at := s.blanks(behind)
	literal := v.class == password && strings.HasPrefix(s.text[at:], "'")
	v.field = v.class == password && netrc.MatchString(before)
	v.spaced = true
	if at == behind || v.keyQuote != "" || !literal && !v.field && !strings.HasPrefix(s.text[from:], "--") {
		return 0
	}
	return at
}

// nameStart returns the start of the name whose last word is at start.
func (s *scanner) nameStart(start int) int {
	from, floor := start, s.lastSecretEnd()
	for from > floor && start-from < maxName && nameByte[s.text[from-1]] {
		from--
	}
	return from
}

var nameByte = setOf(wordBytes + "-.")

// startsLine reports whether only indentation and the prefixes of configuration
// files precede from on its line.
func (s *scanner) startsLine(from int) bool {
	window := max(0, from-maxName)
	before := s.text[window:from]
	return lineStart.MatchString(before) && (window == 0 || strings.Contains(before, "\n"))
}

// blanks skips at most maxGap blanks and returns the offset after them.
func (s *scanner) blanks(at int) int {
	end := min(len(s.text), at+maxGap)
	for at < end && (s.text[at] == ' ' || s.text[at] == '\t') {
		at++
	}
	return at
}
