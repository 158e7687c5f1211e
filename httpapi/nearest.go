package httpapi

import "strings"

// nearest returns the known name that a caller probably meant: one that is
// equal but for case, or at most two edits (a third of its length) away.
func nearest(name string, known []string) string {
	best, fewest := "", 3
	for _, k := range known {
		if strings.EqualFold(k, name) {
			return k
		}
		if d := len(name) - len(k); d > 2 || d < -2 {
			continue
		}
		if d := edits(name, k); d < fewest && 3*d <= len(k) {
			best, fewest = k, d
		}
	}
	return best
}

// edits is the Levenshtein distance in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
