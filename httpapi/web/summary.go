package web

import (
	"context"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
)

// Minimum numbers of lines: shorter logs can be read at a glance.
const (
	summaryLines   = 30 // for the summary
	histogramLines = 50 // for the histogram
)

// shownFailures is the number of failures in the headline.
const shownFailures = 3

// A headline says what failed, above everything else.
type headline struct {
	Sentence string // empty if nothing failed
	First    logs.Failure
	Others   []logs.Failure
	More     int // failures that are not shown
	Advice   []string
}

func newHeadline(r logs.Report) headline {
	if len(r.Failures) == 0 {
		return headline{}
	}
	shown := r.Failures[:min(len(r.Failures), shownFailures)]
	return headline{r.Sentence(), shown[0], shown[1:], len(r.Failures) - len(shown) + r.Omitted, r.Advice}
}

// A finding is one line of the summary.
type finding struct {
	Kind string
	Line int
	Text string
}

// findings returns the lines of a summary, likely causes first, without
// repeating an entry.
func findings(s logs.Summary) []finding {
	var all []finding
	told := make(map[int]bool)
	add := func(kind string, line int, text string) {
		if line > 0 {
			all, told[line] = append(all, finding{kind, line, message(text)}), true
		}
	}
	entry := func(kind string, line int, text string) {
		if !told[line] {
			add(kind, line, text)
		}
	}
	add("First error", s.FirstError.Line, s.FirstError.Text)
	entry("Exception", s.FirstError.ExceptionLine, s.FirstError.Exception)
	entry("Result", s.Verdict.Line, s.Verdict.Text)
	for _, g := range s.Rarest {
		if len(s.Report.Failures) > 0 {
			break // the headline says it better
		}
		if g.Count > 1 {
			add(layout.Thousands(g.Count)+" ×", g.First, g.Shape)
		} else {
			entry("1 ×", g.First, g.Text)
		}
	}
	entry("Last error", s.LastError.Line, s.LastError.Text)
	for _, g := range s.Gaps[:min(1, len(s.Gaps))] {
		add("Gap", g.Line, "no entries for "+g.Duration.Round(time.Second).String()+" before this line")
	}
	if s.Burst.Count > 0 {
		add("Burst", s.Burst.Line, layout.Plural(s.Burst.Count, "line")+" within a minute")
	}
	for _, step := range s.Slowest[:min(2, len(s.Slowest))] {
		add("Slow step", step.Line, step.Text)
	}
	return all
}

// message returns the message of a line, without its time and other JSON
// fields.
func message(text string) string {
	if record, ok := logs.ParseRecord(text); ok && record.Message != "" {
		return record.Message
	}
	for line := range logs.Lines(text) {
		return strings.TrimSpace(line.Text[:line.TimeStart] + line.Text[line.TimeEnd:])
	}
	return text
}

// logWork is the approximate time to analyze and show a log.
func logWork(bytes int) time.Duration { return time.Duration(bytes) * 200 * time.Nanosecond }

// plainSummary responds with the summary of a log as text.
func plainSummary(ctx context.Context, log share.Log) (*layout.Response, error) {
	var text string
	err := fair.Do(ctx, logWork(log.Bytes()), func() error {
		summary, _ := analyzed(log)
		text = summary.String()
		return nil
	})
	return negotiated(raw(text)), err
}

// A chart is a histogram of the entries of a log over time.
type chart struct {
	Bars     []bar
	From, To string
}

// A bar is one time interval. Bars are chartStep apart in a chart chartHeight
// high, in units of the SVG.
type bar struct {
	Line    int
	X       int
	Label   string
	Other   stack
	Warning stack
	Error   stack
}

// A stack is one segment of a bar.
type stack struct{ Y, Height int }

const (
	chartBars   = 60
	chartStep   = 10
	chartHeight = 48
)

// newChart lays out a histogram; it has no bars if there are no entries.
func newChart(bars []logs.Bar) chart {
	most := 0
	for _, b := range bars {
		most = max(most, sum(b.Levels[:]))
	}
	var c chart
	for i, b := range bars {
		all, errors, warnings := sum(b.Levels[:]), b.Levels[logs.LevelError]+b.Levels[logs.LevelFatal], b.Levels[logs.LevelWarning]
		if all == 0 || b.Line == 0 {
			continue
		}
		drawn := bar{Line: b.Line, X: i * chartStep, Label: barLabel(b.Start, all, errors, warnings)}
		top := chartHeight
		top = drawn.Error.put(top, errors, most)
		top = drawn.Warning.put(top, warnings, most)
		drawn.Other.put(top, all-errors-warnings, most)
		c.Bars = append(c.Bars, drawn)
	}
	if len(c.Bars) > 0 {
		c.From, c.To = clock(bars[0].Start), clock(bars[len(bars)-1].Start)
	}
	return c
}

// put places a segment of n entries on top of the others and returns the new
// top. Segments that are not empty are at least 2 units high.
func (s *stack) put(top, n, most int) int {
	if n > 0 {
		s.Height = min(top, max(2, n*chartHeight/most))
	}
	s.Y = top - s.Height
	return s.Y
}

func sum(counts []int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

// barLabel returns a label such as "10:02:15: 120 entries, 3 errors".
func barLabel(start time.Time, all, errors, warnings int) string {
	words := []string{layout.Thousands(all) + " entries"}
	if all == 1 {
		words[0] = "1 entry"
	}
	if errors > 0 {
		words = append(words, layout.Plural(errors, "error"))
	}
	if warnings > 0 {
		words = append(words, layout.Plural(warnings, "warning"))
	}
	return clock(start) + ": " + strings.Join(words, ", ")
}

// clock formats a time in a log. The year is 0 if the log has no dates.
func clock(t time.Time) string {
	if t.Year() == 0 {
		return t.Format("15:04:05")
	}
	return t.Format("2 Jan, 15:04:05")
}
