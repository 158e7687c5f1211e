package logs

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

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
	maxCompared  = 10_000_000 // failures that are compared with tests that passed in another run
	maxReported  = 512        // bytes of a line
)

// reportReader reads the lines of a log and collects failures. Its current
// failure is the one that lines are about.
type reportReader struct {
	report           Report
	found            []*Failure
	named            map[Failure]*Failure // tests by name, failed or started
	context          map[string]Failure   // the file or step that the lines of a tool are about
	current          *Failure
	section          string // the tool whose list of failures this is
	passes           int
	total            int
	command, kept    int    // number of failures before the last command that a shell prints, and before the step
	before           Report // of the steps before
	broken           bool   // there is no step, or it has failed
	compared         int    // failures with tests that passed in another run
	ended            int    // the line in which a tool has ended
	line             int
	outcome          bool     // the current line may state an outcome
	explicit         bool     // rows alone state the message of the current failure
	source           int      // number of a line that is source code
	tail             *Failure // the last words of a process
	goesOn, exited   bool     // the last line after them is ordinary output; one is about an exit
	above            []byte   // the line before
	lead             *Failure // what a later line says the place of
	rows             rowSet   // that may match the current line
	applying         rowSet   // that apply in a section, to a failure of a tool
	applyIn, applyTo string
	match            pattern.Match
}

func newReportReader() *reportReader {
	return &reportReader{named: make(map[Failure]*Failure), context: make(map[string]Failure), applying: *anyRows, broken: true}
}

