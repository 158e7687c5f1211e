package scene

import (
	"slices"
	"strings"

	"github.com/devkiln/devkiln/screenshot/internal/typeset"
)

// A Label is one line of text outside the code.
type Label struct {
	Grid  Grid
	Spans []typeset.Span
	Cells int

	faces *typeset.Faces
	ink   typeset.Ink
}

// labelLine is the height of a label, times the size of its font.
const labelLine = 1.5

// NewLabel sets one line of text. Control characters are blanks.
func NewLabel(text string, f *typeset.Faces, size float64, k typeset.Ink) *Label {
	t := typeset.New(f, typeset.Options{DisableLigatures: true})
	t.Line([]typeset.Piece{{Text: strings.Join(strings.FieldsFunc(text, typeset.IsControl), " "), Ink: k}})
	return &Label{Grid: NewGrid(f.Of(0), size, labelLine), Spans: t.Rows[0], Cells: t.Column, faces: f, ink: k}
}

// Shorten cuts a label to a number of cells, the last of which is an ellipsis
// if anything is cut.
func (l *Label) Shorten(cells int) {
	if l.Cells <= cells {
		return
	}
	room := max(cells-1, 0)
	var kept []typeset.Span
	column := 0
	for _, s := range l.Spans {
		if s.Column+s.Cells > room {
			if s.Kind != typeset.Plain || s.Column >= room {
				break
			}
			s = s.Cut(room-s.Column, float32(l.Grid.Cell))
		}
		kept = append(kept, s)
		column = max(column, s.Column+s.Cells)
	}
	t := typeset.New(l.faces, typeset.Options{})
	t.NewRow()
	t.Column = column
	t.Plain("…", l.ink, l.faces.Of(l.ink.Style))
	l.Spans = slices.Concat(kept, t.Rows[0])
	l.Cells = t.Column
}
