package mask

import (
	"slices"
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

	flags            []string // of the program whose arguments are scanned
	bareFrom, bareTo int      // the last value that bareEnd measured
	refused          int      // the end of the last run that has the form of a secret, but is none
}

func (s *scanner) scan() {
	for i := 0; i < len(s.text); {
		next := i + 1
		switch c := s.text[i]; {
		case word[c]:
			next = s.word(i)
		case c == 0x1b, c == '\\', c == '%':
			next = escapeEnd(s.text, i)
		case c == ':':
			next = s.colon(i)
		case c == '[':
			next = max(next, i+markLength(s.text[i:]))
		case c == '@':
			next = max(next, s.email(i))
		case c == '\n', c == ';', c == '|', c == '&': // what ends the arguments of a program
			s.flags = nil
		}
		i = next
	}
}

// mask records a secret and returns its end.
func (s *scanner) mask(from, to int, kind Kind) int {
	if len(s.spans) == cap(s.spans) { // append would grow a long slice by a quarter only
		s.spans = slices.Grow(s.spans, len(s.spans)+1)
	}
	s.spans = append(s.spans, span{from: from, to: to, kind: kind})
	return to
}

// maskAs is mask for a value, whose form may say more than its place.
func (s *scanner) maskAs(from, to int, kind Kind) int {
	if _, end, form := s.formatted(from); end == to {
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
	if from, to, kind := s.formatted(start); to > 0 {
		return s.mask(from, to, kind)
	}
	end := word.run(s.text, start, len(s.text))
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

// escapeEnd returns the end of the escape at an offset: control sequences; an
// escape sequence of a string (RFC 8259, section 7); a percent-encoded byte (RFC
// 3986, section 2.1); or, if it is none of them, one byte.
func escapeEnd(text string, at int) int {
	switch to := controlsEnd(text, at); {
	case to > at:
		return to
	case strings.HasPrefix(text[at:], `\u`) && hexDigit.run(text, at+2, 4) == at+6:
		return at + 6
	case text[at] == '%' && hexDigit.run(text, at+1, 2) == at+3:
		return at + 3
	case text[at] == '\\' && at+1 < len(text) && strings.IndexByte(`"'\/bfnrt`, text[at+1]) >= 0:
		return at + 2
	}
	return at + 1
}

// controlsEnd returns the end of the control sequences (ECMA-48, section 5.4) at
// an offset, with the parameter bytes that are in use. Their ESC may be written
// as in JSON.
func controlsEnd(text string, at int) int {
	for at < len(text) && (text[at] == 0x1b || text[at] == '\\') {
		start := prefixOf(text[at:], "\x1b[", `\u001b[`, `\u001B[`)
		to := parameter.run(text, at+len(start), len(text))
		if start == "" || to == len(text) || !letter[text[to]] {
			break
		}
		at = to + 1
	}
	return at
}

// fitsShortMark reports whether a short mark fits in place of a secret.
func fitsShortMark(secret string) bool { return utf8.RuneCountInString(secret) >= len(shortMark) }
