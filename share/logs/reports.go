package logs

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/pattern"
)

const (
	maxFailures  = 200
	maxNamed     = 1000 // tests that have started and failures, known by name
	maxBlock     = 80   // lines between two lines about one failure
	maxTail      = 25   // lines after the last words of a process
	maxMessageAt = 8    // lines from the name of a test to its message
	maxNested    = 3
	maxUnwrapped = 200 // lines after which no time is expected at the start of lines
)

// reportReader reads the lines of a log and collects failures. Its current
// failure is the one that lines are about.
type reportReader struct {
	report   Report
	found    []*Failure
	named    map[string]*Failure // tests by name, failed or started
	context  map[string]Failure  // the file or step that the lines of a tool are about
	current  *Failure
	section  string // the tool whose list of failures this is
	passes   int
	total    int
	line     int
	explicit bool     // rows alone state the message of the current failure
	source   int      // number of a line that is source code
	tail     *Failure // the last words of a process
	held     []int    // the last lines that held the texts of reportLiterals
	advised  int      // lines of failures
	wrapped  bool     // some line was
	match    pattern.Match
	scratch  []byte
}

func newReportReader() *reportReader {
	return &reportReader{named: make(map[string]*Failure), context: make(map[string]Failure), held: make([]int, len(reportLiterals.texts))}
}

// add reads a line.
func (r *reportReader) add(line string) {
	r.line++
	if r.current != nil && r.line-r.current.Last > maxBlock {
		r.current = nil
	}
	r.scratch = terminal.AppendText(r.scratch[:0], []byte(line[:min(len(line), maxHead)]))
	text := unwrapOutput(r.scratch)
	for range maxNested {
		text = trimBlanks(text)
		inner := r.read(text)
		if inner == nil {
			if r.current != nil && r.advised < maxAdvised {
				r.advised++
				r.report.advise(text)
			}
			break
		}
		text = inner
	}
}

// unwrapOutput returns the output that a line of go test -json or of Docker's log
// files holds, and any other line as it is.
func unwrapOutput(line []byte) []byte {
	if len(line) == 0 || line[0] != '{' {
		return line
	}
	for _, field := range [...]string{`"Output":"`, `"log":"`} {
		_, rest, ok := bytes.Cut(line, []byte(field))
		quoted, err := strconv.QuotedPrefix(`"` + string(rest))
		if text, _ := strconv.Unquote(quoted); ok && err == nil {
			return []byte(text)
		}
	}
	if bytes.HasPrefix(line, []byte(`{"Time":`)) {
		return nil // an event of go test -json without output
	}
	return line
}

func trimBlanks(text []byte) []byte { return trimEnd(bytes.TrimLeft(text, " \t")) }

// read reads the text of a line. If another program wrapped it, it returns what
// that one wrapped.
func (r *reportReader) read(text []byte) []byte {
	if len(text) == 0 {
		return nil
	}
	reportLiterals.find(text, r.line, r.held)
	for _, row := range reportRows[text[0]] {
		if !r.holds(row) || !r.applies(row) || !row.pattern.Match(text, &r.match) {
			continue
		}
		if row.role == "wrap" {
			r.wrapped = true
			return text[r.match.Rest:]
		}
		if f := r.captured(row, text); row.fits(f) {
			r.apply(row, f, text)
			return nil
		}
	}
	r.message(text)
	return nil
}

// message takes a line that no row reads for the message of the current
// failure, if that has none, or one that goes on after a colon. The line after
// a frame is its source.
func (r *reportReader) message(text []byte) {
	f := r.current
	if f == nil || f.Kind == "process" || r.explicit || r.line-f.Last > maxMessageAt || r.line == r.source || !slices.ContainsFunc(text, isAlnum) {
		return
	}
	switch {
	case f.Message == "":
		f.Message = shorten(string(text))
	case strings.HasSuffix(f.Message, ":"):
		f.Message = shorten(f.Message + " " + string(text))
	default:
		return
	}
	f.Last = r.line
	f.compare(&r.match)
}

func isAlnum(c byte) bool { return ascii.IsLetter(c) || ascii.IsDigit(c) }

