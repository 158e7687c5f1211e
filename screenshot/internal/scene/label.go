package scene

import (
	"sort"
	"strings"

	"github.com/devkiln/devkiln/screenshot/internal/typeset"
)

// A Label is one line of text outside the code.
type Label struct {
	Grid  Grid
	Spans []typeset.Span
	Cells int

	text  string
	faces *typeset.Faces
	ink   typeset.Ink
}

// labelLine is the height of a label relative to its font size.
const labelLine = 1.5

// NewLabel sets one line of text. Control characters become blanks.
func NewLabel(text string, f *typeset.Faces, size float64, k typeset.Ink) *Label {
	l := &Label{Grid: NewGrid(f.Of(0), size, labelLine), text: strings.Join(strings.FieldsFunc(text, typeset.IsControl), " "), faces: f, ink: k}
	l.set(l.text)
	return l
}

func (l *Label) set(text string) {
	t := typeset.New(l.faces, typeset.Options{DisableLigatures: true})
	t.Line([]typeset.Piece{{Text: text, Ink: l.ink}})
	l.Spans, l.Cells = t.Rows[0], t.Column
}

// Shorten truncates a label to a number of cells, including an ellipsis.
func (l *Label) Shorten(cells int) {
	if l.Cells <= cells {
		return
	}
	const mark = "\u200f" // invisible; keeps the ellipsis at the left end of right-to-left text
	text := []rune(l.text)
	cut := func(n int) { l.set(string(text[:n]) + "…" + mark) }
	cut(sort.Search(len(text)-1, func(n int) bool {
		cut(n + 1)
		return l.Cells > cells
	}))
}
