package logs

import (
	"strings"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share/logs/internal/shape"
)

// plainText returns a line without escape sequences and trailing blanks.
func plainText(line string) string { return strings.TrimRight(terminal.Text(line), " \r") }

// shorten truncates a text to 1,024 bytes.
func shorten(text string) string {
	if len(text) <= shape.MaxText {
		return strings.Clone(text)
	}
	return strings.ToValidUTF8(text[:shape.MaxText], "")
}
