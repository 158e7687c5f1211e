// Package terminal reads text that was written for terminals: escape sequences
// (ECMA-48 and xterm's additions) and invisible characters.
//
// [Text] and [AppendText] remove the sequences. [Style.Spans] splits a line
// into runs of text in one style; a Style carries over from line to line, so
// that a log is read as a stream. [Invisible] identifies characters that
// mislead.
//
// Why not github.com/charmbracelet/x/ansi: it is a good library of 12,000
// lines, but adds five modules to the go.mod of every importer of share/logs.
// BenchmarkAppendText shows the cost of a line here.
package terminal

import (
	"bytes"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

const escape = 0x1b

// SequenceLen returns the length of the escape sequence that text starts with:
// CSI with its parameters up to the final byte, a string such as OSC up to BEL
// or ST, a designation of a character set, or ESC and one byte. An unterminated
// one ends at the first byte that cannot belong to it. If text does not start
// with ESC, it returns 0.
func SequenceLen[T string | []byte](text T) int {
	if len(text) == 0 || text[0] != escape {
		return 0
	}
	if len(text) == 1 {
		return 1
	}
	switch c := text[1]; {
	case c == '[':
		return controlLen(text)
	case c == ']' || c == 'P' || c == '_' || c == '^' || c == 'X':
		return stringLen(text)
	case c >= '(' && c <= '+':
		return min(3, len(text))
	case c >= 0x80:
		return 1
	}
	return 2
}

// controlLen is SequenceLen for a control sequence.
func controlLen[T string | []byte](text T) int {
	for i := 2; i < len(text); i++ {
		switch c := text[i]; {
		case c >= 0x40 && c <= 0x7e:
			return i + 1
		case c < 0x20 || c > 0x7e:
			return i
		}
	}
	return len(text)
}

// stringLen is SequenceLen for a control string. If the text ends first, only
// the introducer counts.
func stringLen[T string | []byte](text T) int {
	for i := 2; i < len(text); i++ {
		switch {
		case text[i] == '\a':
			return i + 1
		case text[i] == escape && i+1 < len(text) && text[i+1] == '\\':
			return i + 2
		case text[i] == escape:
			return i
		}
	}
	return 2
}

// Text returns a line without its escape sequences.
func Text(line string) string {
	var text strings.Builder
	for {
		n := strings.IndexByte(line, escape)
		if n < 0 && text.Len() == 0 { // nothing, or only the start, is left out
			return line
		}
		text.Grow(len(line))
		if n < 0 {
			text.WriteString(line)
			return text.String()
		}
		text.WriteString(line[:n])
		line = line[n+SequenceLen(line[n:]):]
	}
}

// AppendText appends a line to dst without its escape sequences.
func AppendText(dst, line []byte) []byte {
	for {
		n := bytes.IndexByte(line, escape)
		if n < 0 {
			return append(dst, line...)
		}
		dst = append(dst, line[:n]...)
		line = line[n+SequenceLen(line[n:]):]
	}
}

// Offset returns the offset in line of the byte that [AppendText] puts at n,
// after any sequences before it.
func Offset(line []byte, n int) int {
	at := 0
	for at < len(line) {
		if seq := SequenceLen(line[at:]); seq > 0 {
			at += seq
			continue
		}
		if n == 0 {
			break
		}
		n--
		at++
	}
	return at
}

// Spans yields the runs of text of a line in order, each with its style,
// without escape sequences. Sequences that select a style change s, which is
// then the style at the start of the next line.
func (s *Style) Spans(line string) iter.Seq2[Style, string] {
	return func(yield func(Style, string) bool) {
		for line != "" {
			n := strings.IndexByte(line, escape)
			if n < 0 {
				n = len(line)
			}
			if n > 0 && !yield(*s, line[:n]) {
				return
			}
			line = line[n:]
			if seq := SequenceLen(line); seq > 0 {
				s.apply(line[:seq])
				line = line[seq:]
			}
		}
	}
}

// Visible returns text with � in place of controls, except line feeds and tabs,
// and of [Invisible] characters.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || Invisible(r) {
			return utf8.RuneError
		}
		return r
	}, text)
}

// Invisible reports whether a character is invisible but changes how the text
// around it reads: C1 controls, bidirectional controls (Unicode's
// Bidi_Control), line and paragraph separators, zero-width characters, and
// tags. It excludes joiners, which scripts and emoji need.
func Invisible(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r < 0xa0, // C1 controls
		r == 0x2028, r == 0x2029, // line and paragraph separators
		r == 0x200b, r == 0x2060, r == 0xfeff, // zero width
		r >= 0xe0000 && r <= 0xe007f: // tags
		return true
	}
	return unicode.Is(unicode.Bidi_Control, r)
}

// IsBinary reports whether text is of a binary file: its first 8,000 bytes have
// NUL, and are not UTF-8 in two places.
func IsBinary(text string) bool {
	head := text[:min(len(text), 8000)]
	return strings.Contains(head, "\x00") && strings.Count(strings.ToValidUTF8(head, "\xff"), "\xff") > 1
}
