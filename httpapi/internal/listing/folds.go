package listing

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
)

// A line of a log is hidden if the filter does not select it or if it is
// folded. Either way a row in its place gives the number of hidden lines. That of
// lines which the filter does not select links to the page that shows them.
// Folding needs the script of the page: without it the style sheet shows all.

// A Fold is a collapsible range of lines, such as the rest of a stack trace or
// a section of a build. The line before it serves as its heading, so it cannot
// start at line 1.
type Fold struct {
	Range

	Label string // describes the lines, such as "12 frames"; must not contain markup
	Open  bool   // open by default
}

// contextLines is how many lines an opened gap shows at either end.
const contextLines = 20

// around returns the lines that opening a gap shows: those at either end, or
// all if there are few.
func around(gap Range) []Range {
	if gap.To-gap.From < 2*contextLines+10 {
		return []Range{gap}
	}
	return []Range{{gap.From, gap.From + contextLines - 1}, {gap.To - contextLines + 1, gap.To}}
}

// hiding is the state of writing a log with hidden lines.
type hiding struct {
	Options

	skipped int // lines filtered out since the last visible one
	folded  int // last folded line so far
}

func newHiding(o Options) *hiding {
	o.Folds = slices.DeleteFunc(slices.Clone(o.Folds), func(f Fold) bool { return f.From < 2 || f.To < f.From })
	slices.SortStableFunc(o.Folds, func(a, b Fold) int { return cmp.Or(a.From-b.From, b.To-a.To) })
	return &hiding{Options: o}
}

// before writes the rows above a line: that of a gap ending there and those of
// folds starting there.
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

// end writes the row of a gap after the last visible line.
func (h *hiding) end(w *writer) {
	if 0 < h.skipped && h.skipped < w.n {
		h.gap(w, Range{w.n - h.skipped + 1, w.n})
	}
}

func (h *hiding) gap(w *writer, gap Range) {
	if h.Address == nil {
		return
	}
	address := h.Address(slices.Concat(h.Open, around(gap))) + "#L" + strconv.Itoa(gap.From)
	if w.affords(rowWeight + len(address)) {
		w.row("gap", address, "⋯ "+layout.Plural(gap.To-gap.From+1, "line"), "")
	}
}

// fold writes the row of a fold and folds its lines, unless the page would
// exceed its weight.
func (h *hiding) fold(w *writer, f Fold) {
	if !w.affords(rowWeight + len(f.Label) + foldedWeight*(f.To-f.From+1)) {
		return
	}
	class := "fold data-to=" + strconv.Itoa(f.To)
	if f.From <= h.folded {
		class += " data-folded"
	}
	sign := "− "
	if !f.Open {
		sign = "⋯ "
		h.folded = max(h.folded, f.To)
	}
	w.row(class, "#L"+strconv.Itoa(f.From), sign+f.Label, " aria-expanded="+strconv.FormatBool(f.Open))
}

// Weight in bytes of a row, excluding its URL and text, and of a folded line.
const (
	rowWeight    = 120
	foldedWeight = len(" data-folded")
)
