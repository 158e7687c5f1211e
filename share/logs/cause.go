package logs

import (
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/level"
)

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
	c.failed = c.failed || concludes
	c.last = e.last
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
