package mask

import (
	"regexp"
	"strings"
)

// Private keys in PEM (RFC 7468, the older RFC 1421, and the OpenPGP armor of
// RFC 9580, section 6.2) appear as a block of lines, with a prefix or other
// text around each line as in logs and source code, or in one string with
// escaped line ends. The markers stay; each long run of base64 between them gets a mark.

var (
	pemLabel = regexp.MustCompile(`^BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----`)
	pemStop  = regexp.MustCompile(`-----(?:BEGIN|(END)) `)
	// pemLines are the lines of a key that is cut off: each has a long run, or
	// the mark of one.
	pemLines = regexp.MustCompile(`^[^\n]*\n?(?:[^\n]*(?:[A-Za-z0-9+/=]{40}|\[masked: private-key\]|\*{3})[^\n]*\n?)*`)
	// pemRun is a run of base64, which may be padded, or an escape sequence. In
	// JSON, / may be written \/.
	pemRun = regexp.MustCompile(`((?:[A-Za-z0-9+/=]|\\/)+)|\\(?:u[0-9a-fA-F]{4}|.)`)
)

// maxPEMLines bounds a key; one of 16,384-bit RSA has 200. maxCutPEM bounds one
// without an end, in bytes.
const maxPEMLines, maxCutPEM = 500, 64 << 10

// pem masks the private key whose word BEGIN starts at start and returns where
// scanning continues, or 0 if there is no key.
func (s *scanner) pem(start, end int) int {
	if s.text[start:end] != "BEGIN" || !strings.HasSuffix(s.text[s.lastSecretEnd():start], "-----") {
		return 0
	}
	at := start + len(pemLabel.FindString(s.text[start:min(len(s.text), start+64)]))
	if at == start {
		return 0
	}
	first, shortest := len(s.spans), 16
	body := s.text[at:]
	stop := pemStop.FindStringSubmatchIndex(body)
	if stop != nil {
		body = body[:stop[0]]
	}
	if stop == nil || stop[2] < 0 || strings.Count(body, "\n") > maxPEMLines {
		body, shortest = pemLines.FindString(body[:min(len(body), maxCutPEM)]), 40
	}
	for _, m := range pemRun.FindAllStringSubmatchIndex(body, -1) {
		if m[2] < 0 {
			continue
		}
		run := body[m[2]:m[3]]
		if len(run) >= shortest && !number.all(run) || len(run) >= 6 && strings.HasSuffix(run, "=") {
			s.spans = append(s.spans, span{from: at + m[2], to: at + m[3], kind: "private-key", more: len(s.spans) > first})
		}
	}
	return at + len(body)
}

var number = setOf(digits + "+eE") // of JSON, which is no body
