package mask

import "strings"

// Private keys in PEM (RFC 7468, the older RFC 1421, and the OpenPGP armor of
// RFC 9580, section 6.2) appear as a block of lines, with a prefix or other
// text around each line as in logs and source code, or in one string with
// escaped line ends. The markers stay; each line of the body gets a mark.

const (
	pemBegin = "BEGIN "
	pemStop  = "-----END "
	pemDash  = "-----"
	// maxPEMLines bounds a key; one of 16,384-bit RSA has 200.
	maxPEMLines = 500
	// A run of bodyRun base64 characters is part of a body. If the end marker
	// is missing, a body line has a run of at least wholeLine.
	bodyRun   = 16
	wholeLine = 40
)

// pem masks the private key whose word BEGIN starts at start and returns where
// scanning continues, or 0 if there is no key.
func (s *scanner) pem(start, end int) int {
	if s.text[start:end] != "BEGIN" || !strings.HasSuffix(s.text[s.lastSecretEnd():start], pemDash) {
		return 0
	}
	from := pemLabel(s.text, start+len(pemBegin))
	if from == 0 {
		return 0
	}
	to := s.pemBodyEnd(from)
	s.pemBody(from, to)
	return to
}

// pemLabel returns the end of the private key label at from, including its
// dashes, or 0 if there is none.
func pemLabel(text string, from int) int {
	const longest = 64
	if from > len(text) {
		return 0
	}
	label, _, ok := strings.Cut(text[from:min(len(text), from+longest)], pemDash)
	if !ok || !strings.Contains(label, "PRIVATE KEY") || strings.Trim(label, capitals+digits+" ") != "" {
		return 0
	}
	return from + len(label) + len(pemDash)
}

// pemBodyEnd returns the end of the body that starts at from: its end marker
// or, if that is missing, the end of the last line that looks like a body.
func (s *scanner) pemBodyEnd(from int) int {
	if s.pemEnd < from {
		s.findPEMEnd(from)
	}
	if s.pemNear <= from {
		return s.pemEnd
	}
	to := lineEnd(s.text, from)
	for to < len(s.text) {
		next := lineEnd(s.text, to+1)
		if !isBody(s.text[to+1 : next]) {
			return to
		}
		to = next
	}
	return to
}

// isBody reports whether a line looks like part of a body, masked or not.
func isBody(line string) bool {
	return !strings.Contains(line, pemDash+pemBegin) && (hasRun(line, wholeLine) || strings.Contains(line, PrivateKey.Mark()))
}

// findPEMEnd finds the next end marker and the offset maxPEMLines lines before
// it.
func (s *scanner) findPEMEnd(from int) {
	s.pemEnd, s.pemNear = len(s.text), len(s.text)+1
	i := strings.Index(s.text[from:], pemStop)
	if i < 0 {
		return
	}
	s.pemEnd, s.pemNear = from+i, from+i
	for range maxPEMLines {
		i := strings.LastIndexByte(s.text[from:s.pemNear], '\n')
		if i < 0 {
			s.pemNear = from
			return
		}
		s.pemNear = from + i
	}
}

func lineEnd(text string, from int) int {
	if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i
	}
	return len(text)
}

func hasRun(line string, least int) bool {
	for at := 0; at < len(line); {
		from, to := nextRun(line, at)
		if to-from >= least {
			return true
		}
		at = to
	}
	return false
}

// pemBody masks the body of a key.
func (s *scanner) pemBody(from, to int) {
	first := len(s.spans)
	lines := to // text before the end marker on its line is not body
	if i := strings.LastIndexByte(s.text[from:to], '\n'); i >= 0 {
		lines = from + i
	}
	shortFrom, shortTo := 0, 0
	for at := from; at < to; {
		a, b := nextRun(s.text[:to], at)
		at = b
		switch {
		case literal(s.text[a:b]):
		case b-a >= bodyRun:
			s.pemRun(a, b, first)
			shortTo = 0
		case b-a >= len(shortMark) && b <= lines:
			shortFrom, shortTo = a, b
		}
	}
	if shortTo > 0 && len(s.spans) > first {
		s.pemRun(shortFrom, shortTo, first) // the last line of a body may be short
	}
}

// literal reports whether s may be a JSON literal other than a string.
func literal(s string) bool {
	return s == "true" || s == "false" || s == "null" || number.all(s)
}

// pemRun records a run of a body. It joins runs that are separated only by
// escaped line ends and blanks.
func (s *scanner) pemRun(from, to, first int) {
	if n := len(s.spans); n > first {
		last := &s.spans[n-1]
		if between := s.text[last.to:from]; strings.Trim(between, `\nr `) == "" {
			last.to = to
			return
		}
	}
	s.spans = append(s.spans, span{from: from, to: to, kind: PrivateKey, more: len(s.spans) > first})
}

// nextRun returns the next run of base64, in which / may be written \/. It
// skips escape sequences.
func nextRun(text string, at int) (from, to int) {
	for at < len(text) && !base64s[text[at]] {
		if text[at] == '\\' {
			at++
			if strings.HasPrefix(text[at:], "u") {
				at += 4
			}
		}
		at++
	}
	at = min(at, len(text))
	to = at
	for to < len(text) {
		switch {
		case base64s[text[to]]:
			to++
		case strings.HasPrefix(text[to:], `\/`):
			to += 2
		default:
			return at, to
		}
	}
	return at, to
}

var (
	base64s = setOf(letters + digits + "+/=")
	number  = setOf(digits + "+eE")
)
