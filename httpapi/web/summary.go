package web

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
)

// Minimum numbers of lines: shorter logs can be read at a glance.
const (
	summaryLines   = 30 // for the summary
	histogramLines = 50 // for the histogram
)

// A headline says what failed, above everything else.
type headline struct {
	Sentence string         // empty if nothing failed
	What     string         // the sentence without the place and, if it has a name, the reason of the first failure
	Failures []logs.Failure // those with a reason first
	More     int            // failures beyond these
	Advice   []string
}

func newHeadline(r logs.Report) headline {
	r.Failures = slices.Clone(r.Failures)
	slices.SortStableFunc(r.Failures, func(a, b logs.Failure) int { return min(len(b.Reason()), 1) - min(len(a.Reason()), 1) })
	lead := slices.Concat(r.Failures, []logs.Failure{{}})[0]
	what := strings.TrimSuffix(strings.TrimSuffix(r.Sentence(), " · "+lead.Reason()), " · "+lead.Place())
	if lead.Name == "" && strings.HasSuffix(what, "failed") && lead.Reason() != "" {
		what = strings.TrimPrefix(what+": "+lead.Reason(), "failed: ")
	}
	return headline{r.Sentence(), what, r.Failures, r.Omitted, r.Advice}
}

// A finding is one line of the summary.
type finding struct {
	Kind string
	Line int
	Text string
}

// findings returns the lines of a summary, the innermost cause of the first error
// first, without repeating an entry. Of a log with failures, which the headline
// names, it has only what came before them, the result and what took long.
func findings(s logs.Summary, text string) (all []finding) {
	told := make(map[int]bool)
	add := func(kind string, line int, text string) {
		if line > 0 {
			all, told[line] = append(all, finding{kind, line, message(text)}), true
		}
	}
	entry := func(kind string, line int, text string) {
		if !told[line] && !slices.ContainsFunc(s.Report.Failures, func(f logs.Failure) bool { return f.First <= line && line <= f.Last }) {
			add(kind, line, text)
		}
	}
	failures, lines := s.Report.Failures, strings.Split(text, "\n")
	if len(failures) == 0 || s.FirstError.Line < failures[0].First {
		line, cause := causeOf(text, s.FirstError.Line)
		for _, f := range []finding{{"Cause", line, cause}, {"Exception", s.FirstError.ExceptionLine, s.FirstError.Exception}, {"Error", s.FirstError.Line, said(s, s.FirstError)}} {
			add([]string{"First error", f.Kind}[min(1, len(all))], f.Line, f.Text)
		}
	}
	entry("Result", s.Verdict.Line, said(s, s.Verdict))
	if len(failures) == 0 {
		for _, g := range s.Rarest {
			if g.First <= len(lines) && !strings.Contains(lines[g.First-1], g.Text) {
				g.Text = lines[g.First-1] // a group has the text of its first entry of any level
			}
			switch {
			case g.First == s.FirstError.Line && g.Count > 1:
				all[0].Kind = "First error, " + layout.Thousands(g.Count) + " times"
			case g.Count > 1:
				add(layout.Thousands(g.Count)+" ×", g.First, g.Text)
			default:
				entry(strings.ToUpper(g.Level.String()[:1])+g.Level.String()[1:], g.First, g.Text)
			}
		}
	}
	for _, g := range s.Gaps[:min(1, len(s.Gaps))] {
		add("Gap", g.Line, "no entries for "+g.Duration.Round(time.Second).String()+" before this line")
	}
	for _, step := range s.Slowest[:min(2, len(s.Slowest))] {
		add("Slow step", step.Line, step.Text)
	}
	return all
}

// said returns the message of a line without what is before it, such as a level,
// but the whole of a record, which says more.
func said(s logs.Summary, e logs.Excerpt) string {
	i := slices.IndexFunc(s.Groups, func(g logs.Group) bool { return g.First == e.Line })
	if _, ok := logs.ParseRecord(e.Text); ok || i < 0 {
		return e.Text
	}
	return s.Groups[i].Text
}

// causeOf returns the last exception that an error names as a cause, and its line.
func causeOf(text string, first int) (line int, cause string) {
	for l := range logs.Lines(text) {
		if l.Number > first && l.Head {
			break
		}
		if said, ok := strings.CutPrefix(l.Text, "Caused by: "); ok && l.Number > first {
			line, cause = l.Number, said
		}
	}
	return line, cause
}

