package main

import (
	_ "embed"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/commandline"
	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// A listCmd prints a list.
type listCmd struct{ rows func() [][]string }

// Run prints the rows.
func (c listCmd) Run(p process) error { return p.table(c.rows()...) }

// themesCmd lists the themes of pictures.
type themesCmd struct{}

// themeSample is code with most of the classes that themes distinguish.
const themeSample = `func F(n int) error { return say("%d\n", n) } // 42`

// Run prints the themes, on a terminal with code in the colours of each.
func (themesCmd) Run(p process) error {
	names := highlight.AllThemes()
	if !isTerminal(p.stdout) {
		return p.print("%s\n", strings.Join(names, "\n"))
	}
	sample := highlight.Code(themeSample, "go").Lines
	for _, name := range names {
		theme, _ := highlight.LookupTheme(name)
		_, _ = fmt.Fprintf(p.stdout, "%-22s ", name)
		writeANSI(p.stdout, sample, theme)
	}
	return nil
}

// languages returns the languages of snippets and pictures.
func languages() (rows [][]string) {
	for _, name := range language.Names() {
		rows = append(rows, []string{name, language.Display(name), language.Extension(name)})
	}
	return rows
}

// formats returns the targets of devkiln gradient --format.
func formats() (rows [][]string) {
	for _, f := range export.Formats() {
		rows = append(rows, []string{f.Name, f.Title})
	}
	return rows
}

// writeANSI writes lines in the colours of a theme, on its background, for a
// terminal with 24-bit colours.
func writeANSI(w io.Writer, lines [][]highlight.Token, theme highlight.Theme) {
	for _, line := range lines {
		_, _ = fmt.Fprintf(w, "\x1b[48;2;%sm", ansiColor(theme.Background))
		for _, token := range line {
			style := theme.Style(token.Class)
			attributes := []string{"38;2", ansiColor(style.Color)}
			for code, isOn := range [...]bool{1: style.Bold, 3: style.Italic, 4: style.Underline} {
				if isOn {
					attributes = append(attributes, strconv.Itoa(code))
				}
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

// about describes the program's build on one line.
func about() string {
	return fmt.Sprintf("devkiln %s %s %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// versionCmd prints what --version prints.
type versionCmd struct{}

// Run prints the version of the module, or of the commit it was built from.
func (versionCmd) Run(p process) error {
	return p.print("%s\n", about())
}

// version returns the version of the main module.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// licenceTexts are the licences of the program's components. A test generates
// the file and compares it with the modules, fonts and themes that are built
// in.
//
//go:embed licences.txt
var licenceTexts string

// licencesCmd prints the licences of the program and its components.
type licencesCmd struct{}

// Run prints Devkiln's own licence first, then that of each module, font and
// theme.
func (licencesCmd) Run(p process) error {
	return p.print("%s", licenceTexts)
}

// completionCmd prints a shell's completion script.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run prints the script.
func (c completionCmd) Run(p process) error {
	script, err := commandline.Script(c.Shell)
	if err == nil {
		_, err = io.WriteString(p.stdout, script)
	}
	return err
}

// completeCmd prints the candidates for the last word; the scripts call it.
type completeCmd struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

// Run prints the candidates, one per line. None means a file or free text.
func (c completeCmd) Run(p process, command *kong.Context) error {
	if len(c.Words) > 0 && c.Words[0] == "--" {
		c.Words = c.Words[1:]
	}
	candidates := commandline.Candidates(command.Model.Node, c.Words)
	return p.print("%s", strings.Join(append(candidates, ""), "\n"))
}
