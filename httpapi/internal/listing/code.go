package listing

import (
	_ "embed" // of the classes
	"strings"
	"sync"

	"github.com/devkiln/devkiln/screenshot/highlight"
)

// tokens writes the tokens of a line.
func (w *writer) tokens(tokens []highlight.Token) {
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

// codeFile maps the classes of the viewer's style sheet, one per line, to those
// of tokens, which distinguish more: c comments, k keywords, t types, n
// functions, s strings, e escapes, m numbers and constants, g tags, a
// attributes and keys, p punctuation, d and x lines of a diff, h headings, b
// strong, i emphasis.
//
//go:embed code.tsv
var codeFile string

// codeClasses maps token classes to those of the style sheet.
var codeClasses = sync.OnceValue(func() map[string]string {
	classes := make(map[string]string)
	for line := range strings.Lines(codeFile) {
		fields := strings.Fields(line)
		for _, token := range fields[1:] {
			classes[token] = fields[0]
		}
	}
	return classes
})

func codeClass(c highlight.Class) string { return codeClasses()[c.String()] }