// request is one of an access log, and logger what Spring Boot writes before a
// message.
var (
	request = regexp.MustCompile(`^.*?"([A-Z]+ \S+) HTTP/[\d.]+" (\d{3}) .*`)
	logger  = regexp.MustCompile(`^(?:[A-Z]+ +)?\d+ --- \[[^\]]*\] \S+ +: `)
)

// message returns the message of a line, without its time and other JSON
// fields but that of an error.
func message(text string) string {
	if record, ok := logs.ParseRecord(text); ok && record.Message != "" {
		reason := func(f logs.Field) bool { return f.Name == "err" || f.Name == "error" || f.Name == "exception" }
		if i := slices.IndexFunc(record.Fields, reason); i >= 0 && !strings.Contains(record.Message, record.Fields[i].Value) {
			return record.Message + ": " + record.Fields[i].Value
		}
		return record.Message
	}
	for line := range logs.Lines(text) {
		line = listing.WithoutMarker(line)
		said := strings.TrimSpace(line.Text[:line.TimeStart] + line.Text[line.TimeEnd:])
		return logger.ReplaceAllString(request.ReplaceAllString(said, "$1 → $2"), "")
	}
	return text
}

// logWork is the approximate time to analyze and show a log.
func logWork(bytes int) time.Duration { return time.Duration(bytes) * 200 * time.Nanosecond }

// plainSummary responds with the summary of a log as text.
func plainSummary(ctx context.Context, log share.Log) (*layout.Response, error) {
	var text string
	err := fair.Do(ctx, logWork(log.Bytes), func() error {
		text = log.Summary().String()
		return nil
	})
	return raw(text).Negotiated(), err
}

// A chart is a histogram of the entries of a log over time. A unit of its SVG is
// an entry high.
type chart struct {
	Bars     []bar
	Top      int // entries of the highest bar
	From, To string
}

// A bar is one time interval: its errors, warnings and other entries, stacked.
type bar struct {
	Line, X               int
	Start                 string
	All                   int // entries
	Errors, Warnings, Bad int // Bad is the sum of both
	Others                int
}

// chartStep is the distance of bars in units of the SVG.
const chartStep = 10

// newChart lays out a histogram; it has no bars if there are no entries.
func newChart(bars []logs.Bar) (c chart) {
	for i, b := range bars {
		all := 0
		for _, n := range b.Levels {
			all += n
		}
		errors, warnings := b.Levels[logs.LevelError]+b.Levels[logs.LevelFatal], b.Levels[logs.LevelWarning]
		if all == 0 || b.Line == 0 {
			continue
		}
		c.Top = max(c.Top, all)
		c.Bars = append(c.Bars, bar{b.Line, i * chartStep, clock(b.Start), all, errors, warnings, errors + warnings, all - errors - warnings})
	}
	if len(c.Bars) > 0 {
		c.From, c.To = clock(bars[0].Start), clock(bars[len(bars)-1].Start)
	}
	return c
}

// clock formats a time in a log. The year is 0 if the log has no dates.
func clock(t time.Time) string {
	if t.Year() == 0 {
		return t.Format("15:04:05")
	}
	return t.Format("2 Jan, 15:04:05")
}

// A step is a section of the log of a build that is in no other.
type step struct {
	Line   int
	Title  string
	Took   string
	Width  int // percent of the longest
	Failed bool
}

// maxSteps is the maximum number of steps that a page lists.
const maxSteps = 12

// newSteps returns the steps of a log in their order: the longest and those that
// failed, or none unless several took a time.
func newSteps(sections []logs.Section) (steps []step) {
	const ofGitHub = "Runner Image Provisioner, Operating System, Runner Image, GITHUB_TOKEN Permissions"
	sections = slices.DeleteFunc(slices.Clone(sections), func(s logs.Section) bool {
		return s.Depth > 0 || s.Level < logs.LevelError && (s.Duration == 0 || strings.Contains(ofGitHub, s.Title))
	})
	byTime := slices.SortedFunc(slices.Values(sections), func(a, b logs.Section) int { return cmp.Compare(b.Duration, a.Duration) })
	if len(byTime) < 2 || byTime[1].Duration == 0 {
		return nil
	}
	least := byTime[min(len(byTime), maxSteps)-1].Duration
	for _, s := range sections {
		if len(steps) < maxSteps && (s.Duration >= least || s.Level >= logs.LevelError) {
			steps = append(steps, step{s.Start, s.Title, s.Duration.Round(time.Second / 10).String(), int(100 * s.Duration / byTime[0].Duration), s.Level >= logs.LevelError})
		}
	}
	return steps
}
