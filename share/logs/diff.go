package logs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// DiffLine is a line of one log or of both, or a row of two columns with a line
// of each. A Line with Number 0 is absent.
type DiffLine struct {
	Earlier, Later Line
	Same           bool // the line is in both logs
}

// Diff returns the lines of two logs in order; where they differ, the lines of
// the earlier log come first. Lines are the same if they have the same level
// and shape, as in [Groups]: times, ids and numbers do not count.
//
// It takes time linear in the number of lines. For logs with little in common
// it may find fewer common lines than there are.
func Diff(earlier, later string) []DiffLine {
	var c collector
	d := differ{a: c.shapesOf(earlier), b: c.shapesOf(later)}
	for len(d.a)+len(d.b) > 0 {
		d.advance()
	}
	for start := 0; start < len(d.lines); {
		n := sameUntil(d.lines[start:], d.lines[start].Same)
		if stretch := d.lines[start : start+n]; !stretch[0].Same {
			slices.SortStableFunc(stretch, func(a, b DiffLine) int {
				return cmp.Compare(min(a.Later.Number, 1), min(b.Later.Number, 1))
			})
		}
		start += n
	}
	return d.lines
}

// sameUntil returns the number of leading lines whose Same is same.
func sameUntil(lines []DiffLine, same bool) int {
	n := slices.IndexFunc(lines, func(l DiffLine) bool { return l.Same != same })
	if n < 0 {
		return len(lines)
	}
	return n
}

// Hunks returns the parts of a [Diff] that differ, each with up to context
// lines before and after it. Parts that touch are merged.
func Hunks(lines []DiffLine, context int) [][]DiffLine {
	var hunks [][]DiffLine
	for start, end := 0, 0; ; {
		same := sameUntil(lines[end:], true)
		if end+same == len(lines) {
			if end > start {
				hunks = append(hunks, lines[start:end+min(same, context)])
			}
			return hunks
		}
		if end > start && same > 2*context {
			hunks = append(hunks, lines[start:end+context])
			start = end
		}
		if end == start {
			start = end + same - min(same, context)
		}
		end += same
		end += sameUntil(lines[end:], false)
	}
}

// Unified returns a [Diff] in the format of diff -u, with up to context lines
// before and after each difference. Lines that both logs have are taken from
// the later one.
func Unified(lines []DiffLine, context int) string {
	var b strings.Builder
	for _, hunk := range Hunks(lines, context) {
		var earlier, later Line // the first of each log
		var removed, added int  // lines of each log
		for _, l := range hunk {
			earlier, later = cmp.Or(earlier, l.Earlier), cmp.Or(later, l.Later)
			removed += min(l.Earlier.Number, 1)
			added += min(l.Later.Number, 1)
		}
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", earlier.Number, removed, later.Number, added)
		for _, l := range hunk {
			switch {
			case l.Same:
				b.WriteString(" " + l.Later.Text)
			case l.Later.Number > 0:
				b.WriteString("+" + l.Later.Text)
			default:
				b.WriteString("-" + l.Earlier.Text)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// shapedLine is a line with a number for its level and shape.
type shapedLine struct {
	Line
	shape int
}

// shapesOf returns the lines of a log.
func (c *collector) shapesOf(log string) []shapedLine {
	var lines []shapedLine
	t := tracker{messages: true}
	for line := range t.read(whole(log)) {
		text := plainText(line.Text)
		if line.Head {
			text = t.entryText(line.Text).message
		}
		shape := c.shapes.Add(text)*len(t.levels) + int(line.Level)
		lines = append(lines, shapedLine{line, shape})
	}
	return lines
}

// differ finds the common lines of two lists with the algorithm of Myers ("An
// O(ND) Difference Algorithm and Its Variations", 1986): it extends paths
// through both lists, with ever more edits, which are lines in one list only.
// If no path with maxEdits edits reaches the end, it takes the one that came
// furthest and starts again from there, so that time and memory are bounded.
type differ struct {
	a, b  []shapedLine // lines that are left
	lines []DiffLine
	// reach is the index in a that a path has reached, for each number of
	// edits and each diagonal (lines of a minus lines of b).
	reach [maxEdits][2*maxEdits + 1]int32
}

const maxEdits = 256

// advance takes the lines up to where a path reaches the end or edits run out.
func (d *differ) advance() {
	var edits, diagonal, furthest int
	for edits = range maxEdits {
		furthest = -1
		for k := -edits; k <= edits; k += 2 {
			x, _ := d.begin(edits, k)
			for x >= 0 && x < len(d.a) && x-k < len(d.b) && d.a[x].shape == d.b[x-k].shape {
				x++
			}
			d.reach[edits][maxEdits+k] = int32(x)
			if x >= 0 && 2*x-k > furthest {
				diagonal, furthest = k, 2*x-k
			}
		}
		if furthest == len(d.a)+len(d.b) {
			break
		}
	}
	d.take(edits, diagonal)
}

// begin returns the index in a at which the path on diagonal k begins after its
// edits, or -1, and whether the last edit removes a line of a.
func (d *differ) begin(edits, k int) (x int, removes bool) {
	if edits == 0 {
		return 0, false
	}
	add, remove := -1, -1
	before := &d.reach[edits-1]
	if x := int(before[maxEdits+k+1]); k+1 < edits && x-k <= len(d.b) {
		add = x
	}
	if x := int(before[maxEdits+k-1]); k-1 > -edits && x >= 0 && x < len(d.a) {
		remove = x + 1
	}
	return max(add, remove), remove >= add
}

// take appends the lines of the path on diagonal k with the given number of
// edits.
func (d *differ) take(edits, k int) {
	var path []DiffLine
	x := int(d.reach[edits][maxEdits+k])
	a, b := d.a[x:], d.b[x-k:]
	for ; ; edits-- {
		start, removes := d.begin(edits, k)
		for ; x > start; x-- {
			path = append(path, DiffLine{d.a[x-1].Line, d.b[x-1-k].Line, true})
		}
		switch {
		case edits == 0:
			slices.Reverse(path)
			d.lines = append(d.lines, path...)
			d.a, d.b = a, b
			return
		case removes:
			x, k = x-1, k-1
			path = append(path, DiffLine{Earlier: d.a[x].Line})
		default:
			k++
			path = append(path, DiffLine{Later: d.b[x-k].Line})
		}
	}
}
