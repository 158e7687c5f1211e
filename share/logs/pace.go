package logs

import (
	"cmp"
	"slices"
	"time"

	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

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
	dated   stamp.Stamp // the last time with a date
	last    time.Time
	entries int
	span    time.Duration // from the first to the last entry
	longest []Period
}

func (p *pace) add(e *entryText) {
	at := e.when(&p.dated, p.opts)
	if at.IsZero() {
		return
	}
	if (at.Year() == 0) != (p.last.Year() == 0) {
		p.last = time.Time{} // only one of the two states its year
	}
	p.entries++
	if d := at.Sub(p.last); !p.last.IsZero() && d > 0 {
		p.span += d
		p.longest = keepLongest(p.longest, Period{Line: e.line, Duration: d})
	}
	p.last = at
}

// gaps returns the value of Summary.Gaps.
func (p *pace) gaps() []Period {
	others, span := p.entries-1-len(p.longest), p.span
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
