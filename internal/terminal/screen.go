package terminal

import (
	"strings"
	"unicode/utf8"
)

// A Run is text of a line in one style.
type Run struct {
	Style Style
	Text  string
}

const (
	// minReach is the number of rows and columns that the cursor can always
	// move to, written or not. Text may extend further: lines are never
	// wrapped.
	minReach = 256

	tabStop = 8

	// maxCell bounds the bytes of a character with its combining marks.
	maxCell = 64
)

// Screen returns the lines that a terminal shows after text has been written to
// it. It interprets styles, tabs, carriage returns, backspaces, movements of
// the cursor, and erasure of a line or the screen. It omits empty lines at the
// end.
//
// Every line feed moves to the first column. Clearing the screen moves to its
// start. Other sequences have no effect. The function cells returns how many
// columns a character takes, 0 to 2; 0 means that it combines with the one
// before.
func Screen(text string, cells func(rune) int) [][]Run {
	s := screen{cells: cells, rows: make([][]cell, 1)}
	for text != "" {
		n := 1
		switch c := text[0]; {
		case c == escape:
			n = SequenceLen(text)
			s.execute(text[:n])
		case c < ' ' || c == 0x7f:
			s.control(c)
		default:
			var r rune
			r, n = utf8.DecodeRuneInString(text)
			s.print(text[:n], r)
		}
		text = text[n:]
	}
	return s.lines()
}

// A cell is a character of a line with its combining marks. The cell after a
// wide character is empty.
type cell struct {
	text  string
	style Style
}

var blankCell = cell{text: " "}

// A screen holds what is written and the position of the next character.
type screen struct {
	cells       func(rune) int
	rows        [][]cell
	row, column int
	style       Style
}

// control handles a control character.
func (s *screen) control(c byte) {
	switch c {
	case '\n', '\v', '\f':
		s.row++
		s.column = 0
		if s.row == len(s.rows) {
			s.rows = append(s.rows, nil)
		}
	case '\r':
		s.column = 0
	case '\b':
		s.column = max(0, s.column-1)
	case '\t':
		s.column += tabStop - s.column%tabStop
	}
}

// execute executes an escape sequence.
func (s *screen) execute(sequence string) {
	s.style.apply(sequence)
	final, params := controlSequence(sequence)
	first, _ := params.next()
	second, _ := params.next()
	n := max(1, first)
	switch final {
	case 'A':
		s.move(s.row-n, s.column)
	case 'B':
		s.move(s.row+n, s.column)
	case 'C':
		s.move(s.row, s.column+n)
	case 'D':
		s.move(s.row, s.column-n)
	case 'E':
		s.move(s.row+n, 0)
	case 'F':
		s.move(s.row-n, 0)
	case 'G':
		s.move(s.row, n-1)
	case 'H', 'f':
		s.move(n-1, max(1, second)-1)
	case 'J':
		s.eraseScreen(first)
	case 'K':
		s.eraseLine(first)
	}
}

// move moves the cursor to a position, or as near to it as possible.
func (s *screen) move(row, column int) {
	s.row = min(max(0, row), max(len(s.rows), minReach)-1)
	for s.row >= len(s.rows) {
		s.rows = append(s.rows, nil)
	}
	s.column = min(max(0, column), max(len(s.rows[s.row]), minReach))
}

// eraseScreen handles the parameter of ED: erase after the cursor, or all.
func (s *screen) eraseScreen(part int) {
	switch part {
	case 0:
		s.rows = s.rows[:s.row+1]
		s.eraseLine(0)
	case 2, 3:
		s.rows = make([][]cell, 1)
		s.row, s.column = 0, 0
	}
}

// eraseLine handles the parameter of EL: erase after the cursor, before it, or
// all.
func (s *screen) eraseLine(part int) {
	row := s.rows[s.row]
	at := min(s.column, len(row))
	switch part {
	case 0:
		s.rows[s.row] = row[:at]
	case 1:
		for i := range row[:at] {
			row[i] = blankCell
		}
	case 2:
		s.rows[s.row] = row[:0]
	}
}

// print writes a character at the cursor.
func (s *screen) print(text string, r rune) {
	row := s.rows[s.row]
	cells := s.cells(r)
	if before := min(s.column, len(row)) - 1; before >= 0 && before == s.column-1 {
		if before > 0 && row[before].text == "" {
			before--
		}
		if c := &row[before]; cells == 0 || strings.HasSuffix(c.text, "\u200d") {
			if len(c.text) < maxCell {
				c.text += text
			}
			return
		}
	}
	cells = max(1, cells)
	for len(row) < s.column+cells {
		row = append(row, blankCell)
	}
	part(row, s.column)
	part(row, s.column+cells)
	row[s.column] = cell{text, s.style}
	if cells == 2 {
		row[s.column+1] = cell{style: s.style}
	}
	s.rows[s.row] = row
	s.column += cells
}

// part replaces a wide character that extends across a column by blanks.
func part(row []cell, column int) {
	if column > 0 && column < len(row) && row[column].text == "" {
		row[column-1].text, row[column].text = " ", " "
	}
}

// lines returns the rows without trailing blanks and trailing empty rows.
func (s *screen) lines() [][]Run {
	for len(s.rows) > 1 && len(trim(s.rows[len(s.rows)-1])) == 0 {
		s.rows = s.rows[:len(s.rows)-1]
	}
	all := make([][]Run, len(s.rows))
	for i, row := range s.rows {
		all[i] = runs(trim(row))
	}
	return all
}

func trim(row []cell) []cell {
	for len(row) > 0 && row[len(row)-1] == blankCell {
		row = row[:len(row)-1]
	}
	return row
}

// runs joins adjacent cells of the same style.
func runs(row []cell) []Run {
	var all []Run
	var text strings.Builder
	for i, c := range row {
		text.WriteString(c.text)
		if i+1 == len(row) || row[i+1].style != c.style {
			all = append(all, Run{c.style, text.String()})
			text.Reset()
		}
	}
	return all
}
