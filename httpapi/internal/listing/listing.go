// Package listing writes logs and code as HTML with line anchors, the levels of
// a log, colours, and highlighted placeholders of masked secrets.
//
// Untrusted content is always escaped. The class names belong to the style
// sheet of the pages; both may change.
package listing

import (
	"cmp"
	"html/template"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share/logs"
)

// Options configures how lines are written.
type Options struct {
	// NoAnchors leaves out the ids of lines, for pages with several listings.
	NoAnchors bool
	// Selection hides the other lines of a log. Nil shows all.
	Selection *Selection
	// First is the number of the first line in a part of a log; 0 means 1.
	// Selection and Folds use line numbers of the whole log.
	First int
	// MaxWork limits the processor time of the lexer of code; 0 means a second.
	MaxWork time.Duration
	// Heads are lines of code that name what follows, such as a file of a diff.
	Heads Ranges
	// Columns shows JSON lines as time, level, message and other fields.
	Columns bool
	// Folds are the collapsible ranges. A fold that starts inside another must
	// also end inside it.
	Folds []Fold
	// Address returns the URL of a page that shows a line which the filter does not
	// select. Nil means that there is none.
	Address func(line int) string
}

// A Listing is a list of lines that can be written as HTML.
type Listing struct {
	Lines int
	Plain bool // written without line numbers and colours, because of too many or too short lines
	// Uncolored says that colouring code would have taken too long.
	Uncolored bool

	write func(*writer) // writes the lines
	room  int           // see writer
	bare  bool          // see writer
}

// Digits returns the number of digits of the largest line number.
func (l Listing) Digits() int { return len(strconv.Itoa(l.Lines)) }

// WriteTo writes the lines. A log is written line by line, so that a slow
// client does not keep a whole page in memory.
func (l Listing) WriteTo(out io.Writer) (int64, error) {
	w := writer{out: out, room: l.room, bare: l.bare}
	l.write(&w)
	w.flush()
	return w.written, w.err
}

// HTML returns the lines as HTML for a template.
func (l Listing) HTML() (template.HTML, error) {
	var b strings.Builder
	_, err := l.WriteTo(&b)
	return template.HTML(b.String()), err
}

// Log returns the lines of a log. Their size is limited to 2.4 times the
// content, except for escaping. A log whose lines are too many or too short for
// that is written as plain text, without line numbers and levels.
func Log(content string, o Options) Listing {
	l := Listing{Lines: countLines(content), room: roomBeside(content), bare: o.NoAnchors}
	if l.Lines > maxLines || l.Lines*lineWeight > l.room {
		l.Plain = true
		l.write = func(w *writer) { w.plain(content) }
		return l
	}
	l.room -= l.Lines * lineWeight
	l.write = func(w *writer) {
		lines := newLogWriter(*w, o)
		lines.log(content)
		*w = lines.writer
	}
	return l
}

// Message returns what a reader sees of a line of a log after its time.
func Message(line logs.Line) string {
	return terminal.Text(WithoutMarker(line).Text[line.TimeEnd:])
}

// Line returns the text of a line of a log with its colours and a mark on what
// [Changed] found in its [Message] after a sign.
func Line(line logs.Line, changed [2]int) template.HTML {
	before := len(terminal.Text(line.Text[:line.TimeEnd])) - 1
	w := writer{room: roomBeside(line.Text), changed: [2]int{before + changed[0], before + changed[1]}}
	w.decorated(new(terminal.Style), WithoutMarker(line))
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

// Blocks returns a function that writes code with the colours of a language,
// without lines and links. All its calls together take at most limit of the lexers; what
// comes later has no colours.
func Blocks(limit time.Duration) func(code, lang string) template.HTML {
	return func(code, lang string) template.HTML {
		w := writer{noLinks: true, room: roomBeside(code)}
		if limit <= 0 {
			w.text(code)
			return template.HTML(w.b)
		}
		start := time.Now()
		for _, tokens := range highlight.CodeWithin(code, lang, limit).Lines {
			w.tokens(tokens)
			w.b = append(w.b, '\n')
		}
		limit -= time.Since(start)
		return template.HTML(w.b)
	}
}

// Code returns lines of code, highlighted for a language.
func Code(code, lang string, o Options) Listing {
	result := highlight.CodeWithin(code, lang, cmp.Or(o.MaxWork, time.Second))
	var changed map[int][2]int
	if lang == "diff" {
		rows := strings.Split(highlight.NormalNewlines(code), "\n")
		for _, head := range o.Heads {
			clear(rows[head.From-1 : head.To])
		}
		changed = Changed(rows)
	}
	return Listing{Lines: len(result.Lines), Uncolored: result.Plain, bare: o.NoAnchors, room: roomBeside(code), write: func(w *writer) {
		for i, tokens := range result.Lines {
			class := ""
			if o.Heads.Has(i + 1) {
				class = "head"
			}
			w.begin(class, "")
			w.changed = changed[i]
			w.tokens(tokens)
		}
		w.end()
	}}
}
