package reference

import "strings"

// The descriptions of the API's document are Markdown, of which they use
// paragraphs, lists, indented code and code between backquotes. Anything else
// stays the text that it is.

// A block is a paragraph, a list or code.
type block struct {
	Spans []span
	Items [][]span
	Code  string
}

// A span is a part of a line.
type span struct {
	Text string
	Code bool
}

const codeIndent = "    "

// prose reads Markdown.
func prose(markdown string) []block {
	var all []block
	for part := range strings.SplitSeq(strings.Trim(markdown, "\n"), "\n\n") {
		if part = strings.Trim(part, "\n"); part == "" {
			continue
		}
		lines := strings.Split(part, "\n")
		switch {
		case strings.HasPrefix(part, codeIndent):
			all = appendCode(all, lines)
		case strings.HasPrefix(part, "- "):
			all = append(all, block{Items: items(lines)})
		default:
			all = append(all, block{Spans: spans(strings.Join(lines, " "))})
		}
	}
	return all
}

// appendCode adds lines of code. Empty lines do not end it.
func appendCode(all []block, lines []string) []block {
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, codeIndent)
	}
	code := strings.Join(lines, "\n")
	if last := len(all) - 1; last >= 0 && all[last].Code != "" {
		all[last].Code += "\n\n" + code
		return all
	}
	return append(all, block{Code: code})
}

// items reads a list. A line that begins no item goes on with the one before.
func items(lines []string) [][]span {
	var texts []string
	for _, line := range lines {
		if text, ok := strings.CutPrefix(line, "- "); ok {
			texts = append(texts, text)
			continue
		}
		texts[len(texts)-1] += " " + strings.TrimSpace(line)
	}
	all := make([][]span, len(texts))
	for i, text := range texts {
		all[i] = spans(text)
	}
	return all
}

// spans finds the code between backquotes. One that is alone is a backquote.
func spans(text string) []span {
	var all []span
	for text != "" {
		before, rest, opened := strings.Cut(text, "`")
		code, after, closed := strings.Cut(rest, "`")
		if !opened || !closed {
			return append(all, span{Text: text})
		}
		if before != "" {
			all = append(all, span{Text: before})
		}
		all = append(all, span{Text: code, Code: true})
		text = after
	}
	return all
}
