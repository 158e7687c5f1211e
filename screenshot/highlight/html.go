package highlight

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// HTMLOptions are the options of [WriteHTML]. The zero value writes classes.
type HTMLOptions struct {
	// Theme, if not nil, puts its colours into style attributes, so that the
	// HTML needs no style sheet. Otherwise each token has the name of its
	// [Class] as its class, for which [WriteCSS] writes a style sheet.
	Theme *Theme
}

// WriteHTML writes lines of [Code] as the content of a pre element. Tokens of
// the class text have no element of their own.
func WriteHTML(w io.Writer, lines [][]Token, options HTMLOptions) error {
	for _, line := range lines {
		var b strings.Builder
		for _, t := range line {
			text := html.EscapeString(t.Text)
			switch {
			case t.Class == classText:
				b.WriteString(text)
			case options.Theme != nil:
				fmt.Fprintf(&b, `<span style="%s">%s</span>`, options.Theme.Style(t.Class).css(), text)
			default:
				fmt.Fprintf(&b, `<span class="%s">%s</span>`, t.Class, text)
			}
		}
		b.WriteByte('\n')
		if _, err := io.WriteString(w, b.String()); err != nil {
			return err
		}
	}
	return nil
}

// WriteCSS writes a style sheet for the classes of [WriteHTML] within the
// elements that selector matches, such as "pre.code".
func WriteCSS(w io.Writer, theme Theme, selector string) error {
	if _, err := fmt.Fprintf(w, "%s{background:%s;color:%s}\n", selector, theme.Background, theme.Style(classText).Color); err != nil {
		return err
	}
	for _, c := range Classes()[classText+1:] {
		if _, err := fmt.Fprintf(w, "%s .%s{%s}\n", selector, c, theme.Style(c).css()); err != nil {
			return err
		}
	}
	return nil
}

// css returns the declarations of a style.
func (s Style) css() string {
	declarations := "color:" + s.Color
	if s.Bold {
		declarations += ";font-weight:bold"
	}
	if s.Italic {
		declarations += ";font-style:italic"
	}
	if s.Underline {
		declarations += ";text-decoration:underline"
	}
	return declarations
}
