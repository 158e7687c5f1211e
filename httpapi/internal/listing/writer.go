package listing

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/terminal"
)

// A writer writes lines of logs and code as HTML. All untrusted text passes
// through its method text. html/template is too slow for 25,000 lines; this is
// the only file that does without it.
//
// The style sheet numbers the lines by counting blocks of 100 and the lines in
// them, so that browsers need not render blocks outside the viewport. End tags
// of lines are omitted, as HTML permits.
type writer struct {
	out     io.Writer
	written int64
	err     error // first error of out
	b       []byte

	n       int  // number of the last line
	some    bool // at least one line was written
	room    int  // bytes of markup that may still be written; see mark
	bare    bool // lines have no id attributes
	noLinks bool // addresses are plain text

	changed [2]int // bytes, from and to, of the text that follows that are marked
}

// markWeight is the markup of a mark in bytes, without its class:
// <i class=""></i>.
const markWeight = 16

// blockLines is the number of lines of a block. The first block has only lines
// 1 to 99, so that each line number is the block number followed by two digits.
// The style sheet relies on it.
const blockLines = 100

// begin starts the next line. class must be safe as an unquoted attribute
// value; it may be empty, and attributes may follow it.
func (w *writer) begin(class, attributes string) {
	w.n++
	w.spill()
	if w.some && w.n%blockLines == 0 {
		w.b = append(w.b, "</section><section>"...)
	}
	w.beginBlock()
	w.b = append(w.b, "<p"...)
	if !w.bare {
		w.b = strconv.AppendInt(append(w.b, " id=L"...), int64(w.n), 10)
	}
	if class != "" {
		w.b = append(w.b, " class="...)
		w.b = append(w.b, class...)
	}
	w.b = append(append(w.b, attributes...), '>')
}

// beginBlock starts the first block, unless it has started.
func (w *writer) beginBlock() {
	if !w.some {
		w.b, w.some = append(w.b, "<section>"...), true
	}
}

// row writes a row that links to hidden lines. class must be safe as an
// unquoted attribute value; further attributes may follow it.
func (w *writer) row(class, address, text, attributes string) {
	w.beginBlock()
	w.b = append(w.b, "<p class="+class+"><a rel=nofollow"+attributes+` href="`...)
	w.escape(address)
	w.b = append(w.b, `">`...)
	w.escape(text)
	w.b = append(w.b, "</a>"...)
}

// end ends the last block.
func (w *writer) end() {
	if w.some {
		w.b = append(w.b, "</section>"...)
	}
}

// spill flushes the buffer if it is full and there is somewhere to write it.
func (w *writer) spill() {
	if len(w.b) >= 32<<10 && w.out != nil {
		w.flush()
	}
}

// flush writes the buffered bytes.
func (w *writer) flush() {
	if w.err == nil && len(w.b) > 0 {
		var n int
		n, w.err = w.out.Write(w.b)
		w.written += int64(n)
	}
	w.b = w.b[:0]
}

// affords reports whether that many bytes of markup may still be written, and
// deducts them if so.
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

// open starts an element of a class unless class is empty. class must be safe
// in a quoted attribute value.
func (w *writer) open(class string) {
	switch {
	case class == "":
	case strings.Contains(class, " "):
		w.b = append(append(append(w.b, "<i class=\""...), class...), "\">"...)
	default:
		w.b = append(append(append(w.b, "<i class="...), class...), '>')
	}
}

// close ends the element that open started.
func (w *writer) close(class string) {
	if class != "" {
		w.b = append(w.b, "</i>"...)
	}
}

const (
	// longText is the maximum length in bytes of text in one element. Browsers
	// paint a run of text as a whole, however little of it is visible.
	longText = 4 << 10
	// longWord is the length in bytes of the longest word that fits beside line
	// numbers on a phone. Longer ones are elements of their own, which the style
	// sheet breaks anywhere in narrow windows: moved to the next line as a whole,
	// they would leave the beginning of their line nearly empty.
	longWord = 40
)

// text writes text that is shown literally.
func (w *writer) text(s string) {
	written := 0
	for from := 0; len(s)-from > longWord; {
		to := from
		for to < len(s) && s[to] > ' ' {
			to++
		}
		if to-from > longWord && w.affords(markWeight+len("r")) {
			w.pieces(s[written:from])
			w.open("r")
			w.pieces(s[from:to])
			w.close("r")
			written = to
		}
		from = to + 1
	}
	w.pieces(s[written:])
}

// pieces writes text in elements of at most longText each. What changed is
// marked.
func (w *writer) pieces(s string) {
	from, to := max(0, min(w.changed[0], len(s))), max(0, min(w.changed[1], len(s)))
	w.changed[0], w.changed[1] = w.changed[0]-len(s), w.changed[1]-len(s)
	if from < to && w.affords(len("<mark></mark>")) {
		w.escape(s[:from])
		w.b = append(w.b, "<mark>"...)
		w.escape(s[from:to])
		w.b = append(w.b, "</mark>"...)
		s = s[to:]
	}
	for len(s) > longText {
		n := longText
		for !utf8.RuneStart(s[n]) {
			n--
		}
		w.b = append(w.b, "<span>"...)
		w.escape(s[:n])
		w.b = append(w.b, "</span>"...)
		w.spill()
		s = s[n:]
	}
	w.escape(s)
}

// escape writes escaped text. Control characters are shown as control pictures.
// Invisible characters and those that change the text direction could disguise
// a line, so they are shown as code points.
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

// plainByte holds the bytes that need no escaping: printable ASCII except < and
// &, and tabs.
var plainByte = func() (t [256]bool) {
	for c := ' '; c < 0x7f; c++ {
		t[c] = c != '<' && c != '&'
	}
	t['\t'] = true
	return t
}()

// instead returns the replacement of a character that next follows, or "" to
// keep it.
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

// startsReference reports whether an ampersand before next could start a
// character reference (HTML, section 13.2.5.72): a letter, a digit or #
// follows, or next is empty because the text may continue.
func startsReference(next string) bool {
	return next == "" || strings.IndexByte("#0123456789abcdefghijklmnopqrstuvwxyz", next[0]|0x20) >= 0
}

// numbered returns the code point of a character as an element of its own, or
// the replacement character if there is no room for that.
func (w *writer) numbered(r rune) string {
	number := "<i class=u>" + strings.ToUpper(strconv.FormatInt(int64(r), 16)) + "</i>"
	if !w.affords(len(number)) {
		return "\ufffd"
	}
	return number
}
