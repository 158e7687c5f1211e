// Package nearest finds the name that a mistyped one probably stands for.
package nearest

import (
	"fmt"
	"strings"
)

// Name returns the known name that a caller probably meant: one that differs
// only in case, or by at most two edits and a third of its length. What begins
// with a digit is a value, and near to none. It returns "" if there is none.
func Name(name string, known []string) string {
	best, fewest := "", 3
	for _, k := range known {
		if strings.EqualFold(k, name) {
			return k
		}
		if d := len(name) - len(k); d > 2 || d < -2 || strings.TrimLeft(k, "0123456789") != k {
			continue
		}
		if d := edits(name, k); d < fewest && 3*d <= len(k) {
			best, fewest = k, d
		}
	}
	return best
}

// Question returns a question whether the caller meant [Name], for the end of a
// message, or "" if there is none.
func Question(name string, known []string) string {
	if near := Name(name, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// edits returns the distance of two texts in bytes: the number of insertions,
// deletions, replacements and swaps of neighbours between them (optimal string
// alignment).
func edits(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			switch {
			case a[i] == b[j]:
				next[j+1] = row[j]
			case i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j]:
				next[j+1] = 1 + min(before[j-1], row[j], row[j+1], next[j])
			default:
				next[j+1] = 1 + min(row[j], row[j+1], next[j])
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
