package web

import (
	"html/template"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A listing writes lines of logs and code as HTML. This file is the one place
// where the text of a stranger becomes markup without html/template, which
// takes too long for 25,000 lines: everything of a stranger passes through
// text.
//
// Lines are numbered by the style sheet, which counts blocks of 100 and lines in
// them; a block that is out of sight costs the browser nothing. The end tags of
// lines are left out, as HTML allows.
type listing struct {
	b    []byte
	n    int  // lines so far
	room int  // bytes that may still be written beside the text: see mark
	bare bool // lines have no anchors
}

// markWeight is what a mark takes beside its class: <i class=""></i>.
const markWeight = 16

// blockLines is how many lines a block has, but for the first: it begins with
// line 1 and ends before line 100, so that every number is that of the block
// followed by two digits. The style sheet relies on it.
const blockLines = 100

// begin starts the next line. class must be safe as an unquoted attribute; it
// may be empty.
func (l *listing) begin(class string) {
	l.n++
	switch {
	case l.n == 1:
		l.b = append(l.b, "<section>"...)
	case l.n%blockLines == 0:
		l.b = append(l.b, "</section><section>"...)
	}
	l.b = append(l.b, "<p"...)
	if !l.bare {
		l.b = strconv.AppendInt(append(l.b, " id=L"...), int64(l.n), 10)
	}
	if class != "" {
		l.b = append(l.b, " class="...)
		l.b = append(l.b, class...)
	}
	l.b = append(l.b, '>')
}

// html returns what was written. Nothing can be added after it.
func (l *listing) html() template.HTML {
	if l.n > 0 {
		l.b = append(l.b, "</section>"...)
	}
	return template.HTML(l.b)
}

// mark writes text in an element of a class; see open.
func (l *listing) mark(class, text string) {
	if text == "" {
		return
	}
	if weight := markWeight + len(class); weight > l.room {
		class = ""
	} else if class != "" {
		l.room -= weight
	}
	l.open(class)
	l.text(text)
	l.close(class)
}

// open begins an element of a class, unless that is empty. class must be safe
// inside quotes.
func (l *listing) open(class string) {
	switch {
	case class == "":
	case strings.Contains(class, " "):
		l.b = append(append(append(l.b, "<i class=\""...), class...), "\">"...)
	default:
		l.b = append(append(append(l.b, "<i class="...), class...), '>')
	}
}

// close ends what open began.
func (l *listing) close(class string) {
	if class != "" {
		l.b = append(l.b, "</i>"...)
	}
}

// text writes text so that it is shown as it is. Controls, which have no look,
// are shown by their pictures, and what would turn the direction of text by its
// number: it can make a line read as another.
func (l *listing) text(s string) {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if plainByte[c] {
			i++
			continue
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		if with := l.instead(r, width); with != "" {
			l.b = append(append(l.b, s[start:i]...), with...)
			l.room -= len(with) - width
			start = i + width
		}
		i += width
	}
	l.b = append(l.b, s[start:]...)
}

// plainByte tells the bytes that need no second look: printable ASCII but for
// the two that begin markup, and tabs.
var plainByte = func() (t [256]bool) {
	for c := ' '; c < 0x7f; c++ {
		t[c] = c != '<' && c != '&'
	}
	t['\t'] = true
	return t
}()

// instead returns the markup for a character that cannot stand for itself.
func (l *listing) instead(r rune, width int) string {
	switch {
	case r == '<':
		return "&lt;"
	case r == '&':
		return "&amp;"
	case r < ' ':
		return string(0x2400 + r)
	case r == 0x7f:
		return "\u2421"
	case r == utf8.RuneError && width == 1:
		return "\ufffd"
	case r >= 0x80 && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x2028, r == 0x2029:
		return "<i class=u>" + strings.ToUpper(strconv.FormatInt(int64(r), 16)) + "</i>"
	default:
		return ""
	}
}
