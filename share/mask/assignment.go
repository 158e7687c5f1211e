package mask

import "strings"

const (
	maxGap        = 32  // blanks that align a value, between it and its name
	maxName       = 48  // including dots and dashes
	maxNetrc      = 256 // bytes of "machine host login name" before a password
	maxQuoteDepth = 15  // backslashes before a quote: JSON in JSON in JSON in JSON
)

// awsSecretLength is the length of a secret access key in characters (IAM user
// guide, "Manage access keys for IAM users").
const awsSecretLength = 40

// named examines the value after a word that may be a name and returns where
// scanning continues.
func (s *scanner) named(start, end int) int {
	from := max(s.lastSecretEnd(), start-maxName)
	n := nameOf(s.text[from:end], start-from)
	switch n.class {
	case noName:
		return end
	case scheme:
		return s.credentials(end, n)
	default:
		return s.valued(n, start, end)
	}
}

// valued is named for names that a sign separates from their value.
func (s *scanner) valued(n name, start, end int) int {
	v := value{name: n}
	at := s.sign(&v, start, end)
	switch {
	case at == 0:
		return end
	case n.class == cookie:
		return s.cookies(start, at)
	case n.class == header:
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
	if v.keyQuote != "" && !v.quoted {
		return s.number(v, end)
	}
	if !v.plausible() || marked(s.text[v.to:]) {
		return end
	}
	kind := v.kind
	if kind == AWSSecretKey && len(v.text) != awsSecretLength {
		kind = Secret
	}
	return s.mask(v.from, v.to, s.kindAt(v.from, v.to, kind))
}

// kindAt returns the kind of a secret in a published format, or otherwise.
func (s *scanner) kindAt(from, to int, otherwise Kind) Kind {
	if _, end, kind := formatted(s.text, from); end == to {
		return kind
	}
	return otherwise
}

// number masks a password that is a JSON number and makes it a string. Any
// other unquoted value of a quoted name is a literal or code.
func (s *scanner) number(v value, end int) int {
	if v.kind != Password || len(v.text) < len(shortMark)+2*len(v.keyQuote) || !digit.all(v.text) {
		return end
	}
	s.spans = append(s.spans, span{from: v.from, to: v.to, kind: v.kind, quote: v.keyQuote})
	return v.to
}

// sign reads the text between a name and its value and returns the start of the
// value, or 0 if there is none. That text is a closing quote, a bracket,
// blanks, and = or a colon.
func (s *scanner) sign(v *value, start, end int) int {
	from := s.nameStart(start)
	if from > s.lastSecretEnd() {
		v.lead = s.text[from-1]
	}
	if v.lead == '<' && strings.HasPrefix(s.text[end:], ">") {
		return end + 1
	}
	at := s.skipControls(end)
	v.keyQuote = quoteAt(s.text, at)
	at += len(v.keyQuote)
	bracket := bracketLength(s.text[at:])
	behind := s.skipControls(at + bracket)
	at = s.blanks(behind)
	length := signLength(s.text[at:])
	if length == 0 {
		if at := s.paired(v, behind); at > 0 {
			return at
		}
		return s.unsigned(v, from, behind, at)
	}
	colon := s.text[at] == ':'
	if colon && (bracket > 0 || v.lead == ':') {
		return 0 // [type=password]:focus, arn:…:secret:name
	}
	first := s.skipControls(at + length)
	last := s.blanks(first)
	v.spaced = colon || at > behind || last > first
	v.field = s.startsLine(from) && (colon || !strings.Contains(s.text[from:start], "."))
	return s.skipControls(last)
}

// unsigned is sign for values without a sign: --password hunter2, PASSWORD
// 'hunter2', and the password of a .netrc file.
func (s *scanner) unsigned(v *value, from, behind, at int) int {
	flag := strings.HasPrefix(s.text[from:], "--")
	literal := v.class == password && strings.HasPrefix(s.text[at:], "'")
	before := strings.Fields(s.text[max(s.lastSecretEnd(), from-maxNetrc):from])
	v.field = v.class == password && len(before) > 3 && before[len(before)-4] == "machine" && before[len(before)-2] == "login"
	if at == behind || v.keyQuote != "" || !flag && !literal && !v.field {
		return 0
	}
	v.spaced = true
	return at
}

// paired is sign for a name and a value that are both values, as in a
// container's environment: {"name": "DB_PASSWORD", "value": "hunter2"}.
func (s *scanner) paired(v *value, from int) int {
	at, lines := from, 0
	for at < len(s.text) && at-from < 2*maxGap && strings.IndexByte(" \t\r\n,", s.text[at]) >= 0 {
		if s.text[at] == '\n' {
			lines++
		}
		at++
	}
	if at == from || v.keyQuote == "" && lines == 0 {
		return 0
	}
	quote := quoteAt(s.text, at)
	rest := s.text[at+len(quote):]
	word := rest[:min(len(rest), len("value"))]
	if !strings.EqualFold(word, "value") || !strings.HasPrefix(rest[len(word):], quote) {
		return 0
	}
	at = s.blanks(at + len(quote) + len(word) + len(quote))
	if at == len(s.text) || s.text[at] != ':' && s.text[at] != '=' {
		return 0
	}
	v.keyQuote, v.spaced, v.field = quote, true, quote == ""
	return s.blanks(at + 1)
}

// bracketLength returns the length of the bracket that s starts with, as in
// user[password]=x, which forms send as user%5Bpassword%5D=x.
func bracketLength(s string) int {
	for _, bracket := range [...]string{"]", "%5D", "%5d"} {
		if strings.HasPrefix(s, bracket) {
			return len(bracket)
		}
	}
	return 0
}

// signLength returns the length of the sign that s starts with.
func signLength(s string) int {
	for _, other := range [...]string{"==", "=~", "::", "://"} {
		if strings.HasPrefix(s, other) {
			return 0
		}
	}
	switch {
	case strings.HasPrefix(s, "=>"), strings.HasPrefix(s, ":="):
		return 2
	case strings.HasPrefix(s, "="), strings.HasPrefix(s, ":"):
		return 1
	default:
		return 0
	}
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
	i := strings.LastIndexByte(s.text[window:from], '\n')
	if i < 0 && window > 0 {
		return false
	}
	switch strings.TrimLeft(s.text[window+i+1:from], " \t") {
	case "", "- ", "export ":
		return true
	default:
		return false
	}
}

// endsLine reports whether nothing but a comment follows at on its line.
func (s *scanner) endsLine(at int) bool {
	at = s.blanks(at)
	return at == len(s.text) || strings.IndexByte("\r\n#", s.text[at]) >= 0
}

// skipControls skips terminal control sequences and returns the offset after them.
func (s *scanner) skipControls(at int) int {
	for at < len(s.text) {
		n := 0
		switch s.text[at] {
		case 0x1b:
			n = ansiLength(s.text[at:])
		case '\\':
			n = escapedANSI(s.text[at:])
		}
		if n < 2 {
			return at
		}
		at += n
	}
	return at
}

// blanks skips at most maxGap blanks and returns the offset after them.
func (s *scanner) blanks(at int) int {
	end := min(len(s.text), at+maxGap)
	for at < end && (s.text[at] == ' ' || s.text[at] == '\t') {
		at++
	}
	return at
}

// quoteAt returns the quote at an offset, including its backslashes: 0, 1, 3, 7
// or 15 by how deeply the string is nested. It returns "" if there is none.
func quoteAt(text string, at int) string {
	to := at
	for to < len(text) && to-at < maxQuoteDepth && text[to] == '\\' {
		to++
	}
	depth := to - at
	if to == len(text) || strings.IndexByte("\"'`", text[to]) < 0 || depth&(depth+1) != 0 {
		return ""
	}
	return text[at : to+1]
}

// read finds the value that starts at an offset.
func (s *scanner) read(v *value, at int) {
	if v.lead == '<' && s.text[at-1] == '>' {
		s.readElement(v, at)
		return
	}
	if strings.HasPrefix(s.text[at:], "[") && quoteAt(s.text, at+1) != "" {
		at++ // a list of one string
	}
	if at+1 < len(s.text) && strings.IndexByte("bBrRuUL@", s.text[at]) >= 0 && quoteAt(s.text, at+1) != "" {
		at++ // b'hunter2'
	}
	quote := quoteAt(s.text, at)
	if quote == "" {
		v.from, v.to = at, s.bareEnd(at)
		v.field = v.field && s.endsLine(v.to)
		return
	}
	v.quoted = true
	v.from = at + len(quote)
	v.to = s.quotedEnd(v.from, quote)
	if v.keyQuote != quote && v.from < v.to && s.endedString(*v) {
		v.to = v.from
	}
}

// endedString reports whether the quote before the value ended a string instead
// of starting one: "password=" + text, or {"help": "a password:", "n": 1}.
func (s *scanner) endedString(v value) bool {
	t := strings.TrimLeft(s.text[v.from:v.to], " \t")
	return t == "" || strings.IndexByte(",:]})", t[0]) >= 0 || !v.spaced && strings.IndexByte("+.;&|", t[0]) >= 0
}

// readElement finds the content of an XML element.
func (s *scanner) readElement(v *value, at int) {
	v.quoted, v.from, v.to = true, at, at
	n := strings.IndexAny(s.text[at:min(len(s.text), at+maxElement)], "<\"\r\n")
	if n > 0 && strings.HasPrefix(s.text[at+n:], "</") {
		v.to = at + n
	}
}

const maxElement = 1024

// quotedEnd returns the end of the string that starts at from, after its quote:
// its closing quote or, if it is cut off, the quote that ends an enclosing
// string, or the end of the line.
func (s *scanner) quotedEnd(from int, quote string) int {
	depth, sign := len(quote)-1, quote[len(quote)-1]
	slashes := 0
	for i := from; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '\\':
			slashes++
			continue
		case c == '\n', c == '\r', c == '"' && sign != '"':
			return i - slashes
		case c == sign && endsAround(slashes, depth):
			return i - slashes
		case c == sign && endsAround(slashes, 2*depth+1):
			return i - depth
		}
		slashes = 0
	}
	return len(s.text) - slashes
}

// endsAround reports whether a quote after the given number of backslashes ends
// a string around the one whose quotes have depth backslashes. From the outside
// in, a quote ends a string if the number is even; if it is odd, half of the
// remaining backslashes belong to the string inside.
func endsAround(slashes, depth int) bool {
	for ; depth > 0; depth /= 2 {
		if slashes%2 == 0 {
			return true
		}
		slashes /= 2
	}
	return false
}

// bareEnd returns the end of the unquoted value at from. All offsets in a run
// of such bytes share one end, which the scanner caches.
func (s *scanner) bareEnd(from int) int {
	if s.bareFrom <= from && from < s.bareTo {
		return s.bareTo
	}
	to := from
	for to < len(s.text) && !endsBare[s.text[to]] {
		if s.text[to] != '\\' {
			to++
			continue
		}
		behind := to + 1
		for behind < len(s.text) && s.text[behind] == '\\' {
			behind++
		}
		if behind == len(s.text) || strings.IndexByte("nrtbfux0e\"'`", s.text[behind]) >= 0 {
			break // an escape sequence
		}
		to = behind
	}
	s.bareFrom, s.bareTo = from, to
	return to
}

var endsBare = endsOf("\"'`,;&()[]{}<> ")
