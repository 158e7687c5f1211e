package listing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Range is an inclusive range of line numbers.
type Range struct{ From, To int }

// Ranges is a list of ranges, written in URLs as 12-31,202-221.
type Ranges []Range

// maxRanges limits the number of ranges parsed.
const maxRanges = 100

// ParseRanges parses ranges. It ignores invalid ones and those after the first
// hundred.
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

// String formats the ranges for [ParseRanges].
func (r Ranges) String() string {
	parts := make([]string, len(r))
	for i, one := range r {
		parts[i] = fmt.Sprintf("%d-%d", one.From, one.To)
	}
	return strings.Join(parts, ",")
}

// Has reports whether any of the ranges contains a line.
func (r Ranges) Has(line int) bool {
	return slices.ContainsFunc(r, func(one Range) bool { return one.From <= line && line <= one.To })
}
