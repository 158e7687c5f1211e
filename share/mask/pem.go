package mask

import (
	"regexp"
	"strings"
)

// Private keys in PEM (RFC 7468, the older RFC 1421, and the OpenPGP armor of
// RFC 9580, section 6.2) appear as a block of lines, with a prefix or other
// text around each line as in logs and source code, or in one string with
// escaped line ends. The markers stay; each long run of base64 between them gets a mark.

const (
	pemBegin = "BEGIN "
	pemEnd   = "END "
	pemDash  = "-----"
	// maxPEMLines bounds a key; one of 16,384-bit RSA has 200.
	maxPEMLines = 500
	// A run of bodyRun base64 characters is part of a body, or one with padding.
	// If the end marker is missing, only lines with a run of wholeLine are.
	bodyRun   = 16
	minPadded = 6
	wholeLine = 40
)

var pemLabel = regexp.MustCompile(`^BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----`)

// pem masks the private key whose word BEGIN starts at start and returns where
// scanning continues, or 0 if there is no key.
func (s *scanner) pem(start, end int) int {
	if s.text[start:end] != "BEGIN" || !strings.HasSuffix(s.text[s.lastSecretEnd():start], pemDash) {
		return 0
	}
	at := start + len(pemLabel.FindString(s.text[start:min(len(s.text), start+64)]))
	if at == start {
		return 0
	}
	first := len(s.spans)
	to, shortest := pemMarker(s.text, at), bodyRun
	if to == 0 {
		to, shortest = len(s.text), wholeLine
	}
	for line := at; line < to; {
		before, next := len(s.spans), min(to, lineEnd(s.text, line)+1)
		s.pemLine(line, next, shortest, first)
		if shortest == wholeLine && len(s.spans) == before && line > at {
			break
		}
		line, at = next, next
	}
	return at
}

// pemMarker returns the offset of the end marker after from, or 0 if another
// block begins before it, or if it is too far away.
func pemMarker(text string, from int) int {
	for at := from; ; at++ {
		i := strings.Index(text[at:], pemDash)
		if i < 0 {
			return 0
		}
		at += i
		switch rest := text[at+len(pemDash):]; {
		case strings.HasPrefix(rest, pemEnd) && strings.Count(text[from:at], "\n") <= maxPEMLines:
			return at
		case strings.HasPrefix(rest, pemBegin), strings.HasPrefix(rest, pemEnd):
			return 0
		}
	}
}

func lineEnd(text string, from int) int {
	if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i
	}
	return len(text)
}

// pemLine masks the runs of base64 in text[from:to]. In JSON, / may be written
// \/. An escape sequence is no part of a run, nor is a number of JSON a body.
func (s *scanner) pemLine(from, to, shortest, first int) {
	run := from
	end := func(at int) {
		body := s.text[run:at]
		if len(body) >= shortest && !number.all(body) || len(body) >= minPadded && strings.HasSuffix(body, "=") {
			s.spans = append(s.spans, span{from: run, to: at, kind: "private-key", more: len(s.spans) > first})
		}
	}
	for at := from; at < to; {
		n := 1
		switch {
		case s.text[at] == '\\' && !strings.HasPrefix(s.text[at:], `\/`):
			n = min(to-at, max(2, escapeLength(s.text[at:])))
			fallthrough
		case !base64s[s.text[at]] && s.text[at] != '\\':
			end(at)
			run = at + n
		case s.text[at] == '\\':
			n = 2
		}
		at += n
	}
	end(to)
}

var (
	base64s = setOf(letters + digits + "+/=")
	number  = setOf(digits + "+eE")
)
