package listing

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/devkiln/devkiln/httpapi/web/layout"
)

// Lines of a log may be out of sight for two reasons: a filter does not choose
// them, or they are folded. Both leave a row behind that tells how many they
// are and leads to the page on which they are shown.

// A Fold is lines of a log that a reader may not want to see: the rest of a
// stack trace, or a section of a build. The line before them says what they
// are, so none begins with the first.
type Fold struct {
	Range

	Label string // what is in it, such as "12 frames"; it may not hold markup
	Open  bool   // it is not folded unless somebody folds it
}

// contextLines is how many lines a gap shows on either side when it is opened.
const contextLines = 20

// around returns the lines that a gap shows when it is opened: those next to
// the lines before and behind it, or all.
func around(gap Range) []Range {
	if gap.To-gap.From < 2*contextLines+10 {
		return []Range{gap}
	}
	return []Range{{gap.From, gap.From + contextLines - 1}, {gap.To - contextLines + 1, gap.To}}
}

// hiding is the state of a log that is written with lines out of sight.
type hiding struct {
	Options

	skipped int // lines that the filter has left out since the last one in sight
	folded  int // the last line that is folded
}

func newHiding(o Options) *hiding {
	o.Folds = slices.DeleteFunc(slices.Clone(o.Folds), func(f Fold) bool { return f.From < 2 || f.To < f.From })
	slices.SortStableFunc(o.Folds, func(a, b Fold) int { return cmp.Or(a.From-b.From, b.To-a.To) })
	return &hiding{Options: o}
}

// before writes the rows that stand before a line: of the gap that ends there
// and of the folds that begin.
func (h *hiding) before(w *writer, line int, shown bool) {
	switch {
	case !shown:
		h.skipped++
	case h.skipped > 0:
		h.gap(w, Range{line - h.skipped, line - 1})
		h.skipped = 0
	}
	for len(h.Folds) > 0 && h.Folds[0].From <= line {
		h.fold(w, h.Folds[0])
		h.Folds = h.Folds[1:]
	}
}

// end writes the row of the gap behind the last line in sight.
func (h *hiding) end(w *writer) {
	if 0 < h.skipped && h.skipped < w.n {
		h.gap(w, Range{w.n - h.skipped + 1, w.n})
	}
}

func (h *hiding) gap(w *writer, gap Range) {
	address := h.address(slices.Concat(h.Open, around(gap)), h.Shut, gap)
	if address != "" && w.affords(rowWeight+len(address)) {
		w.row("gap", address, "⋯ "+layout.Plural(gap.To-gap.From+1, "line"), "")
	}
}

// fold writes the row of a fold and folds its lines, if the page does not
// become too heavy for it.
func (h *hiding) fold(w *writer, f Fold) {
	open, shut := h.Open, h.Shut
	isOpen := open.startAt(f.From)
	if f.Open {
		isOpen = !shut.startAt(f.From)
		shut = shut.turn(f.Range)
	} else {
		open = open.turn(f.Range)
	}
	address := h.address(open, shut, f.Range)
	if address == "" || !w.affords(rowWeight+len(address)+len(f.Label)+foldedWeight*(f.To-f.From+1)) {
		return
	}
	class := "fold data-to=" + strconv.Itoa(f.To)
	if f.Open {
		class += " data-own"
	}
	if f.From <= h.folded {
		class += " data-folded"
	}
	sign := "− "
	if !isOpen {
		sign = "⋯ "
		h.folded = max(h.folded, f.To)
	}
	w.row(class, address, sign+f.Label, " aria-expanded="+strconv.FormatBool(isOpen))
}

// What a row takes beside its address and what is in it, and a line that is
// folded.
const (
	rowWeight    = 120
	foldedWeight = len(" data-folded")
)

// address returns where the page is with other lines in sight.
func (h *hiding) address(open, shut Ranges, at Range) string {
	if h.Address == nil {
		return ""
	}
	return h.Address(open, shut) + "#L" + strconv.Itoa(at.From)
}
