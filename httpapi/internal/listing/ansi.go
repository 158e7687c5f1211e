package listing

import (
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/internal/terminal"
)

// ansi writes a line with its colours. Other escape sequences are removed.
func (w *writer) ansi(style *terminal.Style, line string) {
	for look, text := range style.Spans(line) {
		w.mark(styleClass(look), text)
	}
}

// styleClass returns the classes of a style, "" for the default: f0 to f255 for
// the foreground, b0 to b255 for the background; see [ANSIStyles].
func styleClass(s terminal.Style) string {
	if s == (terminal.Style{}) {
		return ""
	}
	var names []string
	add := func(is bool, name string) {
		if is {
			names = append(names, name)
		}
	}
	text, hasText := s.Foreground.Index()
	back, hasBack := s.Background.Index()
	if s.Inverse {
		add(!hasText && !hasBack, "v")
		text, hasText, back, hasBack = back, hasBack, text, hasText
	}
	add(hasText, "f"+strconv.Itoa(int(text)))
	add(hasBack, "b"+strconv.Itoa(int(back)))
	add(s.Bold, "B")
	add(s.Faint, "D")
	add(s.Italic, "I")
	add(s.Underline, "U")
	add(s.Strikethrough, "X")
	return strings.Join(names, " ")
}
