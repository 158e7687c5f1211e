// Package listing writes lines of logs and code as HTML: with numbers to link
// to, the levels of a log, colours, and marks where secrets were masked.
//
// Whatever a stranger wrote is only ever text in it. The style sheet of the
// pages draws what the class names mean; neither is promised.
package listing

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share/logs"
)

// Options change how lines are written.
type Options struct {
	// NoAnchors leaves out the ids of lines, for pages with several listings.
	NoAnchors bool
}

// A Listing is lines of text as HTML.
type Listing struct {
	HTML  template.HTML
	Lines int
	Plain bool // the lines are neither numbered nor coloured: there are too many, or they are too short
}

// Digits returns how many digits the greatest line number has.
func (l Listing) Digits() int { return len(strconv.Itoa(l.Lines)) }

// Log writes a log. Its page weighs at most 2.5 times the content, beside what
// must be escaped: a log of so many or so short lines that their markup would
// outweigh them comes as plain text, without numbers and levels.
func Log(content string, o Options) Listing {
	lines, room := countLines(content), roomBeside(content)
	if lines > maxLines || lines*lineWeight > room {
		return Listing{plainLines(content, room), lines, true}
	}
	w := writer{b: make([]byte, 0, len(content)+lines*lineWeight+len(content)/8), room: room - lines*lineWeight, bare: o.NoAnchors}
	w.log(content)
	return Listing{HTML: w.html(), Lines: lines}
}

// countLines returns the number of lines of a log.
func countLines(content string) int {
	n := strings.Count(content, "\n")
	if content != "" && !strings.HasSuffix(content, "\n") {
		n++
	}
	return n
}

// log writes the lines of a log, with their levels.
func (w *writer) log(content string) {
	var p pen
	for line := range logs.Lines(content) {
		class := levelClass[line.Level][0]
		if line.Head {
			class = levelClass[line.Level][1]
		}
		w.begin(class)
		w.decorated(&p, line.Text)
	}
}

// Code writes code with the colours of a language.
func Code(code, lang string, o Options) Listing {
	w := writer{b: make([]byte, 0, 3*len(code)), bare: o.NoAnchors, room: roomBeside(code)}
	for _, tokens := range highlight.Code(code, lang).Lines {
		w.begin("")
		current := ""
		for _, token := range tokens {
			if class := codeClass(token.Class); class != current {
				w.close(current)
				w.open(class)
				current = class
			}
			w.marked(token.Text)
		}
		w.close(current)
	}
	return Listing{HTML: w.html(), Lines: w.n}
}
