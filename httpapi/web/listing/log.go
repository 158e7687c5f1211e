package listing

import (
	"html/template"
	"strings"

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

// decorated writes a line with its colours, or else with its time set back.
func (w *writer) decorated(p *pen, line string) {
	if *p != (pen{}) || strings.IndexByte(line, 0x1b) >= 0 {
		w.ansi(p, line)
		return
	}
	from, to := timestamp(line)
	if to == 0 || w.room < markWeight {
		w.marked(line)
		return
	}
	w.text(line[:from])
	w.room -= markWeight
	w.b = append(w.b, "<i>"...)
	w.text(line[from:to])
	w.b = append(w.b, "</i>"...)
	w.marked(line[to:])
}

// plainLines writes a log in blocks that have no lines.
func plainLines(content string, room int) template.HTML {
	w := writer{b: make([]byte, 0, len(content)+len(content)/4), room: room}
	for content != "" {
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
		w.b = append(w.b, "<section><p>"...)
		for line := range strings.Lines(block) {
			text, ended := strings.CutSuffix(line, "\n")
			w.text(withoutEscapes(strings.TrimSuffix(text, "\r")))
			if ended {
				w.b = append(w.b, '\n')
			}
		}
		w.b = append(w.b, "</section>"...)
	}
	return template.HTML(w.b)
}

func withoutEscapes(line string) string {
	if strings.IndexByte(line, 0x1b) < 0 {
		return line
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(line, 0x1b)
		if i < 0 {
			b.WriteString(line)
			return b.String()
		}
		b.WriteString(line[:i])
		line = line[i+escapeLength(line[i:]):]
	}
}
