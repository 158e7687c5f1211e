package logs

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/shape"
)

// DiffLine is a line of one log or of both, or a row of two columns with a line
// of each. A Line with Number 0 is absent.
type DiffLine struct {
	Earlier, Later Line
	Same           bool // the line is in both logs
}

// Diff returns the lines of two logs in order; where they differ, the lines of
// the earlier log come first. Lines are the same if they have the same level
// and shape, as in [Group]: times, ids and numbers do not count.
//
// It takes time linear in the number of lines. For logs with little in common
// it may find fewer common lines than there are.
func Diff(earlier, later string) []DiffLine {
	var shapes shape.Grouper
	d := differ{a: shapedLines(&shapes, earlier), b: shapedLines(&shapes, later)}
	d.partners = make([]int32, len(d.a))
	edits := min(maxEdits, len(d.a)+len(d.b)+1)
	d.paths = make([]path, 0, edits*(edits+1)/2+2)
	for at := (path{}); int(at.x) < len(d.a) && int(at.y) < len(d.b); {
		at = d.advance(at)
	}
	lines := make([]DiffLine, 0, len(d.a)+len(d.b))
	added := 0
	for i, removed := range d.a {
		common := int(d.partners[i])
		if common == 0 {
			lines = append(lines, DiffLine{Earlier: removed.Line})
			continue
		}
		for ; added < common-1; added++ {
			lines = append(lines, DiffLine{Later: d.b[added].Line})
		}
		lines = append(lines, DiffLine{removed.Line, d.b[added].Line, true})
		added = common
	}
	for _, line := range d.b[added:] {
		lines = append(lines, DiffLine{Later: line.Line})
	}
	return lines
}

// Hunks returns the parts of a [Diff] that differ, each with up to context
// lines before and after it. Parts that touch are merged.
func Hunks(lines []DiffLine, context int) [][]DiffLine {
	var hunks [][]DiffLine
	start, end := 0, 0
	for i, line := range lines {
		if line.Same {
			continue
		}
		if from := max(i-context, 0); len(hunks) == 0 || from > end {
			start, hunks = from, append(hunks, nil)
		}
		end = min(i+1+context, len(lines))
		hunks[len(hunks)-1] = lines[start:end]
	}
	return hunks
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
			sign := cmp.Or(ascii.If(l.Same, " "), ascii.If(l.Later.Number > 0, "+"), "-")
			b.WriteString(sign + cmp.Or(l.Later, l.Earlier).Text + "\n")
		}
	}
	return b.String()
}

// shapedLine is a line with a number for its level and shape.
type shapedLine struct {
	Line
	shape int
}

// shapedLines returns the lines of a log.
func shapedLines(shapes *shape.Grouper, log string) []shapedLine {
	lines := make([]shapedLine, 0, strings.Count(log, "\n")+1)
	var t tracker
	for line := range t.read(linesOf(log)) {
		text := plainText(line.Text)
		if line.Head {
			text = t.entryText(line.Text).message
		}
		lines = append(lines, shapedLine{line, shapes.Add(text)*len(t.levels) + int(line.Level)})
	}
	return lines
}

// differ finds the common lines of two lists with the algorithm of Myers ("An
// O(ND) Difference Algorithm and Its Variations", 1986): it extends paths
// through both lists, with ever more edits, which are lines in one list only.
// If no path with maxEdits edits reaches the end, it takes the one that came
// furthest and starts again from there, so that time and memory are bounded.
type differ struct {
	a, b     []shapedLine
	partners []int32 // for each line of a, one more than the index of the same line in b, or 0
	paths    []path
}

// path is a way through both lists up to the indexes x and y: an earlier path,
// one line of either list and then lines of both.
type path struct {
	x, y   int32
	before int32 // index in paths
}

const maxEdits = 256

// advance finds partners from start on, and returns the path up to where one
// reaches the end or edits run out.
func (d *differ) advance(start path) path {
	var ends [2*maxEdits + 1]int32 // indexes in paths, by diagonal (x minus y); 0 if there is none
	d.paths = append(d.paths[:0], path{}, path{x: start.x - 1, y: start.y})
	ends[maxEdits-1] = 1
	furthest := start
	for edits := range maxEdits {
		for k := maxEdits - edits; k <= maxEdits+edits; k += 2 {
			next := d.step(ends[k-1], 1, 0)
			if add := d.step(ends[k+1], 0, 1); add.x > next.x {
				next = add
			}
			if ends[k] = 0; next.x < 0 {
				continue
			}
			for int(next.x) < len(d.a) && int(next.y) < len(d.b) && d.a[next.x].shape == d.b[next.y].shape {
				next.x, next.y = next.x+1, next.y+1
			}
			ends[k] = int32(len(d.paths))
			d.paths = append(d.paths, next)
			if next.x+next.y > furthest.x+furthest.y || edits == 0 {
				furthest = next
			}
		}
		if int(furthest.x+furthest.y) == len(d.a)+len(d.b) {
			break
		}
	}
	for p := furthest; p.before > 0; p = d.paths[p.before] {
		before := d.paths[p.before]
		for i := range min(p.x-before.x, p.y-before.y) {
			d.partners[p.x-1-i] = p.y - i
		}
	}
	return furthest
}

// step returns a path after one that it adds a line of a or of b to, or one of
// x -1 if there is none.
func (d *differ) step(before, removed, added int32) path {
	p := d.paths[before]
	next := path{p.x + removed, p.y + added, before}
	if before == 0 || int(next.x) > len(d.a) || int(next.y) > len(d.b) {
		return path{x: -1}
	}
	return next
}
