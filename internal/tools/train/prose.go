package main

import "strings"

// proseOf returns the paragraphs of a Markdown document that contain only
// prose, or "" if there are none. They are trained on as plain text.
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

// isProse reports whether a line is a sentence or part of one: it starts with a
// letter, has at least two words, and has no marks of Markdown or code.
func isProse(line string) bool {
	c := line[0]
	return (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80) && strings.Count(line, " ") >= 1 &&
		!strings.ContainsAny(line, "`*_<>{}[]|#=\\$;") && !strings.Contains(line, "](")
}
