package main

import (
	_ "embed"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

type versionCmd struct {
	JSON bool `name:"json" help:"Print version, go, os and arch as JSON."`
}

// build is what the program says about itself.
type build struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// String is the build in one line.
func (b build) String() string {
	return fmt.Sprintf("devkiln %s %s %s/%s", b.Version, b.Go, b.OS, b.Arch)
}

func about() build { return build{version(), runtime.Version(), runtime.GOOS, runtime.GOARCH} }

// Run prints the version of the module, or of the commit it was built from.
func (c versionCmd) Run(p process) error {
	if c.JSON {
		return p.json(about())
	}
	_, err := fmt.Fprintln(p.stdout, about())
	return err
}

// version is what the build says about itself.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// licenceTexts are the licences of what is in the program. A test writes the
// file and holds it against the modules, fonts and themes that are built in.
//
//go:embed licences.txt
var licenceTexts string

// licencesCmd prints the licences of what the program is made of.
type licencesCmd struct{}

// Run prints Devkiln's own licence first, then that of each module, font and
// theme.
func (licencesCmd) Run(p process) error {
	_, err := io.WriteString(p.stdout, licenceTexts)
	return err
}
