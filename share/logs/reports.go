package logs

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/pattern"
)

// add reads what a program wrote in a line, without what a service or a
// container runtime put before it. It reports whether the line may state an
// outcome.
func (r *reportReader) add(text []byte, indented bool) bool {
	r.line++
	if r.current != nil && r.line-r.current.Last > maxBlock {
		r.current = nil
	}
	if ascii.HasPrefix(text, `{"Time":`) {
		return true // an event of go test -json
	}
	r.outcome = false
	if ascii.HasPrefix(text, "+ ") && len(text) > len("+ true") {
		r.command = len(r.found)
	}
	text = text[:min(len(text), maxReported)]
	for range maxNested {
		text = bytes.TrimSpace(text)
		inner := r.read(text)
		if inner == nil {
			if r.current != nil {
				r.report.advise(text, &r.rows)
			}
			break
		}
		text = inner
	}
	r.above = append(r.above[:0], text...)
	if t := r.tail; t != nil && len(text) > 0 {
		r.exited = r.exited || r.outcome && reportsExit(string(text))
		worst, counted := level.OfCount(text)
		ordinary := counted && worst == level.None || !r.outcome && (ascii.IsLetter(text[0]) || ascii.IsDigit(text[0])) && text[len(text)-1] != ':'
		r.goesOn = t.Last < r.line && !indented && !r.exited && ordinary
	}
	return r.outcome
}

// read reads the text of a line. If another program wrapped it, it returns what
// that one wrapped.
func (r *reportReader) read(text []byte) []byte {
	if len(text) == 0 {
		return nil
	}
	r.match.Reset()
	rowIndex.find(text[:min(len(text), maxHead)], &r.rows)
	if r.rows.has(outcomeRow) {
		r.outcome, r.broken = true, r.broken || ascii.HasPrefix(text, "##[error]") || ascii.HasPrefix(text, "Error: ")
	}
	signs := pattern.SignsOf(text)
	for i := range r.rows.in(r.may()) {
		row := &reportRows[i]
		if row.pattern.Signs&^signs != 0 || !r.applies(row) || !row.pattern.Match(text, &r.match) {
			continue
		}
		if row.role == "wrap" {
			return text[r.match.Rest:]
		}
		f := r.captured(row, text)
		switch {
		case !slices.ContainsFunc(row.suffixes, func(suffix string) bool { return strings.HasSuffix(f.File, suffix) }):
		case row.role == "lead":
			r.lead = new(f)
		case row.role != "under":
			r.apply(row, f, text)
			return nil
		case r.under(f):
			return nil
		}
	}
	r.message(text)
	return nil
}

// may returns the rows that may apply to a line here.
func (r *reportReader) may() *rowSet {
	tool := ""
	if r.current != nil {
		tool = r.current.Tool
	}
	if r.applyIn != r.section || r.applyTo != tool {
		r.applyIn, r.applyTo, r.applying = r.section, tool, *anyRows
		r.applying.addAll(rowsOf[r.section])
		r.applying.addAll(rowsOf[tool])
		r.applying.addAll(anyToolRows)
	}
	return &r.applying
}

// message takes a line that no row reads for the message of the current
// failure, if that has none, or one that goes on after a colon. The line after
// a frame is its source.
func (r *reportReader) message(text []byte) {
	f := r.current
	if f == nil || f.Message != "" && !strings.HasSuffix(f.Message, ":") || f.Tool == "process" || r.explicit || r.line-f.Last > maxMessageAt || r.line == r.source ||
		!slices.ContainsFunc(text, func(c byte) bool { return ascii.IsLower(c) || ascii.IsDigit(c) }) { // unlike the dots and capitals of tests that go by
		return
	}
	f.Message, f.Last = shorten(strings.TrimLeft(f.Message+" "+string(text), " ")), r.line
	f.compare(&r.match)
}

// applies reports whether a row can apply to a line here.
func (r *reportReader) applies(row *reportRow) bool {
	if row.inSection && r.section != row.tool {
		return false
	}
	switch row.role {
	case "detail", "frame", "last", "drop":
		return r.current != nil && (row.tool == anyTool || row.tool == r.current.Tool) &&
			(!row.whole || row.role != "detail" || r.line != r.source && r.current.Message == "")
	case "name":
		return r.current != nil && r.line == r.current.Last+1 && r.current.Message == "" && row.tool == r.current.Tool
	case "loose":
		return r.current == nil || r.current == r.tail && row.tool == "process" // the first of the last words
	case "tail": // a command of a shell says less than a crash before it
		return r.current == nil || r.current == r.tail && (row.tool != "shell" || strings.HasSuffix(r.current.Tool, "sh") || r.current.Tool == row.tool)
	}
	return true
}

// number returns the number that is a part of the line, or 0.
func (r *reportReader) number(part string) int {
	text := r.match.Text(part)
	return ascii.Number(text[:min(len(text), 18)])
}

