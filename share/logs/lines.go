package logs

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/internal/terminal"
)

// read yields the lines of a log.
func (t *tracker) read(lines iter.Seq[string]) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		buf := make([]byte, 0, 512)
		for text := range lines {
			buf = append(buf[:0], text[:min(len(text), maxAnalyzed)]...)
			head := t.line(buf)
			if t.report != nil {
				t.report.add(t.reader.Output)
			}
			line := Line{
				Number:     t.counts.Lines,
				Text:       strings.TrimSuffix(text, "\r"),
				Level:      Level(t.entry.Level),
				Head:       head,
				FromStatus: t.entry.FromStatus,
				Frame:      !head && t.head.Frame,
			}
			if t.head.Stamp.End > 0 {
				line.TimeStart, line.TimeEnd = t.timeSpan(buf)
			}
			if !yield(line) {
				return
			}
		}
	}
}

// cutLines yields the lines of a log in parts, without line feeds. If a line
// spans parts, each part after the first adds at most maxAnalyzed bytes.
func cutLines(parts iter.Seq[string]) iter.Seq[string] {
	return func(yield func(string) bool) {
		begun, unfinished := "", false
		for part := range parts {
			for part != "" {
				text, rest, ended := strings.Cut(part, "\n")
				if part = rest; unfinished {
					text = begun + text[:min(len(text), maxAnalyzed)]
				}
				if unfinished = !ended; unfinished {
					begun = text
				} else if !yield(text) {
					return
				}
			}
		}
		if unfinished {
			yield(begun)
		}
	}
}

// linesOf yields the lines of a log in memory.
func linesOf(log string) iter.Seq[string] { return cutLines(whole(log)) }

// whole yields a log as a single part.
func whole(log string) iter.Seq[string] { return slices.Values([]string{log}) }

// timeSpan returns the offsets of the timestamp in b, the last line as read,
// with its byte order mark and escape sequences.
func (t *tracker) timeSpan(b []byte) (start, end int) {
	at := 0
	if t.counts.Lines == 1 && bytes.HasPrefix(b, []byte(byteOrderMark)) {
		at = len(byteOrderMark)
	}
	start, end = int(t.head.Stamp.Start), int(t.head.Stamp.End)
	if bytes.IndexByte(b[at:at+end], 0x1b) < 0 {
		return at + start, at + end
	}
	return at + terminal.Offset(b[at:], start), at + terminal.Offset(b[at:], end-1) + 1
}
