package main

import (
	"io"

	"github.com/devkiln/devkiln/share/mask"
)

// local is the commands that call the packages in this process. One that is
// but a few lines stands here, behind the table; the others have a file each.
type local struct {
	Analyze    analyzeCmd    `cmd:"" storeless:"" group:"Without a server:" help:"Say what went wrong in a log."`
	Compare    compareCmd    `cmd:"" storeless:"" group:"Without a server:" help:"Say what is new and what is gone since an earlier log."`
	Gradient   gradientCmd   `cmd:"" storeless:"" group:"Without a server:" help:"Print a CSS gradient."`
	Mask       maskCmd       `cmd:"" storeless:"" group:"Without a server:" help:"Mask passwords, keys and tokens in a text."`
	Slug       slugCmd       `cmd:"" storeless:"" group:"Without a server:" help:"Print slugs."`
	Screenshot screenshotCmd `cmd:"" storeless:"" group:"Without a server:" help:"Draw a picture of code."`
}

// maskCmd masks secrets without a server.
type maskCmd struct {
	File string `arg:"" optional:"" help:"The text; - or none is standard input. At most 256 MiB."`
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
