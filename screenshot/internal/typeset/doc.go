// Package typeset sets text on a grid of cells: one for a letter, two for a
// Chinese character or an emoji, none for a mark on a letter. Letters that join
// are shaped as words; ligatures of operators are found by shaping them.
package typeset
