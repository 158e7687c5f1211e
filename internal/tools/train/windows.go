package main

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode/utf8"
)

// window is a piece of a file that represents pasted text.
type window struct {
	language string
	source   string
	text     string
}

// random is a splitmix64 generator. A seed yields the same numbers on every
// machine and with every version of Go.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n−1.
func (r *random) below(n int) int { return int(r.next() % uint64(n)) }

func seedOf(s string) random {
	h := fnv.New64a()
	h.Write([]byte(s))
	return random(h.Sum64())
}

// cut returns up to n windows of shortest to longest lines of a file, at positions
// that depend only on the file's path. It omits those that are not distinctive.
func cut(f file, n, shortest, longest int) []window {
	lines := strings.Split(strings.ReplaceAll(f.text, "\r\n", "\n"), "\n")
	r := seedOf(f.source + "\x00" + f.path)
	var windows []window
	for range 4 * n {
		if len(windows) == n || len(lines) < shortest {
			break
		}
		size := shortest + r.below(longest-shortest+1)
		start := r.below(max(1, len(lines)-size+1))
		dedented := r.below(3) == 0
		piece := trimBlank(lines[start:min(start+size, len(lines))])
		if len(piece) < shortest || !distinctive(piece, f.language) || f.language == "markdown" && fenced(lines[:start]) {
			continue
		}
		if dedented {
			piece = dedent(piece)
		}
		windows = append(windows, window{f.language, f.source, strings.Join(piece, "\n") + "\n"})
	}
	return windows
}

func trimBlank(lines []string) []string {
	filled := func(line string) bool { return strings.TrimSpace(line) != "" }
	for i, line := range slices.Backward(lines) {
		if filled(line) {
			return lines[slices.IndexFunc(lines, filled) : i+1]
		}
	}
	return nil
}

// dedent removes the blanks that all lines start with.
func dedent(lines []string) []string {
	common := -1
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if n := len(line) - len(strings.TrimLeft(line, " \t")); common < 0 || n < common {
			common = n
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = line[min(len(line), max(common, 0)):]
	}
	return out
}

// fenced reports whether a code block of Markdown is open after these lines.
func fenced(lines []string) bool {
	open := false
	for _, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			open = !open
		}
	}
	return open
}

// lineComments maps languages to the start of a comment line; in all others it
// is // or *.
var lineComments = map[string]string{
	"python": "#", "ruby": "#", "perl": "#", "bash": "#", "yaml": "#", "toml": "#", "dockerfile": "#",
	"makefile": "#", "r": "#", "julia": "#", "elixir": "#", "powershell": "#",
	"sql": "--", "lua": "--", "haskell": "--",
}

// distinctive reports whether a piece can show its language: it is text of normal
// proportions, and at least half of its lines are not comments.
func distinctive(lines []string, language string) bool {
	size, comment, filled, letters := 0, 0, 0, 0
	for _, line := range lines {
		size += len(line)
		for _, c := range []byte(line) {
			if c|' ' >= 'a' && c|' ' <= 'z' || c >= 0x80 {
				letters++
			}
		}
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue
		}
		filled++
		mark := lineComments[language]
		if mark != "" && strings.HasPrefix(trimmed, mark) || mark == "" && isStarComment(trimmed, language) {
			comment++
		}
		if !utf8.ValidString(line) || strings.ContainsRune(line, 0) {
			return false
		}
	}
	longest := 160
	if language == "text" {
		longest = 500
	}
	return size >= 8*len(lines) && size <= longest*len(lines) && 4*letters > size && filled >= 2 && 2*comment < filled+1 && marked(lines, language)
}

// marked reports whether a piece of a markup language has enough marks, without
// which it could be the prose or the script inside. For a piece of plain text,
// it reports whether it has no marks.
func marked(lines []string, language string) bool {
	marks := 0
	for _, line := range lines {
		switch language {
		case "html", "xml":
			if strings.ContainsAny(line, "<>") {
				marks += 3
			}
		case "markdown":
			if markdownMark(line) {
				marks += len(lines)
			}
		case "text":
			if markdownMark(line) {
				return false
			}
			marks++
		default:
			return true
		}
	}
	return marks >= len(lines)
}

func isStarComment(line, language string) bool {
	switch language {
	case "markdown", "text", "diff", "html", "xml", "json":
		return false
	}
	return strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") || strings.HasPrefix(line, "* ") || line == "*" || line == "*/"
}

func markdownMark(line string) bool {
	line = strings.TrimSpace(line)
	for _, prefix := range []string{"# ", "## ", "### ", "#### ", "- ", "* ", "+ ", "|", "```", "> "} {
		if strings.HasPrefix(line, prefix) {
			return true
		}
	}
	return strings.Contains(line, "](") || strings.Contains(line, "`") || strings.Contains(line, "**")
}
