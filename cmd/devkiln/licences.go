package main

import (
	_ "embed"
	"io"
)

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
