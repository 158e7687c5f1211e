package logs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/head"
	"github.com/devkiln/devkiln/share/logs/internal/shape"
)

// read yields the lines of a log.
func (t *tracker) read(lines iter.Seq[string]) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		buf := make([]byte, 0, 512)
		for text := range lines {
			buf = append(buf[:0], text[:min(len(text), maxAnalyzed)]...)
			starts := t.line(buf)
			if t.output != nil {
				t.outcome = t.output(t.reader.Output, t.head.Indented)
			}
			line := Line{
				Number:     t.counts.Lines,
				Text:       strings.TrimSuffix(text, "\r"),
				Level:      Level(t.entry.Level),
				Head:       starts,
				FromStatus: t.entry.FromStatus,
				Frame:      !starts && t.head.Frame,
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
	at := ascii.If(t.counts.Lines == 1 && ascii.HasPrefix(b, byteOrderMark), len(byteOrderMark))
	start, end = int(t.head.Stamp.Start), int(t.head.Stamp.End)
	if bytes.IndexByte(b[at:at+end], 0x1b) < 0 {
		return at + start, at + end
	}
	return at + terminal.Offset(b[at:], start), at + terminal.Offset(b[at:], end-1) + 1
}

// Analyze reads a log to its end and analyses it. It reads in one pass, with
// memory that does not grow with the input: of a line longer than 64 KiB it
// examines only the beginning. Any bytes are accepted, but only UTF-8 is
// understood, see [UTF8]. The error is that of r; the Analysis then covers what
// was read before it.
func Analyze(r io.Reader, opts Options) (Analysis, error) {
	return analyze(bufio.NewReaderSize(r, maxAnalyzed), opts)
}

// AnalyzeString is [Analyze] for a log in memory.
func AnalyzeString(log string, opts Options) Analysis {
	a, _ := analyze(bufio.NewReaderSize(strings.NewReader(log), min(len(log)+1, maxAnalyzed)), opts)
	return a
}

// analyze analyses the lines of br, each up to the size of its buffer.
func analyze(br *bufio.Reader, opts Options) (_ Analysis, err error) {
	var t tracker
	for err == nil {
		var line []byte
		if line, err = br.ReadSlice('\n'); len(line) > 0 {
			t.counts.Bytes += int64(len(line))
			t.line(line)
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			line, err = br.ReadSlice('\n')
			t.counts.Bytes += int64(len(line))
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return t.analysis(opts), err
}

// Lines yields the lines of a log in order, each with the level of its entry as
// [Analyze] counts it. It allocates nothing per line. In formats that state the
// level below the head of an entry, as java.util.logging does on the second
// line, Level is correct from that line on.
func Lines(log string) iter.Seq[Line] {
	return new(tracker).read(linesOf(log))
}

// Record is a line of JSON split into columns. Its texts are as in the log,
// with strings unquoted.
type Record struct {
	Prefix  string // added before the line by a container runtime or a service
	Time    string
	Level   string
	Message string
	Fields  []Field // all other members, in order
}

// Field is one member of a [Record]. Value is the text of a string, or else
// JSON.
type Field struct {
	Name, Value string
}

// ParseRecord splits a line that is one JSON object into columns. The time, the
// level and the message are the first members whose names loggers use for them.
// It returns false for any other line.
func ParseRecord(line string) (Record, bool) {
	text := terminal.Text(line)
	brace := strings.IndexByte(text, '{')
	wrapper := len(text) - len(new(head.Reader).Unwrap([]byte(text)))
	if brace > maxHead || wrapper+ascii.SkipSpace([]byte(text[wrapper:]), 0) != brace {
		return Record{}, false
	}
	r := Record{Prefix: text[:brace]}
	d := json.NewDecoder(strings.NewReader(text[brace:]))
	_, err := d.Token()
	for err == nil && d.More() {
		var name json.Token
		var value json.RawMessage
		if name, err = d.Token(); err == nil {
			err = d.Decode(&value)
		}
		if err == nil {
			r.add(name.(string), value)
		}
	}
	if err != nil {
		return Record{}, false
	}
	end, err := d.Token()
	return r, err == nil && end == json.Delim('}') && strings.TrimSpace(text[brace+int(d.InputOffset()):]) == ""
}

// add stores a member in its column, or in Fields.
func (r *Record) add(name string, value json.RawMessage) {
	text := string(value)
	var quoted string
	if json.Unmarshal(value, &quoted) == nil && text != "null" {
		text = quoted
	}
	switch meaning := head.KeyOf([]byte(name)); {
	case meaning.IsLevel() && r.Level == "":
		r.Level = text
	case meaning.IsTime() && r.Time == "":
		r.Time = text
	case meaning.IsMessage() && value[0] == '"' && r.Message == "":
		r.Message = text
	default:
		r.Fields = append(r.Fields, Field{name, text})
	}
}

// plainText returns a line without escape sequences and trailing blanks.
func plainText(line string) string { return strings.TrimRight(terminal.Text(line), " \r") }

// shorten truncates a text to 1,024 bytes.
func shorten(text string) string {
	if len(text) <= shape.MaxText {
		return strings.Clone(text)
	}
	return strings.ToValidUTF8(text[:shape.MaxText], "")
}
