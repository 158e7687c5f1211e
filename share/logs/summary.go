package logs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/shape"
)

// Summary describes what went wrong in a log.
type Summary struct {
	Analysis Analysis `json:"analysis"`
	// FirstError is the error that is likely to name the cause. If the log
	// states that something has failed, such as a test or a command, it starts
	// the errors that lead to the first such statement: at most 100 lines lie
	// between two of them. In other logs it is the first error or fatal entry. A
	// heading such as "There were errors:" is passed over if another error
	// follows.
	// LastError is the last error that is neither a heading nor the exit of a
	// process, if there is one. Their Line is 0 if there is no error.
	FirstError Excerpt `json:"firstError"`
	LastError  Excerpt `json:"lastError"`
	// Rarest are at most 6 groups of errors or, if there are none, of warnings,
	// with the fewest entries: what happens once is closer to the cause than
	// what happens all the time.
	Rarest []Group `json:"rarest"`
	// Gaps are the longest periods without an entry, at most 3, each at least
	// 10 seconds and 20 times the mean of the others.
	Gaps []Period `json:"gaps"`
	// Verdict is the last entry that states the outcome: a result such as BUILD
	// FAILED, a count of errors, or an exit code. Its Line is 0 if there is
	// none.
	Verdict Excerpt `json:"verdict"`
	// Slowest are the entries that state the longest durations, at most 3, each
	// at least a second.
	Slowest []Period `json:"slowest"`
	// Groups are the entries by level and shape: by level, worst first, and then
	// by size, largest first. There are at most 8,192, each with 1,024 bytes of a
	// message.
	Groups []Group `json:"groups"`
	// Report is what the tools that wrote the log report: failures and counts.
	Report Report `json:"report"`
	// Bars are those of [Histogram], if [Options].Bars asks for them.
	Bars []Bar `json:"-"`
}

// summaryJSON is a Summary without its methods, what failed in a sentence, and
// its failures.
type summaryJSON struct {
	Sentence string    `json:"sentence"`
	Failures []Failure `json:"failures"`
	*summaryFields
}

type summaryFields Summary

// MarshalJSON implements [json.Marshaler]. The sentence of the report and the
// failures come first.
func (s Summary) MarshalJSON() ([]byte, error) {
	return json.Marshal(summaryJSON{s.Report.Sentence(), orEmpty(s.Report.Failures), (*summaryFields)(&s)})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (s *Summary) UnmarshalJSON(data []byte) error {
	wire := summaryJSON{summaryFields: (*summaryFields)(s)}
	err := json.Unmarshal(data, &wire)
	s.Report.Failures = wire.Failures
	return err
}

// maxRarest is the number of the rarest groups of a Summary.
const maxRarest = 6

// Summarize returns a summary of what went wrong in a log. It makes two passes
// over the log, with memory for the groups, about 20 MB at most.
func Summarize(log string, opts Options) Summary { return SummarizeParts(whole(log), opts) }

// SummarizeParts is [Summarize] for a log that is not wholly in memory. Each
// iteration of parts must yield the log from its beginning; a line may continue
// from one part to the next.
func SummarizeParts(parts iter.Seq[string], opts Options) Summary {
	r := summarizer{groups: collector{new(shape.Grouper), map[uint64]*countedGroup{}}, pace: pace{opts: opts}, first: errorChain{failed: true}, vague: true}
	s := &r.summary
	report := newReportReader()
	t := tracker{output: report.add}
	t.eachEntry(cutLines(func(yield func(string) bool) {
		for part := range parts {
			t.counts.Bytes += int64(len(part))
			yield(part) // all are read
		}
	}), r.add)
	if s.FirstError = r.chain.cause; !r.chain.failed {
		s.FirstError = r.first.cause
	}
	s.Analysis = t.analysis(opts)
	s.Groups = []Group{}
	for _, g := range r.groups.groups {
		s.Groups = append(s.Groups, r.groups.described(g))
	}
	slices.SortFunc(s.Groups, compareGroups)
	s.Rarest, s.Gaps, s.Slowest = orEmpty(s.rarest()), orEmpty(r.pace.gaps()), orEmpty(s.Slowest)
	lines := fill(cutLines(parts), &s.FirstError, &s.LastError, &s.Verdict)
	if s.Bars = r.pace.whole.bars(lines, opts.Bars, opts); s.Bars == nil {
		lines(func(string) bool { return true })
	}
	s.Report = report.finish().complete(s, report.ended)
	return *s
}

// summarizer reads the entries of a log.
type summarizer struct {
	summary   Summary
	groups    collector
	pace      pace
	chain     errorChain
	first     errorChain // ends at the first failure
	vague     bool       // the last error is a heading, or the exit of a process
	concluded int        // the line of the last entry that states an outcome
}

func (r *summarizer) add(e *entryText) {
	s := &r.summary
	r.groups.add(e)
	r.pace.add(e)
	if d := statedDuration(e.message); d >= time.Second {
		s.Slowest = keepLongest(s.Slowest, Period{e.line, d, shorten(e.message)})
	}
	concludes := e.concludes()
	if e.level >= LevelError {
		excerpt := Excerpt{Line: e.line, Level: e.level, ExceptionLine: e.thrown}
		exits := reportsExit(e.message)
		vague := exits || isHeading(e.message)
		r.first.add(e, excerpt, vague, exits, concludes)
		r.chain.add(e, excerpt, vague, exits, concludes)
		if !vague || r.vague {
			s.LastError, r.vague = excerpt, vague
		}
	}
	if concludes {
		// of lines that count the results of several hosts or suites, the worst
		if e.line > r.concluded+1 || e.level >= s.Verdict.Level {
			s.Verdict = Excerpt{Line: e.line, Level: e.level}
		}
		r.concluded = e.line
	}
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

func (c *errorChain) add(e *entryText, excerpt Excerpt, vague, exits, concludes bool) {
	if c.ended {
		return
	}
	c.ended = exits
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

// rarest returns the smallest groups of errors or, if there are none, of
// warnings. If there are too many, it omits those that the summary shows
// elsewhere.
func (s *Summary) rarest() []Group {
	least := LevelWarning
	if len(s.Groups) > 0 && s.Groups[0].Level > least {
		least = LevelError
	}
	found := slices.DeleteFunc(slices.Clone(s.Groups), func(g Group) bool { return g.Level < least })
	if len(found) > maxRarest {
		found = slices.DeleteFunc(found, s.quotes)
	}
	slices.SortStableFunc(found, func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Count, b.Count), cmp.Compare(a.First, b.First))
	})
	return found[:min(len(found), maxRarest)]
}

