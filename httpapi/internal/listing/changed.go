package listing

import (
	"slices"
	"strings"
)

// Changed returns the bytes, from and to, that differ within the lines of a diff
// which replace each other: removed lines, and lines added after them that have
// much in common with them. Lines begin with their sign.
func Changed(lines []string) map[int][2]int {
	changed := make(map[int][2]int)
	var removed []int
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "-"):
			removed = append(removed, i)
		case !strings.HasPrefix(line, "+"):
			removed = nil
		}
		for k, old := range removed[:min(len(removed), 8)] {
			if from, after := sameEnds(lines[old], line); from > 0 {
				changed[old], changed[i] = [2]int{from, len(lines[old]) - after}, [2]int{from, len(line) - after}
				removed = slices.Delete(removed, k, k+1)
				break
			}
		}
	}
	return changed
}

// maxChanged is the length in bytes of lines that are not compared.
const maxChanged = 2_000

// minWhole is the length in bytes up to which a line that is all in another has
// nothing to do with it, such as a brace.
const minWhole = 8

// sameEnds returns how many bytes of whole words a removed and an added line
// have in common at their beginnings, with their signs, and at their ends; 0 if
// that is less than a third of them and not all of one.
func sameEnds(a, b string) (from, after int) {
	long, short := max(len(a), len(b)), min(len(a), len(b))
	if long > maxChanged || a[0] == b[0] {
		return 0, 0
	}
	for from = 1; from < short && a[from] == b[from]; from++ {
	}
	for after < short-from && a[len(a)-1-after] == b[len(b)-1-after] {
		after++
	}
	whole := from+after == short && short > minWhole
	for inWord(a, from) || inWord(b, from) {
		from--
	}
	for inWord(a, len(a)-after) || inWord(b, len(b)-after) {
		after--
	}
	if same := len(strings.TrimSpace(a[1:from])) + after; !whole && 3*same < long-1-(from-1-same+after) {
		return 0, 0
	}
	return from, after
}

// inWord reports whether a byte and the one before it are of one word.
func inWord(s string, at int) bool { return 0 < at && at < len(s) && isWord(s[at-1]) && isWord(s[at]) }

func isWord(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c == '_' || c >= 0x80 }
