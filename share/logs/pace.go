package logs

import (
	"cmp"
	"slices"
	"time"
)

// Gap is a period without an entry.
type Gap struct {
	Line     int           `json:"line"` // start of the entry after the gap
	Duration time.Duration `json:"nanoseconds"`
}

// pace finds gaps in the times of entries.
type pace struct {
	opts    Options
	dates   tracker
	last    time.Time
	entries int
	span    time.Duration // from the first to the last entry
	longest []Gap
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
