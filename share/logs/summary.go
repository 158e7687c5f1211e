package logs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/devkiln/devkiln/internal/terminal"
)

// Summary describes what went wrong in a log.
type Summary struct {
	Analysis Analysis `json:"analysis"`
	// FirstError is the first error that is likely to name the cause: an entry
	// that is an error or fatal, but no heading such as "There were errors:",
	// if another one follows. If the log states that something has failed, such
	// as a test or a command, it is the first of the errors that lead to the
	// first such statement, with at most 100 lines between two of them.
	// LastError is the last error that is neither a heading nor the exit of a
	// process, if there is one. Their Line is 0 if there is no error.
	FirstError Excerpt `json:"firstError"`
	LastError  Excerpt `json:"lastError"`
	// Rarest are at most 6 groups of errors or, if there are none, of warnings,
	// with the fewest entries: what happens once is closer to the cause than
	// what happens all the time. If more are equally rare, these are the first
	// three and the last three.
	Rarest []Group `json:"rarest"`
	// Gaps are the longest periods without an entry, at most 3, each at least
	// 10 seconds and 20 times the mean of the others.
	Gaps []Gap `json:"gaps"`
	// Burst is the minute with the most entries, if these are at least 20 and
	// 10 times the mean of the minutes before it; else its Count is 0.
	Burst Burst `json:"burst"`
	// Verdict is the last entry that states the outcome: a result such as BUILD
	// FAILED, a count of errors, or an exit code. Its Line is 0 if there is
	// none.
	Verdict Excerpt `json:"verdict"`
	// Slowest are the entries that state the longest durations, at most 3, each
	// at least a second.
	Slowest []Step `json:"slowest"`
	// Groups are all groups, as [Groups] returns them.
	Groups []Group `json:"groups"`
	// Report is what the tools that wrote the log report: failures and counts.
	Report Report `json:"report"`
}

// summaryJSON is a Summary without its methods, and its failures.
type summaryJSON struct {
	Failures []Failure `json:"failures"`
	*summaryFields
}

type summaryFields Summary

