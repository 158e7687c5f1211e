package listing

import (
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share/logs"
)

// The size of a log page in bytes is limited to weightPercent of its content,
// or to freeWeight if that is more.
const (
	weightPercent = 240
	freeWeight    = 256 << 10
)

const (
	// lineWeight is the maximum markup of a line in bytes:
	// <p id=L12345 class=E>.
	lineWeight = 21
	// maxLines is the number of lines up to which each gets an element.
	// Browsers become slow beyond that.
	maxLines = 60_000
	// plainBlock is the size in bytes of a block without line elements.
	plainBlock = 8 << 10
)

// levelClass maps levels to the classes of a continuation line and of the first
// line of an entry.
var levelClass = [...][2]string{
	logs.LevelNone: {"", ""}, logs.LevelTrace: {"t", "T"}, logs.LevelDebug: {"d", "D"}, logs.LevelInfo: {"i", "I"},
	logs.LevelWarning: {"w", "W"}, logs.LevelError: {"e", "E"}, logs.LevelFatal: {"f", "F"},
}

// roomBeside returns how many bytes of markup the page of a text may have. It
// is negative if escaping alone exceeds the limit: each < becomes four bytes.
func roomBeside(text string) int {
	room := max(freeWeight, len(text)*weightPercent/100) - len(text)
	for i := range len(text) {
		if text[i] != '&' || startsReference(text[i+1:]) {
			room -= escapeWeight[text[i]]
		}
	}
	return room
}

// escapeWeight is the maximum number of bytes that escaping adds to a byte.
var escapeWeight = func() (w [256]int) {
	for c := range ' ' {
		w[c] = len("\u2400") - 1
	}
	w['\t'], w['\n'], w['\r'], w[0x1b] = 0, 0, 0, 0
	w['<'], w['&'] = len("lt;"), len("amp;")
	w[0xc2] = 1 // first byte of a C1 control, which becomes U+FFFD
	return w
}()

// log writes the lines of a log with their levels. It hides lines that are not
// selected. The others then carry their numbers, because style sheets do not
// count hidden lines.
func (w *writer) log(content string, o Options) {
	var style terminal.Style
	h := newHiding(o)
	var selected Selection
	if o.Selection != nil {
		selected = *o.Selection
	}
	w.n = max(0, o.First-1)
	for line := range logs.Lines(content) {
		if w.err != nil {
			return
		}
		line.Number += max(0, o.First-1)
		chosen := o.Selection == nil || selected.has(line.Number)
		shown := chosen || o.Open.Has(line.Number)
		h.before(w, line.Number, shown)
		w.begin(classOf(line))
		switch {
		case o.Selection != nil:
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

// choose marks the current line as a match or as context, or hides it.
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

// attribute adds an attribute to the current element.
func (w *writer) attribute(text string) {
	w.b = append(append(append(w.b[:len(w.b)-1], ' '), text...), '>')
}

// row writes a row that links to hidden lines. class must be safe as an
// unquoted attribute value; further attributes may follow it.
func (w *writer) row(class, address, text, attributes string) {
	w.b = append(w.b, "<p class="+class+"><a rel=nofollow"+attributes+` href="`...)
	w.escape(address)
	w.b = append(w.b, `">`...)
	w.escape(text)
	w.b = append(w.b, "</a>"...)
}

// decorated writes a line with its terminal colours or, without any, with its
// time dimmed.
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

// columns writes a JSON record as time, level, message and other fields. It
// reports false, and writes nothing, if the line is not a record or there is no
// room.
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

// plain writes a log in blocks without line elements.
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