// captured returns the parts of the line that matched a row.
func (r *reportReader) captured(row *reportRow, line []byte) Failure {
	text := func(part string) string {
		if text := r.match.Text(part); text != nil {
			return string(bytes.TrimSpace(text))
		}
		return ""
	}
	f := Failure{
		Kind: row.kind, Tool: row.tool, First: r.line, Last: r.line,
		Name: strings.TrimPrefix(text("suite")+" > "+text("name"), " > "), File: text("file"), Line: r.number("at"), Column: r.number("column"),
		Message: shorten(text("message")), Expected: text("expected"), Actual: text("actual"),
	}
	if code := text("code"); code != "" {
		word, _, _ := bytes.Cut(line[bytes.LastIndexByte(line[:max(bytes.Index(line, []byte(code)), 0)], ' ')+1:], []byte(" "))
		f.Name = strings.TrimSpace(strings.TrimSuffix(string(word), ":"))
	}
	if row.whole {
		f.Message = shorten(strings.TrimPrefix(string(line[max(bytes.Index(line, []byte(f.Message)), 0):]), f.Place()+": "))
	}
	if exit := text("exit"); exit != "" {
		f.Name, f.Message = "exit code "+exit, exitCauses[exit]
		if f.Message != "" {
			f.Kind = "resource"
		}
	}
	return f
}

// exitCauses are the causes that the exit codes of a shell state: 128 and the
// number of the signal, or that of timeout(1).
var exitCauses = map[string]string{"124": "timeout", "134": "aborted", "137": "killed, most often because it is out of memory", "139": "segmentation fault"}

// apply does what the role of a row says.
func (r *reportReader) apply(row *reportRow, f Failure, text []byte) {
	switch row.role {
	case "loose":
		if r.current != nil && f.Message == "" {
			f, r.tail = *r.tail, nil // the last words before the exit
		}
		if r.fail(f); row.tool != "process" {
			r.end(r.current)
		}
	case "fail", "block":
		r.fail(f)
		r.explicit = row.role == "block"
	case "tail":
		if r.current == nil || f.Message != "" || f.Name == "" && f.Tool != "process" && f.Tool != r.current.Tool { // an exit code says less than what precedes it
			r.end(new(f))
		}
	case "start":
		r.current, r.explicit = new(f), false
		r.remember(r.current)
	case "pass":
		delete(r.named, f.key())
		r.current, r.tail = nil, nil
		r.passes++
	case "section":
		r.section, r.current = row.tool, nil
		r.count()
	case "end":
		r.ended = r.line
		if c := cmp.Or(r.tail, r.current); c != nil && ascii.HasPrefix(text, "FAIL") && (r.tail != nil || strings.HasPrefix(c.Message, "panic: ")) {
			r.fail(*c)
		}
		r.section, r.current, r.tail = "", nil, nil
		r.count()
	case "step", "ignored", "retried":
		r.dismiss(row, f)
	case "context":
		f.fill(r.context[row.tool])
		r.context[row.tool] = f
	case "drop":
		r.found = slices.DeleteFunc(r.found, func(other *Failure) bool { return other == r.current })
		r.current = nil
	default:
		r.describe(row, f, text)
	}
}

// end makes f the current failure, which is one if the log ends soon. A message of
// any program after the place that a tool names is the tool's.
func (r *reportReader) end(f *Failure) {
	if c := r.current; c != nil && (c.Tool == f.Tool || c.Message == "" && f.Tool == "process") {
		f.fill(*c)
		f.Tool = c.Tool
	}
	r.tail, r.current, r.goesOn, r.exited = f, f, false, false
	if f.Name == "" && (f.File != "" || f.Tool == "node") {
		r.source = r.line + 1
	}
	if isLibrary(f.File, nil) {
		f.File, f.Line, f.Column = "", 0, 0 // a frame says more
	}
}

// describe adds to the current failure.
func (r *reportReader) describe(row *reportRow, f Failure, text []byte) {
	c, last := r.current, row.role == "last"
	c.Last = r.line
	if last && !row.whole && !strings.HasPrefix(f.File, "<") { // a frame of a frozen module has no source
		r.source = r.line + 1
	}
	switch {
	case row.role == "name":
		delete(r.named, c.key())
		c.Name = strings.TrimSpace(c.Name + " " + f.Name)
		r.remember(c)
	case last && row.whole:
		c.Message = f.Message
	case row.role != "detail" && isLibrary(f.File, text):
		return
	case last:
		c.File, c.Line, c.Column = f.File, f.Line, f.Column
	}
	c.fill(f)
	c.compare(&r.match)
}

// under adds a failure of which the current line is the place, or the reason, if
// a line above says the rest. It reports whether one does.
func (r *reportReader) under(f Failure) bool {
	lead := r.lead
	if lead == nil || r.line-lead.Last > maxMessageAt || lead.Tool != f.Tool && (lead.Tool != anyTool || f.File == "") {
		lead = nil
		for i := range rowsOf["above"].in(rowsOf["above"]) {
			r.match.Reset()
			if row := &reportRows[i]; lead == nil && row.tool == f.Tool && row.pattern.Match(r.above, &r.match) {
				lead = new(r.captured(row, r.above))
				lead.First--
			}
		}
	}
	if lead == nil {
		return false
	}
	f.First, r.lead, r.tail = lead.First, nil, nil
	f.fill(*lead)
	r.fail(f)
	return true
}
