package logs

import (
	"iter"
	"time"

	"github.com/devkiln/devkiln/share/logs/internal/stamp"
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
// log.
func Histogram(log string, bars int, opts Options) []Bar {
	return HistogramParts(whole(log), bars, opts)
}

// HistogramParts is [Histogram] for a log in parts, as [SummarizeParts] takes
// it.
func HistogramParts(parts iter.Seq[string], bars int, opts Options) []Bar {
	var first, last time.Time
	eachTime(parts, opts, func(_ *entryText, at time.Time) {
		switch {
		case first.IsZero() || first.Year() == 0 && at.Year() != 0:
			first, last = at, at
		case at.Year() == 0 && first.Year() != 0:
		case at.Before(first):
			first = at
		case at.After(last):
			last = at
		}
	})
	span := last.Sub(first)
	if span <= 0 || bars < 1 {
		return nil
	}
	width := span/time.Duration(bars) + 1
	result := make([]Bar, span/width+1)
	for i := range result {
		result[i].Start = first.Add(time.Duration(i) * width)
	}
	eachTime(parts, opts, func(e *entryText, at time.Time) {
		if at.Before(first) || at.After(last) {
			return
		}
		bar := &result[at.Sub(first)/width]
		if bar.Line == 0 {
			bar.Line = e.line
		}
		bar.Levels[e.level]++
	})
	return result
}

// eachTime calls f for each entry from the first that has a time.
func eachTime(parts iter.Seq[string], opts Options, f func(e *entryText, at time.Time)) {
	var dated stamp.Stamp
	var last time.Time
	new(tracker).eachEntry(cutLines(parts), func(e *entryText) {
		if at := e.when(&dated, opts); !at.IsZero() {
			last = at
		}
		if !last.IsZero() {
			f(e, last)
		}
	})
}
