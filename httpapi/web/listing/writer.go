package listing

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/terminal"
)

// A writer writes lines of logs and code as HTML. This file is the one place
// where the text of a stranger becomes markup without html/template, which
// takes too long for 25,000 lines: everything of a stranger passes through
// text.
//
// Lines are numbered by the style sheet, which counts blocks of 100 and lines in
// them; a block that is out of sight costs the browser nothing. The end tags of
// lines are left out, as HTML allows.
type writer struct {
	out     io.Writer
	written int64
	err     error // the first one of out
	b       []byte

	n    int  // the number of the last line
	some bool // a line has been written
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
func (w *writer) begin(class string) {
	w.n++
	w.spill()
	switch {
	case !w.some:
		w.b = append(w.b, "<section>"...)
		w.some = true
	case w.n%blockLines == 0:
		w.b = append(w.b, "</section><section>"...)
	}
	w.b = append(w.b, "<p"...)
	if !w.bare {
		w.b = strconv.AppendInt(append(w.b, " id=L"...), int64(w.n), 10)
	}
	if class != "" {
		w.b = append(w.b, " class="...)
		w.b = append(w.b, class...)
	}
	w.b = append(w.b, '>')
}

// end ends the last line.
func (w *writer) end() {
	if w.some {
		w.b = append(w.b, "</section>"...)
	}
}

// chunk is how many bytes are collected before they are written.
const chunk = 32 << 10

// spill writes what was collected if it is enough.
func (w *writer) spill() {
	if len(w.b) >= chunk {
		w.flush()
	}
}

// flush writes what was collected.
func (w *writer) flush() {
	if w.err == nil && len(w.b) > 0 {
		var n int
		n, w.err = w.out.Write(w.b)
		w.written += int64(n)
	}
	w.b = w.b[:0]
}

// affords reports whether so many bytes may still be written beside the text,
// and takes them.
func (w *writer) affords(bytes int) bool {
	if bytes > w.room {
		return false
	}
	w.room -= bytes
	return true
}

// mark writes text in an element of a class; see open.
func (w *writer) mark(class, text string) {
	if text == "" {
		return
	}
	if class != "" && !w.affords(markWeight+len(class)) {
		class = ""
	}
	w.open(class)
	w.text(text)
	w.close(class)
}

// open begins an element of a class, unless that is empty. class must be safe
// inside quotes.
func (w *writer) open(class string) {
	switch {
	case class == "":
	case strings.Contains(class, " "):
		w.b = append(append(append(w.b, "<i class=\""...), class...), "\">"...)
	default:
		w.b = append(append(append(w.b, "<i class="...), class...), '>')
	}
}

// close ends what open began.
func (w *writer) close(class string) {
	if class != "" {
		w.b = append(w.b, "</i>"...)
	}
}

// longText is how many bytes of text stand in one element at most. Browsers
// paint one run of text as a whole, however little of it is in sight.
const longText = 4 << 10

// text writes text so that it is shown as it is.
func (w *writer) text(s string) {
	for len(s) > longText {
		n := pieceLength(s)
		w.b = append(w.b, "<span>"...)
		w.escape(s[:n])
		w.b = append(w.b, "</span>"...)
		w.spill()
		s = s[n:]
	}
	w.escape(s)
}

// pieceLength returns where to cut text that is longer than longText: behind a
// blank, or else between two characters.
func pieceLength(s string) int {
	if n := strings.LastIndexByte(s[:longText], ' ') + 1; n > longText/2 {
		return n
	}
	n := longText
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// escape writes text without markup in it. Controls, which have no look, are
// shown by their pictures, and what is invisible or would turn the direction of
// text by its number: it can make a line read as another.
func (w *writer) escape(s string) {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if plainByte[c] {
			i++
			continue
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		if with := w.instead(r, width, s[i+width:]); with != "" {
			w.b = append(append(w.b, s[start:i]...), with...)
			start = i + width
		}
		i += width
	}
	w.b = append(w.b, s[start:]...)
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

// instead returns the markup for a character that cannot stand for itself
// before next.
func (w *writer) instead(r rune, width int, next string) string {
	switch {
	case r == '<':
		return "&lt;"
	case r == '&' && startsReference(next):
		return "&amp;"
	case r < ' ':
		return string(0x2400 + r)
	case r == 0x7f:
		return "\u2421"
	case r == utf8.RuneError && width == 1:
		return "\ufffd"
	case terminal.Invisible(r):
		return w.numbered(r)
	default:
		return ""
	}
}

// startsReference reports whether an ampersand before next could be read as
// the start of a character reference (HTML, section 13.2.5.72): a letter, a
// digit or # follows, or what is not known yet.
func startsReference(next string) bool {
	if next == "" {
		return true
	}
	c := next[0]
	return c == '#' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// numbered returns the number of a character, set off from text, or, where the
// page would become too heavy, the replacement character.
func (w *writer) numbered(r rune) string {
	number := "<i class=u>" + strings.ToUpper(strconv.FormatInt(int64(r), 16)) + "</i>"
	if !w.affords(len(number)) {
		return "\ufffd"
	}
	return number
}
