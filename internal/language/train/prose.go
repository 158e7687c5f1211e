package main

import "strings"

// proseOf returns the paragraphs of a Markdown document that hold nothing but
// prose, and "" where there are none. They teach what plain text looks like.
func proseOf(markdown string) string {
	var paragraphs, current []string
	fence, plain := false, true
	flush := func() {
		if plain && len(current) > 0 && len(strings.Join(current, " ")) >= 80 {
			paragraphs = append(paragraphs, strings.Join(current, "\n"))
		}
		current, plain = nil, true
	}
	for line := range strings.SplitSeq(markdown, "\n") {
		line = strings.TrimRight(line, " \r")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			fence = !fence
			plain = false
		case line == "":
			flush()
		case fence || !isProse(line):
			plain = false
			fallthrough
		default:
			current = append(current, line)
		}
	}
	flush()
	return strings.Join(paragraphs, "\n\n")
}

// isProse reports whether a line is a sentence or a part of one: it starts with
// a letter, has words between blanks, and no mark of Markdown or of code.
func isProse(line string) bool {
	c := line[0]
	return (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80) && strings.Count(line, " ") >= 1 &&
		!strings.ContainsAny(line, "`*_<>{}[]|#=\\$;") && !strings.Contains(line, "](")
}