// fail adds a failure, or what is new about one that is known.
func (r *reportReader) fail(f Failure) {
	known := r.named[f.key()]
	if c := r.current; f.Name == "" && f.Kind == "test" && c != nil && c.Kind == "test" && c.Tool == f.Tool {
		known = c // the test that has started
	}
	if known != nil {
		known.fill(f)
		known.Last = r.line
		r.current = known
	} else {
		context := r.context[f.Tool]
		if f.File == "" {
			f.File, f.Line = context.File, max(f.Line, context.Line)
		}
		f.fill(Failure{Name: context.Name})
		r.current = new(f)
		r.remember(r.current)
	}
	if r.tail != nil && r.current.Name != "" && r.tail.Name == r.current.Name {
		r.current.fill(*r.tail) // the thread of a test has its name
	}
	r.current.compare(&r.match)
	switch {
	case slices.Contains(r.found, r.current):
	case len(r.found) == maxFailures:
		r.report.Omitted++
	default:
		r.found = append(r.found, r.current)
	}
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
func (f Failure) key() Failure {
	if f.Kind != "test" || f.Name == "" {
		return Failure{Tool: f.Tool, Kind: f.Kind, File: f.File, Line: f.Line, Column: f.Column, Name: f.Name, Message: f.Message}
	}
	return Failure{Tool: f.Tool, Name: strings.ReplaceAll(f.Name, "::", ".")}
}

// fill sets the fields that are empty.
func (f *Failure) fill(other Failure) {
	if f.File == "" || f.Line == 0 && other.Line > 0 {
		f.File, f.Line, f.Column = other.File, other.Line, other.Column
	}
	f.Name, f.Message = cmp.Or(f.Name, other.Name), cmp.Or(f.Message, other.Message)
	f.Expected, f.Actual = cmp.Or(f.Expected, other.Expected), cmp.Or(f.Actual, other.Actual)
}

// compare reads the values that a message compares.
func (f *Failure) compare(m *pattern.Match) {
	if f.Kind != "test" || f.Message == "" || f.Expected != "" {
		return
	}
	text := []byte(f.Message)
	m.Reset()
	var rows rowSet
	rowIndex.find(text, &rows)
	for i := range rows.in(rowsOf["value"]) {
		if reportRows[i].pattern.Match(text, m) {
			f.Expected, f.Actual = string(m.Text("expected")), string(m.Text("actual"))
			return
		}
	}
}

// isLibrary reports whether a frame of a stack trace is of a library or of the
// tool itself.
func isLibrary(file string, text []byte) bool {
	return slices.ContainsFunc(libraryRow.suffixes, func(part string) bool {
		return strings.Contains(file, part) || ascii.HasPrefix(text, "at ") && bytes.Contains(text, []byte(part))
	})
}

// dismiss drops failures of a step or a command that did not fail, or of tests
// that passed when they ran again.
func (r *reportReader) dismiss(row *reportRow, f Failure) {
	kept := len(r.found)
	switch {
	case row.role == "retried":
		if r.compared += kept; r.compared > maxCompared {
			return
		}
		again := " (re-run " + strconv.Itoa(r.number("runs")-1) + ")" // after the names of the last run
		r.found = slices.DeleteFunc(r.found, func(other *Failure) bool {
			suite, within := strings.CutSuffix(f.Name, other.Name)
			passed := within && (suite == "" || suite[len(suite)-1] == '.') || f.Name == "" && !strings.HasSuffix(other.Name, again)
			return passed && other.Tool == f.Tool
		})
		r.report.Failed = max(0, r.report.Failed-kept+len(r.found))
	case row.role == "ignored" && row.whole:
		r.found, r.report = nil, Report{}
	case row.role == "ignored":
		r.found, r.report = r.found[:min(max(r.command, r.kept), kept)], r.before
	case !r.broken:
		r.found, r.report = r.found[:min(r.kept, kept)], r.before
	}
	if row.role != "step" || !r.broken {
		r.current, r.tail, r.lead, r.ended = nil, nil, nil, r.line
	}
	if row.role == "step" {
		r.kept, r.before, r.broken = len(r.found), r.report, false
	}
}

// count adds the numbers that a line states.
func (r *reportReader) count() {
	r.report.Failed += r.number("failed") + r.number("errors")
	r.report.Passed += r.number("passed")
	r.report.Skipped += r.number("skipped")
	r.total += r.number("total")
	if seconds, err := strconv.ParseFloat(string(r.match.Text("seconds")), 64); err == nil {
		r.report.Duration += time.Duration(seconds * float64(time.Second))
	}
}

// scripted are tools after whose last words a script goes on.
var scripted = []string{"shell", "bash", "python", "node", "git"}

// finish returns the report.
func (r *reportReader) finish() Report {
	if t := r.tail; t != nil {
		if r.goesOn && slices.Contains(scripted, t.Tool) {
			r.found = slices.DeleteFunc(r.found, func(f *Failure) bool { return f == t })
		} else if r.line-t.Last <= maxTail && !slices.Contains(r.found, t) {
			r.found = append(r.found, t)
		}
	}
	cause := slices.ContainsFunc(r.found, func(f *Failure) bool { return !f.isConsequence() })
	for _, f := range r.found {
		if (!cause || !f.isConsequence()) && !r.isParent(f) {
			r.report.Failures = append(r.report.Failures, *f)
		}
	}
	if r.total > 0 && r.report.Passed == 0 {
		r.report.Passed = max(0, r.total-r.report.Failed-r.report.Skipped)
	}
	if r.report.Passed == 0 && r.report.Failed == 0 && r.passes > 0 {
		r.report.Passed, r.report.Failed = r.passes, r.report.ofKind("test")
	}
	return r.report
}

// isConsequence reports whether a failure may be that of a command which
// reported its failures itself.
func (f *Failure) isConsequence() bool { return f.Kind == "step" || f.Kind == "process" }

// isParent reports whether a test failed only because a test within it did,
// whose output may be that of another tool.
func (r *reportReader) isParent(f *Failure) bool {
	return f.Kind == "test" && f.Message == "" && slices.ContainsFunc(r.found, func(other *Failure) bool {
		within := strings.HasPrefix(other.Name, f.Name+"/")
		return other.Tool == f.Tool && within || other.Tool != f.Tool && other.First > f.First && other.Last < f.Last
	})
}
