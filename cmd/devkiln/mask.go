package main

import (
	"io"

	"github.com/devkiln/devkiln/share/mask"
)

// maskCmd masks secrets without a server.
type maskCmd struct {
	File string `arg:"" optional:"" help:"The text; - or none is standard input. At most 256 MiB."`
}

// Help implements kong.HelpProvider.
func (maskCmd) Help() string {
	return `For example:

    devkiln mask build.log
    make 2>&1 | devkiln mask`
}

// Run prints the text with its secrets masked.
func (c maskCmd) Run(p process) error {
	text, err := readLog(p, c.File)
	if err != nil {
		return err
	}
	masked, found := mask.Secrets(text, mask.Options{})
	p.tellMasked(found)
	_, err = io.WriteString(p.stdout, masked)
	return err
}
