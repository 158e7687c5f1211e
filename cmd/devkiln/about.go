package main

import (
	_ "embed"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/commandline"
)

// about describes the program's build on one line.
func about() string {
	return fmt.Sprintf("devkiln %s %s %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// versionCmd prints what --version prints.
type versionCmd struct{}

// Run prints the version of the module, or of the commit it was built from.
func (versionCmd) Run(p process) error {
	_, err := fmt.Fprintln(p.stdout, about())
	return err
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
	_, err := io.WriteString(p.stdout, licenceTexts)
	return err
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
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, candidate := range commandline.Candidates(command.Model.Node, words) {
		if _, err := fmt.Fprintln(p.stdout, candidate); err != nil {
			return err
		}
	}
	return nil
}
