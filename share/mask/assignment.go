package mask

import (
	"regexp"
	"slices"
	"strings"
)

const (
	maxGap    = 32 // blanks before a value
	maxName   = 48 // including dots and dashes
	maxBefore = 256
)

// named examines the value after a word that may be a name and returns where
// scanning continues.
func (s *scanner) named(start, end int) int {
	from := max(s.lastSecretEnd(), start-maxName)
	v := value{name: nameOf(s.text[from:end], start-from)}
	if v.class == "" {
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
	return s.maskAs(v.from, v.to, v.kind)
}

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
	at := controlsEnd(s.text, end)
	v.keyQuote = quoteAt(s.text, at)
	at += len(v.keyQuote)
	bracket := prefixOf(s.text[at:], "]", "%5D", "%5d") // user[password]=x, which forms send as user%5Bpassword%5D=x
	behind := controlsEnd(s.text, at+len(bracket))
	at = s.blanks(behind)
	sign := prefixOf(s.text[at:], "==", "=~", "::", "://", "=>", ":=", "=", ":")
	switch sign {
	case "":
		return s.unsigned(v, from, behind)
	case "==", "=~", "::", "://":
		return 0 // no assignment
	case ":":
		if bracket != "" || v.lead == ':' {
			return 0 // [type=password]:focus, arn:…:secret:name
		}
	}
	v.field = s.startsLine(from) && (sign == ":" || !strings.Contains(s.text[from:start], "."))
	gap := controlsEnd(s.text, at+len(sign))
	to := s.blanks(gap)
	v.spaced = at > behind || to > gap
	return controlsEnd(s.text, to)
}

// pair is what stands between a name and a value that are both values, as in a
// container's environment: {"name": "DB_PASSWORD", "value": "hunter2"}.
var pair = regexp.MustCompile("^[ \t\r\n,]{1,64}(\\\\?[\"'`])?(?i:value)(\\\\?[\"'`])?[ \t]{0,32}[:=][ \t]{0,32}")

// calls are what stands before a name if it and its value are arguments:
// define('DB_PASSWORD', 'hunter2'), os.Setenv("PGPASSWORD", "hunter2").
var calls = []string{"define(", "setenv(", "setproperty("}

// unsigned is valueStart for values without a sign: --password hunter2, PASSWORD
// 'hunter2', the password of a .netrc file, and names and values that are both
// arguments or both values.
func (s *scanner) unsigned(v *value, from, behind int) int {
	before, rest := s.text[max(s.lastSecretEnd(), from-maxBefore):from], s.text[behind:min(len(s.text), behind+maxBefore)]
	if at := s.blanks(behind + 1); v.keyQuote != "" && strings.HasPrefix(rest, ",") && quoteAt(s.text, at) == v.keyQuote {
		if endsWithAny(strings.TrimSuffix(strings.TrimSuffix(before, v.keyQuote), " "), calls) {
			if v.class == password {
				v.class = passphrase
			}
			return at
		}
	}
	if next := strings.TrimLeft(rest, " \t\r\n,\\\"'`"); next != rest && endsWith(next[:min(len(next), len("value"))], "value") {
		if m := pair.FindStringSubmatch(rest); m != nil && m[1] == m[2] && (v.keyQuote != "" || strings.Contains(m[0], "\n")) {
			v.keyQuote, v.spaced, v.field = m[1], true, m[1] == ""
			return behind + len(m[0])
		}
	}
	at := s.blanks(behind)
	literal := v.class == password && strings.HasPrefix(s.text[at:], "'")
	v.netrc = v.class == password && isNetrc(before)
	v.spaced, v.field = true, v.netrc
	if at == behind || v.keyQuote != "" || !literal && !v.field && !strings.HasPrefix(s.text[from:], "--") {
		return 0
	}
	return at
}

// isNetrc reports whether a password follows in a .netrc file: machine
// kiln.example login ada password hunter2.
func isNetrc(before string) bool {
	if !strings.Contains(before, "machine") {
		return false
	}
	words := strings.Fields(before)
	n := len(words)
	return n > 3 && words[n-2] == "login" && strings.HasSuffix(words[n-4], "machine")
}

// nameStart returns the start of the name whose last word is at start.
func (s *scanner) nameStart(start int) int {
	from, floor := start, s.lastSecretEnd()
	for from > floor && start-from < maxName && nameByte[s.text[from-1]] {
		from--
	}
	return from
}

// linePrefixes may precede a name in a configuration file.
var linePrefixes = []string{"", "- ", "export "}

var nameByte = setOf(wordBytes + "-.")

// startsLine reports whether only indentation and the prefixes of configuration
// files precede from on its line.
func (s *scanner) startsLine(from int) bool {
	window := max(0, from-maxName)
	before := s.text[window:from]
	line := strings.LastIndexByte(before, '\n') + 1
	return (window == 0 || line > 0) && slices.Contains(linePrefixes, strings.TrimLeft(before[line:], " \t"))
}

// blanks skips at most maxGap blanks and returns the offset after them.
func (s *scanner) blanks(at int) int { return blank.run(s.text, at, maxGap) }
