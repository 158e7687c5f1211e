package mask

import "strings"

// A scanner passes over a text once, word by word. Beyond a word, a rule reads
// only what it consumes, a constant number of bytes, or what the scanner
// caches. That keeps the time linear.
type scanner struct {
	text  string
	spans []span

	bareFrom, bareTo int // the last value that bareEnd measured
	pemEnd, pemNear  int // last PEM end marker found, and the first offset near enough to it
}

// Classes of bytes.
const (
	plainByte  = iota
	wordByte   // letters, digits, _
	escapeByte // ESC, which starts a terminal control sequence
	slashByte  // \, which starts an escape sequence in a string
	percent    // %, which starts a percent-encoded byte
	colonByte  // :, which may start ://
	markByte   // [, which may start a mark
)

var byteClass = func() (t [256]byte) {
	for _, c := range []byte(wordBytes) {
		t[c] = wordByte
	}
	t[0x1b], t['\\'], t['%'], t[':'], t['['] = escapeByte, slashByte, percent, colonByte, markByte
	return t
}()

func (s *scanner) scan() {
	for i := 0; i < len(s.text); {
		switch byteClass[s.text[i]] {
		case wordByte:
			i = s.word(i)
		case escapeByte:
			i += ansiLength(s.text[i:])
		case slashByte:
			i += s.escapeLength(i)
		case percent:
			i += percentLength(s.text[i:])
		case colonByte:
			i = s.url(i)
		case markByte:
			i += max(1, markLength(s.text[i:]))
		default:
			i++
		}
	}
}

// mask records a secret and returns its end.
func (s *scanner) mask(from, to int, kind Kind) int {
	s.spans = append(s.spans, span{from: from, to: to, kind: kind})
	return to
}

// lastSecretEnd returns the end of the last secret. No rule looks back beyond it,
// because the masked bytes are gone when the output is masked again.
func (s *scanner) lastSecretEnd() int {
	if len(s.spans) == 0 {
		return 0
	}
	return s.spans[len(s.spans)-1].to
}

// word processes the word at start and returns where scanning continues.
func (s *scanner) word(start int) int {
	end := start + 1
	for end < len(s.text) && byteClass[s.text[end]] == wordByte {
		end++
	}
	if at, to, kind := formatted(s.text, start); to > 0 {
		return s.mask(at, to, kind)
	}
	if to := s.pem(start, end); to > 0 {
		return to
	}
	if !endsName[s.text[end-1]] {
		return end
	}
	return max(end, s.named(start, end))
}

// ansiLength returns the length of the control sequence (ECMA-48, section 5.4)
// that s starts with, at least 1.
func ansiLength(s string) int {
	if len(s) < 2 || s[1] != '[' {
		return 1
	}
	return 1 + controlLength(s[1:])
}

// controlLength is ansiLength for the text after the ESC. It accepts the
// parameter bytes that are in use; a quote, also legal, more likely ends a
// string.
func controlLength(s string) int {
	const longest = 32
	for i := 1; i < len(s) && i < longest; i++ {
		if strings.IndexByte(digits+";:?", s[i]) >= 0 {
			continue
		}
		if s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' {
			return i + 1
		}
		break
	}
	return 1
}

// escapeLength returns the length of the string escape sequence (RFC 8259,
// section 7) at i, including the control sequence that follows if it encodes
// ESC. Any other backslash counts alone.
func (s *scanner) escapeLength(i int) int {
	rest := s.text[i:]
	if len(rest) < 2 {
		return 1
	}
	switch rest[1] {
	case '"', '\'', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u', 'x', '0', 'e':
		if n := escapedANSI(rest); n > 0 {
			return n
		}
		if rest[1] == 'u' && len(rest) >= 6 && isHex(rest[2:6]) {
			return 6
		}
	}
	return 1
}

// escapedANSI returns the length of the control sequence that starts s with its
// ESC written as an escape sequence, or 0.
func escapedANSI(s string) int {
	for _, esc := range [...]string{`\u001b`, `\u001B`, `\x1b`, `\x1B`, `\033`, `\e`} {
		if behind, ok := strings.CutPrefix(s, esc); ok && strings.HasPrefix(behind, "[") {
			return len(esc) + controlLength(behind)
		}
	}
	return 0
}

// percentLength returns the length of the percent-encoded byte (RFC 3986,
// section 2.1) that s starts with, at least 1.
func percentLength(s string) int {
	if len(s) >= 3 && isHex(s[1:3]) {
		return 3
	}
	return 1
}

func isHex(s string) bool { return anyHex.all(s) }

var anyHex = setOf(digits + "abcdefABCDEF")
