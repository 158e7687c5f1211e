package listing

import (
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share/logs"
)

// What a page of a log may weigh, in bytes: 2.4 times the content, and what is
// around it, or, for a small log, whatever it takes.
const (
	weightPercent = 240
	freeWeight    = 256 << 10
)

const (
	// lineWeight is what a line costs at most beside its text:
	// <p id=L12345 class=E>.
	lineWeight = 21
	// maxLines is how many lines get an element each. Beyond, browsers are no
	// longer fluid.
	maxLines = 60_000
	// plainBlock is how many bytes a block of a log has whose lines get none.
	plainBlock = 8 << 10
)

// levelClass is the class of a line, by its level: a capital begins an entry.
// Lines without a level have none.
var levelClass = [...][2]string{
	logs.LevelNone: {"", ""}, logs.LevelTrace: {"t", "T"}, logs.LevelDebug: {"d", "D"}, logs.LevelInfo: {"i", "I"},
	logs.LevelWarning: {"w", "W"}, logs.LevelError: {"e", "E"}, logs.LevelFatal: {"f", "F"},
}

// roomBeside returns how many bytes of markup may stand beside text. It is
// negative for text that is too heavy by itself: every < is four bytes.
func roomBeside(text string) int {
	room := max(freeWeight, len(text)*weightPercent/100) - len(text)
	for i := range len(text) {
		if text[i] != '&' || startsReference(text[i+1:]) {
			room -= escapeWeight[text[i]]
		}
	}
	return room
}

// escapeWeight is what a byte costs at most beside itself when it is escaped.
var escapeWeight = func() (w [256]int) {
	for c := range ' ' {
		w[c] = len("\u2400") - 1
	}
	w['\t'], w['\n'], w['\r'], w[0x1b] = 0, 0, 0, 0
	w['<'], w['&'] = len("lt;"), len("amp;")
	w[0xc2] = 1 // of a C1 control that becomes U+FFFD
	return w
}()

// log writes the lines of a log, with their levels. Those that a filter does
// not choose are hidden; the others then tell their numbers, since a style
// sheet counts no lines that are not there.
func (w *writer) log(content string, o Options) {
	var style terminal.Style
	h := newHiding(o)
	w.n = max(0, o.First-1)
	for line := range logs.Lines(content) {
		if w.err != nil {
			return
		}
		line.Number += max(0, o.First-1)
		chosen := o.Filter.Matches(line)
		shown := chosen || o.Open.Has(line.Number)
		h.before(w, line.Number, shown)
		w.begin(classOf(line))
		switch {
		case o.Filter.Active():
			w.choose(chosen, shown)
		case o.First > 0:
			w.attribute("data-n=" + strconv.Itoa(w.n))
		}
		if line.Number <= h.folded {
			w.attribute("data-folded")
		}
		if !o.Columns || !w.columns(line.Text) {
			w.decorated(&style, line)
		}
	}
	h.end(w)
	w.end()
}

// classOf returns the class of a line.
func classOf(line logs.Line) string {
	if line.Head {
		return levelClass[line.Level][1]
	}
	return levelClass[line.Level][0]
}

// choose marks the line that was just begun as one that a filter chooses, or
// that is shown beside those, or hides it.
func (w *writer) choose(chosen, shown bool) {
	if !shown {
		w.attribute("data-miss")
		return
	}
	w.attribute("data-n=" + strconv.Itoa(w.n))
	if !chosen {
		w.attribute("data-context")
	}
}

// attribute adds an attribute to the element that was just begun.
func (w *writer) attribute(text string) {
	w.b = append(append(append(w.b[:len(w.b)-1], ' '), text...), '>')
}

// row writes a row that is no line: a link to where the lines are shown that
// are out of sight here. class must be safe as an unquoted attribute, with
// others behind it.
func (w *writer) row(class, address, text, attributes string) {
	w.b = append(w.b, "<p class="+class+"><a rel=nofollow"+attributes+` href="`...)
	w.escape(address)
	w.b = append(w.b, `">`...)
	w.escape(text)
	w.b = append(w.b, "</a>"...)
}

// decorated writes a line with its colours, or else with its time set back.
func (w *writer) decorated(style *terminal.Style, line logs.Line) {
	switch {
	case *style != terminal.Style{} || strings.IndexByte(line.Text, 0x1b) >= 0:
		w.ansi(style, line.Text)
	case line.TimeEnd == 0 || !w.affords(markWeight):
		w.marked(line.Text)
	default:
		w.marked(line.Text[:line.TimeStart])
		w.b = append(w.b, "<i>"...)
		w.text(line.Text[line.TimeStart:line.TimeEnd])
		w.b = append(w.b, "</i>"...)
		w.marked(line.Text[line.TimeEnd:])
	}
}

// columns writes a line of JSON as its time, level and message and the other
// fields, and reports whether it is one.
func (w *writer) columns(line string) bool {
	r, ok := logs.ParseRecord(line)
	if !ok || !w.affords(4*markWeight+(markWeight+2)*len(r.Fields)) {
		return false
	}
	w.open("q")
	w.text(r.Prefix)
	w.b = append(w.b, "</i><i>"...)
	w.text(r.Time)
	w.b = append(w.b, "</i> <i class=l>"...)
	w.text(r.Level)
	w.b = append(w.b, "</i> "...)
	w.marked(r.Message)
	for _, f := range r.Fields {
		w.b = append(w.b, " <i class=q>"...)
		w.text(f.Name + "=")
		w.marked(f.Value)
		w.b = append(w.b, "</i>"...)
	}
	return true
}

// plain writes a log in blocks that have no lines.
func (w *writer) plain(content string) {
	for content != "" && w.err == nil {
		block := content
		if len(block) > plainBlock {
			block = block[:plainBlock]
			if end := strings.LastIndexByte(block, '\n'); end >= 0 {
				block = block[:end+1]
			} else {
				block = strings.ToValidUTF8(block, "")
			}
		}
		content = content[len(block):]
		w.spill()
		w.b = append(w.b, "<section><p>"...)
		for line := range strings.Lines(block) {
			text, ended := strings.CutSuffix(line, "\n")
			w.text(terminal.Text(strings.TrimSuffix(text, "\r")))
			if ended {
				w.b = append(w.b, '\n')
			}
		}
		w.b = append(w.b, "</section>"...)
	}
}