// MarshalJSON implements [json.Marshaler]. The failures come first.
func (s Summary) MarshalJSON() ([]byte, error) {
	return json.Marshal(summaryJSON{orEmpty(s.Report.Failures), (*summaryFields)(&s)})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (s *Summary) UnmarshalJSON(data []byte) error {
	wire := summaryJSON{summaryFields: (*summaryFields)(s)}
	err := json.Unmarshal(data, &wire)
	s.Report.Failures = wire.Failures
	return err
}

// Excerpt is an entry with the lines around it.
type Excerpt struct {
	Line  int    `json:"line"`  // number of its head, from 1
	Level Level  `json:"level"` // of the entry
	Text  string `json:"text"`  // its head without colour codes, at most 1,024 bytes
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

// Gap is a period without an entry.
type Gap struct {
	Line     int           `json:"line"` // start of the entry after the gap
	Duration time.Duration `json:"nanoseconds"`
}

// Burst is a minute with unusually many entries.
type Burst struct {
	Line  int `json:"line"` // start of the first entry of the minute
	Count int `json:"count"`
}

// MarshalJSON implements [json.Marshaler]. A Burst without entries is null.
func (b Burst) MarshalJSON() ([]byte, error) {
	if b.Count == 0 {
		return []byte("null"), nil
	}
	type burst Burst
	return json.Marshal(burst(b))
}

// orEmpty returns a copy of list that is never null in JSON.
func orEmpty[T any](list []T) []T { return append([]T{}, list...) }

// Step is an entry that states a duration.
type Step struct {
	Line     int           `json:"line"`
	Duration time.Duration `json:"nanoseconds"`
	Text     string        `json:"text"` // the message, at most 1,024 bytes
}

// Limits of a Summary.
const (
	maxRarest   = 6
	maxGaps     = 3
	maxSteps    = 3
	linesBefore = 5
	linesAfter  = 5
)

// Summarize returns a summary of what went wrong in a log. It makes two passes
// over the log, with the memory of [Groups].
func Summarize(log string, opts Options) Summary { return SummarizeParts(whole(log), opts) }

// SummarizeParts is [Summarize] for a log that is not wholly in memory. Each
// iteration of parts must yield the log from its beginning; a line may continue
// from one part to the next.
func SummarizeParts(parts iter.Seq[string], opts Options) Summary {
	var s Summary
	var c collector
	p := pace{opts: opts}
	var chain errorChain
	first := errorChain{failed: true}
	lastVague := true
	concluded := 0 // the line of the last entry that states an outcome
	t := eachEntry(parts, func(e *entryText) {
		c.add(e).count(e.line)
		p.add(e)
		s.addStep(e)
		if e.level >= LevelError {
			excerpt := Excerpt{Line: e.line, Level: e.level, ExceptionLine: e.thrown}
			vague := reportsExit(e.message) || isHeading(e.message)
			first.add(e, excerpt, vague)
			chain.add(e, excerpt, vague)
			if !vague || lastVague {
				s.LastError, lastVague = excerpt, vague
			}
		}
		if isConclusion(e) {
			// of lines that count the results of several hosts or suites, the worst
			if e.line > concluded+1 || e.level >= s.Verdict.Level {
				s.Verdict = Excerpt{Line: e.line, Level: e.level}
			}
			concluded = e.line
		}
	})
	if s.FirstError = chain.cause; !chain.failed {
		s.FirstError = first.cause
	}
	s.Analysis = t.analysis(opts)
	for part := range parts {
		s.Analysis.Bytes += int64(len(part))
	}
	s.Groups = c.sorted()
	s.Rarest = s.rarest()
	s.Gaps, s.Burst = p.gaps(), p.burst
	s.Groups, s.Rarest, s.Gaps, s.Slowest = orEmpty(s.Groups), orEmpty(s.Rarest), orEmpty(s.Gaps), orEmpty(s.Slowest)
	fill(parts, &s.FirstError, &s.LastError, &s.Verdict)
	s.Report = readReport(parts, &s)
	return s
}

// rarest returns the smallest groups of errors or, if there are none, of
// warnings. If more are equally small than fit, it returns the first and the
// last of them. If there are too many groups, it omits those that the summary
// shows elsewhere.
func (s *Summary) rarest() []Group {
	for _, floor := range [...]Level{LevelError, LevelWarning} {
		var found []Group
		for _, g := range s.Groups {
			if g.Level >= floor {
				found = append(found, g)
			}
		}
		if len(found) > maxRarest {
			found = slices.DeleteFunc(found, s.quotes)
		}
		slices.SortStableFunc(found, func(a, b Group) int {
			return cmp.Or(cmp.Compare(a.Count, b.Count), cmp.Compare(a.First, b.First))
		})
		if len(found) > maxRarest && found[0].Count == found[maxRarest-1].Count {
			end := slices.IndexFunc(found, func(g Group) bool { return g.Count > found[0].Count })
			if end < 0 {
				end = len(found)
			}
			found = slices.Concat(found[:maxRarest/2], found[end-maxRarest/2:end])
		}
		if len(found) > 0 {
			return found[:min(len(found), maxRarest)]
		}
	}
	return nil
}

// quotes reports whether g is a single entry that the summary quotes.
func (s *Summary) quotes(g Group) bool {
	return g.Count == 1 && (g.First == s.FirstError.Line || g.First == s.LastError.Line || g.First == s.Verdict.Line)
}

// isConclusion reports whether an entry states an outcome.
func isConclusion(e *entryText) bool {
	b := bytes.TrimLeft([]byte(e.text[e.dated:min(len(e.text), e.dated+maxHead)]), " \t")
	if len(b) == 0 {
		return false
	}
	if _, counted := countLevel(b); counted || verdictLevel(b) != LevelNone {
		return true
	}
	for _, word := range [...]string{"exit code ", "exit status ", "exited with ", "SUCCESS", "PASSED"} {
		if bytes.Contains(b, []byte(word)) {
			return true
		}
	}
	return false
}

// plainText returns a line without escape sequences and trailing blanks.
func plainText(line string) string { return strings.TrimRight(terminal.Text(line), " \r") }

// shorten truncates a text to 1,024 bytes.
func shorten(text string) string {
	if len(text) <= maxShapeText {
		return strings.Clone(text)
	}
	return strings.ToValidUTF8(text[:maxShapeText], "")
}

// fill fills excerpts with their lines of the log.
func fill(parts iter.Seq[string], excerpts ...*Excerpt) {
	number := 0
	for line := range cutLines(parts) {
		number++
		for _, e := range excerpts {
			if number == e.ExceptionLine {
				e.Exception = shorten(plainText(line))
			}
			if e.Line == 0 || number < e.Line-linesBefore || len(e.After) == linesAfter {
				continue
			}
			text := shorten(plainText(line))
			switch {
			case number < e.Line:
				e.Before = append(e.Before, text)
			case number == e.Line:
				e.Text = text
			case hasContent(text):
				e.After = append(e.After, text)
			}
		}
	}
}

// hasContent reports whether a line holds more than its wrapper.
func hasContent(text string) bool {
	var h head
	return len(bytes.TrimSpace(new(formatReader).unwrap(&h, []byte(text)))) > 0
}

// pace finds gaps and bursts in the times of entries.
type pace struct {
	opts    Options
	dates   tracker
	last    time.Time
	entries int
	span    time.Duration // from the first to the last entry
	longest []Gap

	minute   time.Time // the minute being counted
	counting Burst
	minutes  int // with entries, including this one
	counted  int // entries in the minutes before
	burst    Burst
}

func (p *pace) add(e *entryText) {
	at := e.when(&p.dates, p.opts)
	if at.IsZero() {
		return
	}
	if (at.Year() == 0) != (p.last.Year() == 0) {
		p.last = time.Time{} // only one of the two states its year
	}
	p.entries++
	if d := at.Sub(p.last); !p.last.IsZero() && d > 0 {
		p.span += d
		p.longest = keepLongest(p.longest, Gap{e.line, d}, maxGaps, func(g Gap) time.Duration { return g.Duration })
	}
	p.last = at
	if minute := at.Truncate(time.Minute); !minute.Equal(p.minute) {
		p.minutes++
		p.counted += p.counting.Count
		p.minute, p.counting = minute, Burst{Line: e.line}
	}
	p.counting.Count++
	if n := p.counting.Count; n >= 20 && p.minutes > 1 && n*(p.minutes-1) >= 10*p.counted && n > p.burst.Count {
		p.burst = p.counting
	}
}

// gaps returns the value of Summary.Gaps.
func (p *pace) gaps() []Gap {
	others, span := p.entries-1-len(p.longest), p.span
	if others < 3 {
		return nil
	}
	for _, g := range p.longest {
		span -= g.Duration
	}
	mean := span / time.Duration(others)
	return slices.DeleteFunc(p.longest, func(g Gap) bool { return g.Duration < 10*time.Second || g.Duration < 20*mean })
}

// keepLongest inserts an item into a list of at most most items, which is
// sorted by decreasing length.
func keepLongest[T any](list []T, item T, most int, length func(T) time.Duration) []T {
	if len(list) == most && length(item) <= length(list[most-1]) {
		return list
	}
	list = append(list, item)
	slices.SortStableFunc(list, func(a, b T) int { return cmp.Compare(length(b), length(a)) })
	return list[:min(len(list), most)]
}

// addStep records the duration that an entry states.
func (s *Summary) addStep(e *entryText) {
	d := statedDuration(e.message)
	if d < time.Second {
		return
	}
	step := Step{e.line, d, shorten(e.message)}
	s.Slowest = keepLongest(s.Slowest, step, maxSteps, func(s Step) time.Duration { return s.Duration })
}

// String returns the summary in about ten lines of text. If something failed,
// the first is [Report.Sentence].
func (s Summary) String() string {
	var b strings.Builder
	s.Report.write(&b)
	a := s.Analysis
	fmt.Fprintf(&b, "lines %d, entries %d, fatal %d, errors %d, warnings %d\n", a.Lines, a.Entries, a.Fatal, a.Errors, a.Warnings)
	if s.FirstError.Line > 0 {
		s.FirstError.write(&b, "first", s.isAlone(s.FirstError), 2)
	}
	if s.LastError.Line > s.FirstError.Line {
		s.LastError.write(&b, "last", s.isAlone(s.LastError), 0)
	}
	if g := s.mostFrequent(); g.Count > 1 {
		fmt.Fprintf(&b, "most         L%d  %s × %d  %s\n", g.First, g.Level, g.Count, g.Text)
	}
	for _, g := range s.Rarest {
		if !s.quotes(g) {
			fmt.Fprintf(&b, "rare         L%d  %s × %d  %s\n", g.First, g.Level, g.Count, g.Text)
		}
	}
	for _, g := range s.Gaps {
		fmt.Fprintf(&b, "gap          L%d  nothing for %v\n", g.Line, g.Duration)
	}
	if s.Burst.Count > 0 {
		fmt.Fprintf(&b, "burst        L%d  %d entries in a minute\n", s.Burst.Line, s.Burst.Count)
	}
	for _, step := range s.Slowest {
		fmt.Fprintf(&b, "slow         L%d  %v  %s\n", step.Line, step.Duration, step.Text)
	}
	if s.Verdict.Line > 0 {
		fmt.Fprintf(&b, "verdict      L%d  %s\n", s.Verdict.Line, s.Verdict.Text)
	}
	return b.String()
}

// mostFrequent returns the group of errors with the most entries, unless it is
// among the rarest.
func (s Summary) mostFrequent() (most Group) {
	for _, g := range s.Groups {
		if g.Level >= LevelError && g.Count > most.Count {
			most = g
		}
	}
	if slices.Contains(s.Rarest, most) {
		return Group{}
	}
	return most
}

// isAlone reports whether an error is the verdict or the exit of a process, which
// name no cause, and no other error starts in the lines just above it.
func (s Summary) isAlone(e Excerpt) bool {
	return (e.Line == s.Verdict.Line || reportsExit(e.Text)) && !slices.ContainsFunc(s.Groups, func(g Group) bool {
		return g.Level >= LevelError && g.Last < e.Line && g.Last >= e.Line-linesBefore
	})
}

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
