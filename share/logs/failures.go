package logs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

// Failure is something that failed: a test, a file that does not compile, a
// finding of a linter, a step of a build. Fields that the log does not state
// are empty.
type Failure struct {
	// Kind is one of the words test, compile, lint, step, process, dependency
	// (a package that cannot be had) and resource (memory, disk, an image).
	Kind string `json:"kind"`
	// Name is the name of the test, rule, error or step as the tool writes it.
	Name string `json:"name"`
	// File, Line and Column are the place in the source, as the tool writes it.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Message is the reason, of at most 1,024 bytes.
	Message string `json:"message"`
	// Expected and Actual are the values that a test compares.
	Expected string `json:"expected"`
	Actual   string `json:"actual"`
	// Tool is the tool that reported it, in lower case.
	Tool string `json:"tool"`
	// First and Last are the numbers of the first and the last line of the log
	// that describe it.
	First int `json:"first"`
	Last  int `json:"last"`
}

// Place returns the file, line and column, separated by colons.
func (f Failure) Place() string {
	place := fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
	return ascii.If(f.File != "", strings.TrimSuffix(strings.TrimSuffix(place, ":0"), ":0"))
}

// Reason returns the values that a test compares or, if there are none, the
// message.
func (f Failure) Reason() string {
	return cmp.Or(ascii.If(f.Expected != "" && f.Actual != "", "expected "+f.Expected+", actual "+f.Actual), f.Message)
}

// Report is what the tools that wrote a log report.
type Report struct {
	// Failures are at most 200, in the order of the log. A failed step, process
	// or resource is among them only if nothing else failed.
	Failures []Failure `json:"-"` // [Summary] has them beside the report in JSON
	// Omitted is the number of further failures.
	Omitted int `json:"omitted"`
	// Passed, Failed and Skipped are the numbers of tests that the tools state,
	// and Duration is the time of the tests. They are 0 if no tool states them.
	Passed   int           `json:"passed"`
	Failed   int           `json:"failed"`
	Skipped  int           `json:"skipped"`
	Duration time.Duration `json:"nanoseconds"`
	// Advice says what to do about failures whose cause is certain, in at most
	// three sentences.
	Advice []string `json:"advice"`
}

// Sentence says what failed, in one line:
//
//	1 of 201 tests failed: TestCheckout · checkout_test.go:41 · expected 200, actual 500
//	panic: runtime error: index out of range [3] with length 3 · cart/cart.go:41
//
// It is empty if nothing failed.
func (r Report) Sentence() string {
	if len(r.Failures) == 0 {
		return ""
	}
	f := r.Failures[0]
	what := r.headline(f)
	if f.uncaught() != "" {
		f.Message = ""
	}
	return f.sentence(what)
}

// maxListed is the number of failures in the text of a summary.
const maxListed = 5

// String returns what failed and what to do about it: a line of [Report.Sentence]
// and one for each of four more failures and for each advice. It is empty if
// nothing failed.
func (r Report) String() string {
	if len(r.Failures) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintln(&b, r.Sentence())
	for _, f := range r.Failures[1:min(len(r.Failures), maxListed)] {
		fmt.Fprintf(&b, "failed       L%d  %s\n", f.First, f.sentence(f.Name))
	}
	if n := len(r.Failures) + r.Omitted - maxListed; n > 0 {
		fmt.Fprintf(&b, "             and %d more\n", n)
	}
	for _, sentence := range r.Advice {
		fmt.Fprintf(&b, "advice       %s\n", sentence)
	}
	return b.String()
}

// sentence says where and why something failed, after what failed.
func (f Failure) sentence(what string) string {
	parts := []string{what, f.Place(), f.Reason()}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
}

// headline says how much failed, and the name of the first failure. If that is no
// test, it names the first test that failed too.
func (r Report) headline(f Failure) string {
	n := r.ofKind(f.Kind) + r.Omitted
	var what string
	switch {
	case f.Tool == "":
		what = "failed"
	case f.Kind == "test":
		what = r.failedTests(n)
	case f.Kind == "compile":
		what = counted(n, "compile error")
	case f.Kind == "lint":
		what = counted(n, "finding")
	default:
		what = cmp.Or(f.uncaught(), f.Tool+" failed")
	}
	if f.Name != "" && f.uncaught() == "" {
		what += ": " + f.Name
	}
	if n := r.ofKind("test"); n > 0 && f.Kind != "test" {
		test := slices.IndexFunc(r.Failures, func(f Failure) bool { return f.Kind == "test" })
		what = fmt.Sprintf("%s (%s), %s", r.failedTests(n), r.Failures[test].Name, what)
	}
	return what
}

// runtimes are the tools that run a program until it fails.
var runtimes = strings.Fields("go python node java rust ruby php dotnet swift sanitizer c elixir perl lua signal minecraft")

// uncaught returns the panic, exception or signal that ended a program, which says
// more than that it failed, or "".
func (f Failure) uncaught() string {
	text, name := withoutPackage(f.Message), withoutPackage(f.Name)
	if f.Kind != "process" || text == "" || !slices.Contains(runtimes, f.Tool) {
		return ""
	}
	return ascii.If(f.Tool != "java" && f.Tool != "rust" && !strings.Contains(text, name), name+": ") + text // these name the thread
}

// withoutPackage returns the text of an exception without the package of its name.
func withoutPackage(text string) string {
	name, _, _ := strings.Cut(text, ":")
	i := strings.LastIndexAny(name, `.\`) + 1
	return text[ascii.If(i < len(name) && ascii.IsUpper(name[i]) && !strings.ContainsAny(name, " /("), i):]
}

// failedTests says how many tests failed, at least n.
func (r Report) failedTests(n int) string {
	n = max(n, r.Failed)
	return ascii.If(r.Passed > 0, fmt.Sprintf("%d of ", n)) + counted(n+r.Passed, "test") + " failed"
}

// ofKind returns the number of failures of a kind.
func (r Report) ofKind(kind string) int {
	return len(slices.DeleteFunc(slices.Clone(r.Failures), func(f Failure) bool { return f.Kind != kind }))
}

func counted(n int, noun string) string {
	return fmt.Sprintf("%d %s%s", n, noun, ascii.If(n != 1, "s"))
}
