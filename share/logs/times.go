package logs

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

// Bar counts the entries of one interval of time.
type Bar struct {
	Start  time.Time           // in UTC; the bar ends where the next one starts
	Line   int                 // of its first entry, from 1; 0 if there is none
	Levels [LevelFatal + 1]int // how many entries, by level
}

// Histogram counts the entries of a log over time, in at most the given number
// of bars of equal width from the first time to the last. An entry without a
// time counts at that of the entry before it. It leaves out entries before the
// first time and, if others state a year, entries without a year. It returns
// nil if there are fewer than two different times. It makes two passes over the
// log; [Options].Bars adds the bars to a summary.
func Histogram(log string, bars int, opts Options) []Bar {
	var s span
	eachTime(linesOf(log), opts, func(_ *entryText, at time.Time) { s.add(at) })
	return s.bars(linesOf(log), bars, opts)
}

// span is the time from the first time of a log to the last.
type span struct{ first, last time.Time }

func (s *span) add(at time.Time) {
	switch {
	case s.first.IsZero() || s.first.Year() == 0 && at.Year() != 0:
		s.first, s.last = at, at
	case at.Year() == 0 && s.first.Year() != 0:
	case at.Before(s.first):
		s.first = at
	case at.After(s.last):
		s.last = at
	}
}

// bars returns the bars of the log with this span.
func (s span) bars(lines iter.Seq[string], bars int, opts Options) []Bar {
	length := s.last.Sub(s.first)
	if length <= 0 || bars < 1 {
		return nil
	}
	width := length/time.Duration(bars) + 1
	result := make([]Bar, length/width+1)
	for i := range result {
		result[i].Start = s.first.Add(time.Duration(i) * width)
	}
	eachTime(lines, opts, func(e *entryText, at time.Time) {
		if at.Before(s.first) || at.After(s.last) {
			return
		}
		bar := &result[at.Sub(s.first)/width]
		bar.Line = cmp.Or(bar.Line, e.line)
		bar.Levels[e.level]++
	})
	return result
}

// eachTime calls f for each entry from the first that has a time.
func eachTime(lines iter.Seq[string], opts Options, f func(e *entryText, at time.Time)) {
	var last time.Time
	new(tracker).eachEntry(lines, func(e *entryText) {
		if at := opts.time(&e.stamp); !at.IsZero() {
			last = at
		}
		if !last.IsZero() {
			f(e, last)
		}
	})
}

// Period is the time that an entry states something took, or a time without an
// entry.
type Period struct {
	Line     int           `json:"line"` // start of the entry that states or ends it
	Duration time.Duration `json:"nanoseconds"`
	Text     string        `json:"text,omitempty"` // the message that states it, at most 1,024 bytes
}

// maxPeriods is the number of gaps, and of slow steps, of a summary.
const maxPeriods = 3

// pace finds gaps in the times of entries.
type pace struct {
	opts    Options
	last    time.Time
	entries int
	whole   span
	sum     time.Duration // from the first to the last entry
	longest []Period
}

func (p *pace) add(e *entryText) {
	at := p.opts.time(&e.stamp)
	if at.IsZero() {
		return
	}
	if yearOne := (time.Time{}); at.Before(yearOne) != p.last.Before(yearOne) {
		p.last = yearOne // only one of the two states its year
	}
	p.entries++
	p.whole.add(at)
	if d := at.Sub(p.last); !p.last.IsZero() && d > 0 {
		p.sum += d
		p.longest = keepLongest(p.longest, Period{Line: e.line, Duration: d})
	}
	p.last = at
}

// gaps returns the value of Summary.Gaps.
func (p *pace) gaps() []Period {
	others, span := p.entries-1-len(p.longest), p.sum
	if others < 3 {
		return nil
	}
	for _, g := range p.longest {
		span -= g.Duration
	}
	mean := span / time.Duration(others)
	return slices.DeleteFunc(p.longest, func(g Period) bool { return g.Duration < 10*time.Second || g.Duration < 20*mean })
}

// keepLongest inserts a period into a list of the longest, longest first.
func keepLongest(list []Period, p Period) []Period {
	if len(list) == maxPeriods && p.Duration <= list[maxPeriods-1].Duration {
		return list
	}
	list = append(list, p)
	slices.SortStableFunc(list, func(a, b Period) int { return cmp.Compare(b.Duration, a.Duration) })
	return list[:min(len(list), maxPeriods)]
}

var durationUnits = map[string]time.Duration{
	"ms": time.Millisecond, "msec": time.Millisecond, "millis": time.Millisecond, "milliseconds": time.Millisecond,
	"s": time.Second, "sec": time.Second, "secs": time.Second, "second": time.Second, "seconds": time.Second,
	"m": time.Minute, "min": time.Minute, "mins": time.Minute, "minute": time.Minute, "minutes": time.Minute,
	"h": time.Hour, "hour": time.Hour, "hours": time.Hour,
}

// durationCues are the words before a duration that say how long something
// took, and plans occur in messages about what is still to come.
var durationCues = []string{"in", "took", "take", "takes", "after", "elapsed", "duration", "runtime", "time", "spent", "within"}

var plans = []string{"retry", "renew", "expir", "again", "next", "wait", "schedule", "timeout", "timed out", "interval"}

// statedDuration returns the last duration that a message states after a cue or
// in parentheses: "in 12.5 s", "took: 310ms", "(1m 20s)". It returns 0 if there
// is none.
func statedDuration(message string) (sum time.Duration) {
	message = message[:min(len(message), maxHead)]
	end := -2 // of the duration before
	for i := 0; i < len(message); i++ {
		if !ascii.IsDigit(message[i]) {
			continue
		}
		before, number, apart := message[:i], message[i:], i > end+1
		for i < len(message) && (ascii.IsDigit(message[i]) || message[i] == '.') {
			i++
		}
		rest := strings.TrimPrefix(message[i:], " ")
		n := ascii.Letters(rest)
		if n == 0 || durationUnits[rest[:n]] == 0 || apart && !isDurationCue(before) {
			continue
		}
		if apart {
			sum = 0
		}
		v, _ := strconv.ParseFloat(number[:i-len(before)], 64)
		sum += time.Duration(v * float64(durationUnits[rest[:n]]))
		end = len(message) - len(rest) + n
		i = end - 1
	}
	if sum >= time.Second && ascii.ContainsAny([]byte(strings.ToLower(message)), plans...) {
		return 0
	}
	return sum
}

// isDurationCue reports whether a duration may follow a text.
func isDurationCue(before string) bool {
	before = strings.TrimRight(before, " =:")
	word := before[strings.LastIndexAny(before, " \t,;[")+1:]
	return strings.HasSuffix(before, "(") || slices.Contains(durationCues, strings.ToLower(word))
}
