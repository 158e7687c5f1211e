package logs

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share/logs/internal/head"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/shape"
)

// The numbers of lines around the head of an excerpt.
const linesBefore, linesAfter = 5, 5

// Excerpt is an entry with the lines around it.
type Excerpt struct {
	Line  int   `json:"line"`  // number of its head, from 1
	Level Level `json:"level"` // of the entry
	// Text is its head without colour codes and ##[error] or, if nothing is left,
	// the next line; at most 1,024 bytes.
	Text string `json:"text"`
	// Before are at most 5 lines above the head, After the first 5 meaningful
	// lines below it, each without colour codes and of at most 1,024 bytes.
	Before []string `json:"before"`
	After  []string `json:"after"`
	// Exception is the exception if a line below the head names one, and
	// ExceptionLine the number of that line, else 0.
	Exception     string `json:"exception"`
	ExceptionLine int    `json:"exceptionLine"`
}

// MarshalJSON implements [json.Marshaler]. An empty Excerpt is null.
func (e Excerpt) MarshalJSON() ([]byte, error) {
	if e.Line == 0 {
		return []byte("null"), nil
	}
	type excerpt Excerpt
	e.Before, e.After = orEmpty(e.Before), orEmpty(e.After)
	return json.Marshal(excerpt(e))
}

// fill fills excerpts with their lines of the log.
func fill(parts iter.Seq[string], excerpts ...*Excerpt) {
	number := 0
	var r head.Reader
	hasContent := func(text string) bool { return len(bytes.TrimSpace(r.Unwrap([]byte(text)))) > 0 } // more than its wrapper
	for line := range cutLines(parts) {
		number++
		for _, e := range excerpts {
			if number == e.ExceptionLine {
				e.Exception = shorten(plainText(line))
			}
			if e.Line == 0 || number < e.Line-linesBefore || len(e.After) == linesAfter {
				continue
			}
			text := shorten(strings.Replace(plainText(line), "##[error]", "", 1))
			switch {
			case number < e.Line:
				e.Before = append(e.Before, text)
			case number == e.Line || !hasContent(e.Text):
				e.Text = text
			case hasContent(text):
				e.After = append(e.After, text)
			}
		}
	}
}

// orEmpty returns a copy of list that is never null in JSON.
func orEmpty[T any](list []T) []T { return append([]T{}, list...) }

// plainText returns a line without escape sequences and trailing blanks.
func plainText(line string) string { return strings.TrimRight(terminal.Text(line), " \r") }

// shorten truncates a text to 1,024 bytes.
func shorten(text string) string {
	if len(text) <= shape.MaxText {
		return strings.Clone(text)
	}
	return strings.ToValidUTF8(text[:shape.MaxText], "")
}

// maxErrorGap is the number of lines that may lie between errors of one chain,
// and maxHeading the number that may lie between a heading and what it
// announces.
const (
	maxErrorGap = 100
	maxHeading  = 10
)

// errorChain finds the first error in the latest chain of errors that lie close
// together, or in the chain that led to the first failure of the log. It prefers
// what a heading announces to the heading. Neither a heading nor the exit of a
// process starts another chain: the errors before it say more.
type errorChain struct {
	cause  Excerpt
	vague  bool // cause is a heading, or the exit of a process
	failed bool // the log has stated a failure
	ended  bool // the failure is the exit of a process
	last   int  // last line of the last error
}

func (c *errorChain) add(e *entryText, excerpt Excerpt, vague, concludes bool) {
	if c.ended {
		return
	}
	c.ended = reportsExit(e.message)
	apart := e.line > c.last+maxErrorGap && !vague
	if c.last == 0 || apart && !c.failed || c.vague && !vague && e.line <= c.cause.Line+maxHeading {
		c.cause, c.vague = excerpt, vague
	}
	c.failed, c.last = c.failed || concludes, e.last
}

// reportsExit reports whether a message says that a process has failed, and no
// more.
func reportsExit(message string) bool {
	return strings.Contains(message, "exit") &&
		(strings.Contains(message, "exit code ") || strings.Contains(message, "exit status ") || strings.Contains(message, "exited with ")) && !strings.Contains(message, "exited with no ")
}

// isHeading reports whether a message does not say what is wrong: it counts
// failures, has no other words than those of headings, or is that of Ninja
// above a failed command.
func isHeading(message string) bool {
	_, counted := level.OfCount([]byte(message))
	return counted || strings.HasPrefix(message, "FAILED: ") || level.NamesNothing(message)
}
