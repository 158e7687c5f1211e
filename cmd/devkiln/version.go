package main

import (
	"fmt"
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