// quotes reports whether g is a single entry that the summary quotes.
func (s *Summary) quotes(g Group) bool {
	return g.Count == 1 && (g.First == s.FirstError.Line || g.First == s.LastError.Line || g.First == s.Verdict.Line)
}

// concludes reports whether the entry states an outcome.
func (e *entryText) concludes() bool {
	if !e.outcome {
		return false
	}
	text := e.text[e.dated:min(len(e.text), e.dated+maxHead)]
	if (strings.Contains(text, "FAIL") || strings.Contains(text, "SS")) && (slices.ContainsFunc(strings.Fields(text), statesOutcome) || strings.Contains(text, "BUILD SUCCESSFUL")) {
		return true
	}
	var buf [maxHead]byte // stays on the stack
	_, counted := level.OfCount(append(buf[:0], strings.TrimLeft(text, " \t")...))
	return counted || reportsExit(text)
}

// statesOutcome reports whether a word is a verdict, and not part of another.
func statesOutcome(word string) bool {
	result := strings.Trim(word, "[]()*.,:;!")
	return result == "SUCCESS" || result == "PASSED" || level.IsVerdict([]byte(word))
}

// String returns the summary in about ten lines of text. If something failed,
// they follow [Report.String].
func (s Summary) String() string {
	var b strings.Builder
	b.WriteString(s.Report.String())
	a := s.Analysis
	fmt.Fprintf(&b, "lines %d, entries %d, fatal %d, errors %d, warnings %d\n", a.Lines, a.Entries, a.Fatal, a.Errors, a.Warnings)
	if s.FirstError.Line > 0 {
		s.FirstError.write(&b, "first", s.isAlone(s.FirstError), 2)
	}
	if s.LastError.Line > s.FirstError.Line {
		s.LastError.write(&b, "last", s.isAlone(s.LastError), 0)
	}
	for _, g := range s.Rarest {
		if !s.quotes(g) {
			fmt.Fprintf(&b, "rare         L%d  %s × %d  %s\n", g.First, g.Level, g.Count, g.Text)
		}
	}
	for _, g := range s.Gaps {
		fmt.Fprintf(&b, "gap          L%d  nothing for %v\n", g.Line, g.Duration)
	}
	for _, step := range s.Slowest {
		fmt.Fprintf(&b, "slow         L%d  %v  %s\n", step.Line, step.Duration, step.Text)
	}
	if s.Verdict.Line > 0 {
		fmt.Fprintf(&b, "verdict      L%d  %s\n", s.Verdict.Line, s.Verdict.Text)
	}
	return b.String()
}

// isAlone reports whether an error is the verdict or the exit of a process, which
// name no cause, and no other error starts in the lines just above it.
func (s Summary) isAlone(e Excerpt) bool {
	return (e.Line == s.Verdict.Line || reportsExit(e.Text)) && !slices.ContainsFunc(s.Groups, func(g Group) bool {
		return g.Level >= LevelError && g.Last < e.Line && g.Last >= e.Line-linesBefore
	})
}

// Failures returns what failed in the log of a build, a test or a command, at
// most 200 failures. It reads the formats of about 130 tools. If none of them
// wrote the log, but its verdict is that something failed, the only failure is
// the first error. [Summary] has a Report with the failures, and with counts.
func Failures(log string) []Failure { return Summarize(log, Options{}).Report.Failures }

// complete returns a report with the first error of the log if the tools report
// nothing but a failure, and no success after it. In the line ended, the last of
// them has ended.
func (r Report) complete(s *Summary, ended int) Report {
	unexplained := len(r.Failures) == 0 && (r.Failed > 0 || s.Verdict.Line > ended) || len(r.Failures) == 1 && r.Failures[0].Message == "" && r.Failures[0].Kind == "process"
	if first := s.FirstError; unexplained && first.Line > 0 && s.Verdict.Level >= LevelError && !s.isAlone(first) {
		r.Failures = []Failure{{Kind: "step", First: first.Line, Last: first.Line}}
		for line := range Lines(first.Text) { // only one
			r.Failures[0].Message = strings.Trim(line.Text[line.TimeEnd:], " \t]|:")
		}
		for _, line := range append([]string{first.Text, first.Exception}, first.After...) {
			if line != "" {
				var rows rowSet
				rowIndex.find([]byte(line), &rows)
				r.advise([]byte(line), &rows)
			}
		}
	}
	r.Failures, r.Advice = orEmpty(r.Failures), orEmpty(r.Advice)
	return r
}
