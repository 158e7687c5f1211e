package web

import (
	"bytes"
	"fmt"

	"github.com/devkiln/devkiln/screenshot"
)

// themeStyles returns the classes that show the themes in small: theme-NAME
// sets a background and the colours of four tokens.
func themeStyles() []byte {
	var b bytes.Buffer
	for _, name := range screenshot.Themes() {
		t, ok := screenshot.LookupTheme(name)
		if !ok {
			continue
		}
		fmt.Fprintf(&b, ".theme-%s{background:%s;--one:%s;--two:%s;--three:%s;--four:%s}\n", name, t.Background,
			t.Style(screenshot.ClassKeyword).Color, t.Style(screenshot.ClassFunction).Color, t.Style(screenshot.ClassString).Color, t.Style(screenshot.ClassComment).Color)
	}
	return b.Bytes()
}