// holds reports whether the line has a text that the row needs.
func (r *reportReader) holds(row *reportRow) bool {
	return len(row.literals) == 0 || slices.ContainsFunc(row.literals, func(n int) bool { return r.held[n] == r.line })
}

// applies reports whether a row can apply to a line here.
func (r *reportReader) applies(row *reportRow) bool {
	if row.inSection && r.section != row.tool {
		return false
	}
	switch row.role {
	case "wrap":
		return len(row.literals) > 0 || r.wrapped || r.line < maxUnwrapped
	case "detail", "frame", "last", "text", "drop":
		return r.current != nil && (row.tool == "*" || row.tool == r.current.Tool)
	case "name":
		return r.current != nil && r.line == r.current.Last+1 && r.current.Message == "" && row.tool == r.current.Tool
	case "loose":
		return r.current == nil
	case "tail":
		return r.current == nil || r.current == r.tail
	case "value":
		return false
	}
	return true
}

// fits reports whether the file of a failure has one of the suffixes of a row.
func (row *reportRow) fits(f Failure) bool {
	return row.suffixes == nil || slices.ContainsFunc(row.suffixes, func(suffix string) bool { return strings.HasSuffix(f.File, suffix) })
}

// captured returns the parts of the line that matched a row.
func (r *reportReader) captured(row *reportRow, line []byte) Failure {
	text := func(part string) string { return strings.TrimSpace(string(r.match.Text(part))) }
	number := func(part string) int { n, _ := strconv.Atoi(text(part)); return n }
	f := Failure{
		Kind: row.kind, Tool: row.tool, First: r.line, Last: r.line,
		Name: text("name"), File: text("file"), Line: number("at"), Column: number("column"),
		Message: shorten(text("message")), Expected: text("expected"), Actual: text("actual"),
	}
	if suite := text("suite"); suite != "" {
		f.Name = suite + " > " + f.Name
	}
	if method := text("method"); method != "" {
		f.Name += "#" + method
	}
	if text("code") != "" {
		f.Name, _, _ = strings.Cut(string(line), " ")
	}
	if row.whole {
		f.Message = shorten(string(line))
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
	case "fail", "loose", "block":
		r.fail(f)
		r.explicit = row.role == "block"
	case "tail":
		r.tail, r.current = &f, &f
	case "start":
		r.current = &f
		r.remember(&f)
	case "pass":
		delete(r.named, f.key())
		r.current, r.tail = nil, nil
		r.passes++
	case "section":
		r.section, r.current = row.tool, nil
		r.count()
	case "end":
		r.section, r.current, r.tail = "", nil, nil
		r.count()
	case "context":
		f.fill(r.context[row.tool])
		r.context[row.tool], r.current = f, nil
	case "drop":
		r.found = slices.DeleteFunc(r.found, func(other *Failure) bool { return other == r.current })
		r.current = nil
	default:
		r.describe(row, f, text)
	}
}

// describe adds to the current failure.
func (r *reportReader) describe(row *reportRow, f Failure, text []byte) {
	switch c := r.current; row.role {
	case "name":
		delete(r.named, c.key())
		c.Name += " " + f.Name
		r.remember(c)
	case "last":
		if r.source = r.line + 1; row.whole {
			c.Message = f.Message
			break
		}
		if isLibrary(f.File, text) {
			return
		}
		c.File, c.Line, c.Column = f.File, f.Line, f.Column
	case "frame":
		if isLibrary(f.File, text) {
			return
		}
	}
	r.current.fill(f)
	r.current.compare(&r.match)
	r.current.Last = r.line
}

// fail adds a failure, or what is new about one that is known.
func (r *reportReader) fail(f Failure) {
	if known := r.named[f.key()]; known != nil {
		known.fill(f)
		known.Last = r.line
		r.current = known
	} else {
		context := r.context[f.Tool]
		if f.File == "" {
			f.File, f.Line = context.File, max(f.Line, context.Line)
		}
		f.fill(Failure{Name: context.Name})
		r.remember(&f)
		r.current = &f
	}
	r.current.compare(&r.match)
	if slices.Contains(r.found, r.current) {
		return
	}
	if len(r.found) == maxFailures {
		r.report.Omitted++
		return
	}
	r.found = append(r.found, r.current)
}

