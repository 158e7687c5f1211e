package screenshot

import (
	"fmt"
	"image/color"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/screenshot/internal/typeset"
)

// NotationShiki in [Extras.Notation] reads the notation that Shiki's
// transformers have in comments:
//
//	[!code ++]         the line is inserted; [!code --]: deleted
//	[!code highlight]  the line is set off; short: [!code hl]
//	[!code focus]      the other lines are dimmed
//	[!code word:x]     the text x is marked, from this line on
//
// A directive that ends in :3 applies to three lines. Directives are removed,
// together with the comment if that is empty then. A line that consists only of
// such a comment is removed completely, and its directives apply to the line
// below.
const NotationShiki = "shiki"

// MaxWords is the maximum number of words that the notation of one piece of
// code may mark.
const MaxWords = 100

var directive = regexp.MustCompile(`\[!code (\+\+|--|highlight|hl|focus|word:((?:\\.|[^:\]\\])+))(?::([0-9]{1,5}))?\]`)

// escaped matches a character after a backslash.
var escaped = regexp.MustCompile(`\\(.)`)

// A wordMark is a text to mark in a range of lines.
type wordMark struct {
	text  string
	lines LineRange
}

// A notation holds lines of code without their directives, and what these
// specify.
type notation struct {
	lines  [][]highlight.Token
	first  int     // number of the first line
	extras *Extras // receives the ranges of lines
	words  []wordMark
}

// read removes the directives from the comments of the lines and applies them.
func (n *notation) read() error {
	lines := n.lines
	n.lines = nil
	for _, line := range lines {
		n.add(line)
	}
	if len(n.lines) == 0 {
		n.lines = [][]highlight.Token{nil}
	}
	if len(n.words) > MaxWords {
		return &invalid.Input{Field: "notation", Reason: "too_many", Message: fmt.Sprintf("marks %d words, must mark at most %d", len(n.words), MaxWords)}
	}
	return nil
}

// add processes a line.
func (n *notation) add(tokens []highlight.Token) {
	kept := make([]highlight.Token, 0, len(tokens))
	read := false
	for _, t := range tokens {
		if isComment(t.Class) && strings.Contains(t.Text, "[!code ") {
			for _, m := range directive.FindAllStringSubmatch(t.Text, -1) {
				n.apply(m[1], m[2], m[3])
				read = true
			}
			if t.Text = strings.TrimRight(directive.ReplaceAllString(t.Text, ""), " \t"); !strings.ContainsFunc(t.Text, isWord) {
				continue
			}
		}
		kept = append(kept, t)
	}
	if read {
		if kept = trimRight(withoutBraces(kept)); len(kept) == 0 {
			return
		}
	}
	n.lines = append(n.lines, kept)
}

func isComment(c highlight.Class) bool {
	return c == highlight.ClassComment || c == highlight.ClassDocComment
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// withoutBraces drops a line that consists only of the braces of a JSX comment.
func withoutBraces(line []highlight.Token) []highlight.Token {
	var text strings.Builder
	for _, t := range line {
		text.WriteString(t.Text)
	}
	if strings.TrimSpace(text.String()) == "{}" {
		return nil
	}
	return line
}

// trimRight removes the blanks at the end of a line.
func trimRight(line []highlight.Token) []highlight.Token {
	for last := len(line) - 1; last >= 0; last-- {
		if line[last].Text = strings.TrimRight(line[last].Text, " \t"); line[last].Text != "" {
			break
		}
		line = line[:last]
	}
	return line
}

// apply applies a directive from the current line on.
func (n *notation) apply(name, word, count string) {
	lines, err := strconv.Atoi(count)
	from := n.first + len(n.lines)
	if err != nil && word != "" {
		lines = MaxLineNumber - from
	}
	r := LineRange{From: from, To: from + max(1, lines) - 1}
	e := n.extras
	switch name {
	case "++":
		e.Inserted = append(slices.Clip(e.Inserted), r)
	case "--":
		e.Deleted = append(slices.Clip(e.Deleted), r)
	case "highlight", "hl":
		e.Highlight = append(slices.Clip(e.Highlight), r)
	case "focus":
		e.Focus = append(slices.Clip(e.Focus), r)
	default:
		n.words = append(n.words, wordMark{escaped.ReplaceAllString(word, "$1"), r})
	}
}

// markWords sets the background of the words to mark in a line.
func (n *notation) markWords(pieces []typeset.Piece, number int, behind color.NRGBA) []typeset.Piece {
	if len(n.words) == 0 {
		return pieces
	}
	var line strings.Builder
	for _, p := range pieces {
		line.WriteString(p.Text)
	}
	marked := make([]bool, line.Len())
	for _, w := range n.words {
		for rest := line.String(); w.lines.contains(number); {
			_, after, found := strings.Cut(rest, w.text)
			if !found {
				break
			}
			end := line.Len() - len(after)
			for i := end - len(w.text); i < end; i++ {
				marked[i] = true
			}
			rest = after
		}
	}
	return overlay(pieces, marked, behind)
}

// overlay sets the background of the marked bytes of pieces.
func overlay(pieces []typeset.Piece, marked []bool, behind color.NRGBA) []typeset.Piece {
	var out []typeset.Piece
	for _, p := range pieces {
		for p.Text != "" {
			n := 1
			for n < len(p.Text) && marked[n] == marked[0] {
				n++
			}
			ink := p.Ink
			if marked[0] {
				ink.Behind = behind
			}
			out = append(out, typeset.Piece{Text: p.Text[:n], Ink: ink})
			p.Text, marked = p.Text[n:], marked[n:]
		}
	}
	return out
}
