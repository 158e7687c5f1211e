package listing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Range is the lines from one number to another, both included.
type Range struct{ From, To int }

// Ranges are ranges of lines. In addresses they read 12-31,202-221.
type Ranges []Range

// maxRanges limits the number of ranges parsed.
const maxRanges = 100

// ParseRanges reads ranges. It leaves out what is none, and all beyond the
// first hundred.
func ParseRanges(text string) Ranges {
	var all Ranges
	for part := range strings.SplitSeq(text, ",") {
		first, last, ok := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if ok && err == nil {
			to, err = strconv.Atoi(last)
		}
		if err == nil && 0 < from && from <= to && len(all) < maxRanges {
			all = append(all, Range{from, to})
		}
	}
	return all
}

// String writes ranges as [ParseRanges] reads them.
func (r Ranges) String() string {
	parts := make([]string, len(r))
	for i, one := range r {
		parts[i] = fmt.Sprintf("%d-%d", one.From, one.To)
	}
	return strings.Join(parts, ",")
}

// Has reports whether a line is in one of the ranges.
func (r Ranges) Has(line int) bool {
	return slices.ContainsFunc(r, func(one Range) bool { return one.From <= line && line <= one.To })
}

// startAt reports whether a range starts at line.
func (r Ranges) startAt(line int) bool {
	return slices.ContainsFunc(r, func(one Range) bool { return one.From == line })
}

// turn removes the range that starts where other does, or adds other if there
// is none.
func (r Ranges) turn(other Range) Ranges {
	if r.startAt(other.From) {
		return slices.DeleteFunc(slices.Clone(r), func(one Range) bool { return one.From == other.From })
	}
	return append(slices.Clip(r), other)
}
