package mask

import "strings"

// A scanner goes over a text once, from word to word. A rule looks ahead of a
// word only as far as it consumes, or as far as a constant, or where what it saw
// is remembered: that keeps the time linear.
type scanner struct {
	text  string
	spans []span

	bareFrom, bareTo int // the bare value that was measured last
	pemEnd, pemNear  int // the end marker of PEM that was found last, and where what it can end starts
}

// What a byte means to the scanner.
const (
	plainByte  = iota
	wordByte   // letters, digits, _
	escapeByte // ESC, which starts a sequence of a terminal
	slashByte  // \, which starts an escape sequence in strings
	percent    // %, which starts one in URLs
	colonByte  // :, which can be that of ://
	markByte   // [, which can start a mark
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

// mask notes a secret and returns its end.
func (s *scanner) mask(from, to int, kind Kind) int {
	s.spans = append(s.spans, span{from: from, to: to, kind: kind})
	return to
}

// floor is where the last secret ended. No rule looks back beyond it, since what
// is masked is no longer there when the text is looked at again.
func (s *scanner) floor() int {
	if len(s.spans) == 0 {
		return 0
	}
	return s.spans[len(s.spans)-1].to
}

// word looks at the word that starts here and returns where to go on.
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

// controlLength is ansiLength behind the ESC. It knows the parameters that are in
// use: a quote, which could be one, rather ends a string.
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

// escapeLength returns the length of the escape sequence of a string (RFC 8259,
// section 7) at i, together with that of a terminal if it writes ESC. Other
// backslashes stand alone.
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

// escapedANSI returns the length of the control sequence that s starts with if
// its ESC is written as an escape sequence, else 0.
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
