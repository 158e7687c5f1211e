package web

import (
	"bytes"
	"fmt"

	"github.com/devkiln/devkiln/screenshot/highlight"
)

// themeStyles returns the classes that show the themes in small: theme-NAME
// sets a background and the colours of four tokens.
func themeStyles() []byte {
	var b bytes.Buffer
	for _, name := range highlight.Themes() {
		t, ok := highlight.LookupTheme(name)
		if !ok {
			continue
		}
		fmt.Fprintf(&b, ".theme-%s{background:%s;--one:%s;--two:%s;--three:%s;--four:%s}\n", name, t.Background,
			t.Style(highlight.ClassKeyword).Color, t.Style(highlight.ClassFunction).Color, t.Style(highlight.ClassString).Color, t.Style(highlight.ClassComment).Color)
	}
	return b.Bytes()
}
