package web

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/screenshot/highlight"
)

// A themeChoice is a theme offered by the studio.
type themeChoice struct {
	Name, Label  string
	Chosen, More bool
	Preview      template.HTML // the first lines of the code
}

// themeLabels maps themes to the names their authors use, where those are not
// the words of the name.
var themeLabels = map[string]string{
	"github-dark": "GitHub Dark", "github-light": "GitHub Light", "synthwave": "SynthWave ’84", "rose-pine": "Rosé Pine", "rose-pine-dawn": "Rosé Pine Dawn",
	"dark-plus": "Dark+", "light-plus": "Light+",
}

// themeChoices returns the themes of the API and the others.
func (s *site) themeChoices(chosen string, preview template.HTML) (themes, more []themeChoice) {
	names := highlight.AllThemes()
	for _, t := range s.Themes {
		if !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	for i, name := range names {
		c := themeChoice{name, cmp.Or(themeLabels[name], words(name)), name == chosen, i >= len(highlight.Themes()), preview}
		if c.More {
			more = append(more, c)
		} else {
			themes = append(themes, c)
		}
	}
	return themes, more
}

// words returns a name such as night-owl as words in title case.
func words(name string) string {
	parts := strings.Split(name, "-")
	for i, part := range parts {
		if part != "" {
			parts[i] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, " ")
}

// Lines and columns of the code in the preview of a theme.
const (
	previewLines   = 5
	previewColumns = 40
)

// preview returns the first lines of code that are not blank as HTML, whose
// text is that of attributes, because it is decoration, with the classes of
// [themeStyles].
func preview(code, language string) template.HTML {
	var lines []string
	for line := range strings.SplitSeq(code, "\n") {
		if len(lines) == previewLines {
			break
		}
		if strings.TrimSpace(line) != "" {
			runes := []rune(strings.ReplaceAll(line, "\t", "  "))
			lines = append(lines, string(runes[:min(len(runes), previewColumns)]))
		}
	}
	var b bytes.Buffer
	for _, line := range highlight.Code(strings.Join(lines, "\n"), language).Lines {
		for _, token := range line {
			fmt.Fprintf(&b, `<i class="%s" data-text="%s"></i>`, token.Class, html.EscapeString(token.Text))
		}
		b.WriteString("<br>")
	}
	return template.HTML(b.String())
}

// themeStyles returns a class for each theme: theme-NAME sets a background, and
// the colours of the classes of tokens within.
func themeStyles() []byte {
	var b bytes.Buffer
	for _, name := range highlight.AllThemes() {
		t, _ := highlight.LookupTheme(name)
		of := make(map[string][]string)
		for _, c := range highlight.Classes() {
			if color := t.Style(c).Color; color != t.Foreground {
				of[color] = append(of[color], "."+c.String())
			}
		}
		fmt.Fprintf(&b, ".theme-%s{background:%s;color:%s;", name, t.Background, t.Foreground)
		for _, color := range slices.Sorted(maps.Keys(of)) {
			fmt.Fprintf(&b, "%s{color:%s}", strings.Join(of[color], ","), color)
		}
		b.WriteString("}\n")
	}
	return b.Bytes()
}
