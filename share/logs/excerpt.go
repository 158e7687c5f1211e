package logs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/head"
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

// fill yields the lines of a log, from which it fills excerpts.
func fill(lines iter.Seq[string], excerpts ...*Excerpt) iter.Seq[string] {
	number := 0
	var r head.Reader
	hasContent := func(text string) bool { return len(bytes.TrimSpace(r.Unwrap([]byte(text)))) > 0 } // more than its wrapper
	return func(yield func(string) bool) {
		for line := range lines {
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
			if !yield(line) {
				return
			}
		}
	}
}

// orEmpty returns a copy of list that is never null in JSON.
func orEmpty[T any](list []T) []T { return append([]T{}, list...) }

// write writes an error with its exception and at most below lines after its
// head. If above is set, it writes the lines before the head too.
func (e Excerpt) write(b *strings.Builder, which string, above bool, below int) {
	if above {
		for i, line := range e.Before {
			fmt.Fprintf(b, "before       L%d  %s\n", e.Line-len(e.Before)+i, line)
		}
	}
	fmt.Fprintf(b, "%-11s  L%d  %s\n", which+" error", e.Line, e.Text)
	below = min(below, len(e.After))
	for _, line := range e.After[:below] {
		fmt.Fprintf(b, "             %s\n", line)
	}
	if e.ExceptionLine > e.Line+below {
		fmt.Fprintf(b, "exception    L%d  %s\n", e.ExceptionLine, e.Exception)
	}
}
