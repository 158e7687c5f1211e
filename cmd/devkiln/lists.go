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

// themesCmd lists the themes of pictures.
type themesCmd struct {
	JSON bool `name:"json" help:"Print name and light of each theme as an array."`
}

// themeSample is code with most of the classes that themes distinguish.
const themeSample = `func F(n int) error { return say("%d\n", n) } // 42`

// Run prints the names, on a terminal with code in the colours of each.
func (c themesCmd) Run(p process) error {
	type printedTheme struct {
		Name  string `json:"name"`
		Light bool   `json:"light"`
	}
	var all []printedTheme
	var text strings.Builder
	sample := highlight.Code(themeSample, "go").Lines
	for _, name := range highlight.AllThemes() {
		theme, _ := highlight.LookupTheme(name)
		all = append(all, printedTheme{name, theme.Light})
		if !isTerminal(p.stdout) {
			fmt.Fprintln(&text, name)
			continue
		}
		fmt.Fprintf(&text, "%-22s ", name)
		writeANSI(&text, sample, theme)
	}
	return p.print(c.JSON, all, "%s", text.String())
}

// languagesCmd lists the languages of snippets and pictures.
type languagesCmd struct {
	JSON bool `name:"json" help:"Print name, title and extension of each language as an array."`
}

// Run prints the names, each with its title and its usual extension.
func (c languagesCmd) Run(p process) error {
	type printedLanguage struct {
		Name      string `json:"name"`
		Title     string `json:"title"`
		Extension string `json:"extension"`
	}
	var all []printedLanguage
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, name := range language.Names() {
		l := printedLanguage{name, language.Display(name), language.Extension(name)}
		all = append(all, l)
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\n", l.Name, l.Title, l.Extension)
	}
	_ = table.Flush()
	return p.print(c.JSON, all, "%s", text.String())
}

// formatsCmd lists the targets of devkiln gradient --format.
type formatsCmd struct {
	JSON bool `name:"json" help:"Print name and title of each format as an array."`
}

// Run prints the names, each with its title.
func (c formatsCmd) Run(p process) error {
	type printedFormat struct {
		Name  string `json:"name"`
		Title string `json:"title"`
	}
	var all []printedFormat
	var text strings.Builder
	for _, f := range export.Formats() {
		all = append(all, printedFormat{f.Name, f.Title})
		fmt.Fprintf(&text, "%-14s %s\n", f.Name, f.Title)
	}
	return p.print(c.JSON, all, "%s", text.String())
}

// writeANSI writes lines in the colours of a theme, on its background, for a
// terminal with 24-bit colours.
func writeANSI(w io.Writer, lines [][]highlight.Token, theme highlight.Theme) {
	for _, line := range lines {
		_, _ = fmt.Fprintf(w, "\x1b[48;2;%sm", ansiColor(theme.Background))
		for _, token := range line {
			style := theme.Style(token.Class)
			attributes := "38;2;" + ansiColor(style.Color)
			for _, a := range []struct {
				on   bool
				code string
			}{{style.Bold, ";1"}, {style.Italic, ";3"}, {style.Underline, ";4"}} {
				if a.on {
					attributes += a.code
				}
			}
			_, _ = fmt.Fprintf(w, "\x1b[%sm%s\x1b[22;23;24m", attributes, token.Text)
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
