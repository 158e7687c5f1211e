// Package listing writes lines of logs and code as HTML: with numbers to link
// to, the levels of a log, colours, and marks where secrets were masked.
//
// Whatever a stranger wrote is only ever text in it. The style sheet of the
// pages draws what the class names mean; neither is promised.
package listing

import (
	"bytes"
	"html/template"
	"io"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share/logs"
)

// Options change how lines are written.
type Options struct {
	// NoAnchors leaves out the ids of lines, for pages with several listings.
	NoAnchors bool
	// Filter hides the lines of a log that it does not choose.
	Filter Filter
	// First is the number of the first line, 0 for 1: that of a part of a log. Filter,
	// Folds, Open and Shut have the numbers of the whole.
	First int
	// Columns shows lines of JSON as time, level, message and the other fields.
	Columns bool
	// Folds are lines of a log that are folded. Where one begins in another, it
	// ends there too.
	Folds []Fold
	// Open are lines that are shown although the filter does not choose them,
	// and folds that are open; Shut are folds that would be open by themselves
	// and are not.
	Open, Shut Ranges
	// Address returns where the same page is with other lines open and shut. Nil:
	// there is no such page.
	Address func(open, shut Ranges) string
}

// A Listing is lines of text, to be written as HTML.
type Listing struct {
	Lines int
	Plain bool // the lines are neither numbered nor coloured: there are too many, or they are too short

	write func(*writer)
	room  int  // see writer
	bare  bool // see writer
}

// Digits returns how many digits the greatest line number has.
func (l Listing) Digits() int { return len(strconv.Itoa(l.Lines)) }

// WriteTo writes the lines. A log is written line by line, so that a client
// that reads slowly holds no page in memory.
func (l Listing) WriteTo(out io.Writer) (int64, error) {
	w := writer{out: out, room: l.room, bare: l.bare}
	l.write(&w)
	w.flush()
	return w.written, w.err
}

// HTML returns the lines for a template.
func (l Listing) HTML() (template.HTML, error) {
	var b strings.Builder
	_, err := l.WriteTo(&b)
	return template.HTML(b.String()), err
}

// Log returns the lines of a log. They weigh at most 2.4 times the content,
// beside what must be escaped: a log of so many or so short lines that their
// markup would outweigh them comes as plain text, without numbers and levels.
func Log(content string, o Options) Listing {
	l := Listing{Lines: countLines(content), room: roomBeside(content), bare: o.NoAnchors}
	if l.Lines > maxLines || l.Lines*lineWeight > l.room {
		l.Plain = true
		l.write = func(w *writer) { w.plain(content) }
		return l
	}
	l.room -= l.Lines * lineWeight
	l.write = func(w *writer) { w.log(content, o) }
	return l
}

// Line returns the text of one line of a log, with its colours.
func Line(line logs.Line) template.HTML {
	w := writer{room: roomBeside(line.Text)}
	w.decorated(new(terminal.Style), line)
	return template.HTML(w.b)
}

// countLines returns the number of lines of a log.
func countLines(content string) int {
	n := strings.Count(content, "\n")
	if content != "" && !strings.HasSuffix(content, "\n") {
		n++
	}
	return n
}

// Code returns the lines of code in the colours of a language.
func Code(code, lang string, o Options) Listing {
	var html bytes.Buffer
	w := writer{out: &html, bare: o.NoAnchors, room: roomBeside(code)}
	for _, tokens := range highlight.Code(code, lang).Lines {
		w.begin("")
		w.tokens(tokens)
	}
	w.end()
	w.flush()
	return Listing{Lines: w.n, write: func(w *writer) { w.b = html.Bytes() }}
}
