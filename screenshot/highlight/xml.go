package highlight

import (
	"bytes"
	"fmt"

	"github.com/alecthomas/chroma/v2"
)

// parseXML parses a chroma style. It has one colour per class, whatever the
// language.
func parseXML(data []byte) (Theme, error) {
	if len(data) > maxThemeBytes {
		return Theme{}, fmt.Errorf("theme: the file has %d bytes, at most %d are read", len(data), maxThemeBytes)
	}
	style, err := chroma.NewXMLStyle(bytes.NewReader(data))
	if err != nil {
		return Theme{}, fmt.Errorf("theme: %w", err)
	}
	background := style.Get(chroma.Background)
	t := Theme{
		Name: style.Name, Light: background.Background.Brightness() > 0.5,
		Background: colorText(background.Background), Foreground: colorText(style.Get(chroma.Text).Colour),
		LineNumber: colorText(style.Get(chroma.LineNumbers).Colour), Selection: colorText(style.Get(chroma.LineHighlight).Background),
	}
	if err := t.complete(); err != nil {
		return Theme{}, fmt.Errorf("theme: %w", err)
	}
	for c, row := range classRows() {
		entry := style.Get(row.Look)
		t.styles[c] = Style{t.Foreground, entry.Bold == chroma.Yes, entry.Italic == chroma.Yes, entry.Underline == chroma.Yes}
		if entry.Colour.IsSet() {
			t.styles[c].Color = colorText(entry.Colour)
		}
	}
	return t, nil
}

// colorText returns a colour as in theme files, or "" if it is not set.
func colorText(c chroma.Colour) string {
	if !c.IsSet() {
		return ""
	}
	return c.String()
}
