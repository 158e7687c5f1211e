package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// A listCmd prints a list for people, or as JSON.
type listCmd struct {
	JSON bool `name:"json" help:"Print an array of objects: name, title and extension, or light."`
}

// listed is a row of a list.
type listed struct {
	Name      string `json:"name"`
	Title     string `json:"title,omitempty"`
	Extension string `json:"extension,omitempty"` // of a language
	Light     bool   `json:"light,omitempty"`     // of a theme
}

func (c listCmd) print(p process, rows []listed) error {
	if c.JSON {
		return p.json(rows)
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', tabwriter.DiscardEmptyColumns)
	for _, r := range rows {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\n", r.Name, r.Title, r.Extension)
	}
	return table.Flush()
}

// themesCmd lists the themes of pictures.
type themesCmd struct{ listCmd }

// themeSample is code with most of the classes that themes distinguish.
const themeSample = `func F(n int) error { return say("%d\n", n) } // 42`

// Run prints the themes, on a terminal with code in the colours of each.
func (c themesCmd) Run(p process) error {
	var rows []listed
	sample := highlight.Code(themeSample, "go").Lines
	for _, name := range highlight.AllThemes() {
		theme, _ := highlight.LookupTheme(name)
		rows = append(rows, listed{Name: name, Light: theme.Light})
		if !c.JSON && isTerminal(p.stdout) {
			_, _ = fmt.Fprintf(p.stdout, "%-22s ", name)
			writeANSI(p.stdout, sample, theme)
		}
	}
	if !c.JSON && isTerminal(p.stdout) {
		return nil
	}
	return c.print(p, rows)
}

// languagesCmd lists the languages of snippets and pictures.
type languagesCmd struct{ listCmd }

// Run prints the languages.
func (c languagesCmd) Run(p process) error {
	var rows []listed
	for _, name := range language.Names() {
		rows = append(rows, listed{Name: name, Title: language.Display(name), Extension: language.Extension(name)})
	}
	return c.print(p, rows)
}

// formatsCmd lists the targets of devkiln gradient --format.
type formatsCmd struct{ listCmd }

// Run prints the formats.
func (c formatsCmd) Run(p process) error {
	var rows []listed
	for _, f := range export.Formats() {
		rows = append(rows, listed{Name: f.Name, Title: f.Title})
	}
	return c.print(p, rows)
}

// writeANSI writes lines in the colours of a theme, on its background, for a
// terminal with 24-bit colours.
func writeANSI(w io.Writer, lines [][]highlight.Token, theme highlight.Theme) {
	for _, line := range lines {
		_, _ = fmt.Fprintf(w, "\x1b[48;2;%sm", ansiColor(theme.Background))
		for _, token := range line {
			style := theme.Style(token.Class)
			attributes := []string{"38;2", ansiColor(style.Color)}
			if style.Bold {
				attributes = append(attributes, "1")
			}
			if style.Italic {
				attributes = append(attributes, "3")
			}
			if style.Underline {
				attributes = append(attributes, "4")
			}
			_, _ = fmt.Fprintf(w, "\x1b[%sm%s\x1b[22;23;24m", strings.Join(attributes, ";"), token.Text)
		}
		_, _ = io.WriteString(w, "\x1b[K\x1b[m\n")
	}
}

// ansiColor returns #rrggbb as the numbers r;g;b.
func ansiColor(hex string) string {
	var r, g, b int
	_, _ = fmt.Sscanf(hex, "#%02x%02x%02x", &r, &g, &b)
	return fmt.Sprintf("%d;%d;%d", r, g, b)
}
