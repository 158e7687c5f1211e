package mask

import (
	"strings"
	"unicode/utf8"
)

// A scanner passes over a text once, word by word. Beyond a word, a rule reads
// only what it consumes, a constant number of bytes, or what the scanner
// caches. That keeps the time linear.
type scanner struct {
	text    string
	options Options
	spans   []span

	program          *program // whose arguments are scanned
	bareFrom, bareTo int      // the last value that bareEnd measured
}

// Classes of bytes.
const (
	plainByte   = iota
	wordByte    // letters, digits, _
	escapeByte  // ESC, which starts a terminal control sequence
	slashByte   // \, which starts an escape sequence in a string
	percent     // %, which starts a percent-encoded byte
	colonByte   // :, which may start ://
	markByte    // [, which may start a mark
	atByte      // @, in an email address
	commandByte // what ends the arguments of a program
)

var byteClass = func() (t [256]byte) {
	for _, c := range []byte(wordBytes) {
		t[c] = wordByte
	}
	t[0x1b], t['\\'], t['%'], t[':'], t['['], t['@'] = escapeByte, slashByte, percent, colonByte, markByte, atByte
	t['\n'], t[';'], t['|'], t['&'] = commandByte, commandByte, commandByte, commandByte
	return t
}()

func (s *scanner) scan() {
	for i := 0; i < len(s.text); {
		switch byteClass[s.text[i]] {
		case wordByte:
			i = s.word(i)
		case escapeByte:
			i += max(1, ansiLength(s.text[i:]))
		case slashByte:
			i += escapeLength(s.text[i:])
		case percent:
			i += percentLength(s.text[i:])
		case colonByte:
			i = s.colon(i)
		case markByte:
			i += max(1, markLength(s.text[i:]))
		case atByte:
			i = max(i+1, s.email(i))
		case commandByte:
			s.program = nil
			i++
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

// maskAs is mask for a value, whose form may say more than its place.
func (s *scanner) maskAs(from, to int, kind Kind) int {
	if _, end, form := formatted(s.text, from, wordEnd(s.text, from), false); end == to {
		kind = form
	}
	return s.mask(from, to, kind)
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
	end := wordEnd(s.text, start)
	joined := start > s.lastSecretEnd() && s.text[start-1] == '-'
	if from, to, kind := formatted(s.text, start, end, joined); to > 0 {
		return s.mask(from, to, kind)
	}
	for _, rule := range [...]func(*scanner, int, int) int{(*scanner).pem, (*scanner).flag, (*scanner).address, (*scanner).user} {
		if to := rule(s, start, end); to > 0 {
			return to
		}
	}
	if !endsName[s.text[end-1]] {
		return end
	}
	return max(end, s.named(start, end))
}

func wordEnd(text string, start int) int {
	end := start
	for end < len(text) && byteClass[text[end]] == wordByte {
		end++
	}
	return end
}

// ansiLength returns the length of the control sequence (ECMA-48, section 5.4)
// that s starts with, or 0; in JSON, its ESC is an escape sequence. It accepts
// the parameter bytes that are in use; a quote, also legal, more likely ends a
// string.
func ansiLength(s string) int {
	const longest = 32
	for _, esc := range [...]string{"\x1b[", `\u001b[`, `\u001B[`} {
		if !strings.HasPrefix(s, esc) {
			continue
		}
		for i := len(esc); i < min(len(s), longest); i++ {
			if letter[s[i]] {
				return i + 1
			}
			if strings.IndexByte(digits+";:?", s[i]) < 0 {
				return len(esc)
			}
		}
	}
	return 0
}

// escapeLength returns the length of the string escape sequence (RFC 8259,
// section 7) that s starts with. Any other backslash counts alone.
func escapeLength(s string) int {
	switch {
	case len(s) >= 6 && s[1] == 'u' && anyHex.all(s[2:6]):
		return max(6, ansiLength(s))
	case len(s) >= 2 && strings.IndexByte(`"'\/bfnrt`, s[1]) >= 0:
		return 2
	default:
		return 1
	}
}

// percentLength returns the length of the percent-encoded byte (RFC 3986,
// section 2.1) that s starts with, at least 1.
func percentLength(s string) int {
	if len(s) >= 3 && anyHex.all(s[1:3]) {
		return 3
	}
	return 1
}

// fitsShortMark reports whether a short mark fits in place of a secret.
func fitsShortMark(secret string) bool { return utf8.RuneCountInString(secret) >= len(shortMark) }