// remember makes later lines about the failure part of it. Of a log with more
// names than a log of tests has at a time, the further ones are forgotten.
func (r *reportReader) remember(f *Failure) {
	if len(r.named) < maxNamed {
		r.named[f.key()] = f
	}
}

// key identifies a failure that a tool reports more than once: a test by the
// last of its names, anything else by its place and message.
func (f Failure) key() string {
	if f.Kind != "test" || f.Name == "" {
		return fmt.Sprint(f.Tool, f.Kind, f.Place(), f.Name, f.Message)
	}
	return f.Tool + "\n" + strings.ReplaceAll(f.Name, "::", ".")
}

// fill sets the fields that are empty.
func (f *Failure) fill(other Failure) {
	if f.File == "" || f.Line == 0 && other.Line > 0 {
		f.File, f.Line, f.Column = other.File, other.Line, other.Column
	}
	for _, field := range [...]struct {
		to   *string
		from string
	}{{&f.Name, other.Name}, {&f.Message, other.Message}, {&f.Expected, other.Expected}, {&f.Actual, other.Actual}} {
		if *field.to == "" {
			*field.to = field.from
		}
	}
}

// compare reads the values that a message compares.
func (f *Failure) compare(m *pattern.Match) {
	if f.Kind != "test" || f.Message == "" || f.Expected != "" {
		return
	}
	text := []byte(f.Message)
	for _, row := range reportRows[text[0]] {
		if row.role == "value" && row.pattern.Match(text, m) {
			f.Expected, f.Actual = string(m.Text("expected")), string(m.Text("actual"))
			return
		}
	}
}

// isLibrary reports whether a frame of a stack trace is of a library or of the
// tool itself.
func isLibrary(file string, text []byte) bool {
	for _, part := range [...]string{
		"node_modules", "node:", "/usr/local/go/src/", "/go/pkg/mod/", "/usr/lib/", "site-packages", "org.junit.", "org.opentest4j.",
		"java.base/", "jdk.internal.", "java.lang.", "java.util.", "/rustc/", "org.scalatest.", "/gems/", "/vendor/", "<frozen ",
	} {
		if strings.Contains(file, part) || strings.Contains(string(text), part) {
			return true
		}
	}
	return false
}

// count adds the numbers that a line states.
func (r *reportReader) count() {
	number := func(part string) int { n, _ := strconv.Atoi(string(r.match.Text(part))); return n }
	r.report.Failed += number("failed") + number("errors")
	r.report.Passed += number("passed")
	r.report.Skipped += number("skipped")
	r.total += number("total")
	if seconds, err := strconv.ParseFloat(string(r.match.Text("seconds")), 64); err == nil {
		r.report.Duration += time.Duration(seconds * float64(time.Second))
	}
}

// finish returns the report.
func (r *reportReader) finish() Report {
	if r.tail != nil && r.line-r.tail.Last <= maxTail {
		r.found = append(r.found, r.tail)
	}
	cause := slices.ContainsFunc(r.found, func(f *Failure) bool { return !f.isConsequence() })
	for _, f := range r.found {
		if cause && f.isConsequence() || r.isParent(f) {
			continue
		}
		r.report.Failures = append(r.report.Failures, *f)
	}
	if r.total > 0 && r.report.Passed == 0 {
		r.report.Passed = max(0, r.total-r.report.Failed-r.report.Skipped)
	}
	if r.report.Passed == 0 && r.report.Failed == 0 && r.passes > 0 {
		r.report.Passed, r.report.Failed = r.passes, len(r.report.Failures)
	}
	return r.report
}

// isConsequence reports whether a failure may be that of a command which
// reported its failures itself.
func (f *Failure) isConsequence() bool { return f.Kind == "step" || f.Kind == "process" }

// isParent reports whether a test failed only because a test within it did.
func (r *reportReader) isParent(f *Failure) bool {
	return f.Kind == "test" && f.Message == "" && slices.ContainsFunc(r.found, func(other *Failure) bool {
		return other.Tool == f.Tool && strings.HasPrefix(other.Name, f.Name+"/")
	})
}
