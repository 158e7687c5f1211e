package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/devkiln/devkiln/slugify"
)

// slugCmd makes slugs without a server.
type slugCmd struct {
	Text      []string `arg:"" optional:"" help:"The text. Without any, every line of standard input becomes a slug."`
	Separator string   `default:"-"         help:"What stands between words: nothing, or one of - _ . ~ ! $ & ' ( ) * + , ; = : @"`
	KeepCase  bool     `help:"Keep upper case."`
	Language  string   `placeholder:"TAG"   help:"Spell letters and signs as a language does: de, pt-BR, …"`
	MaxLength int      `placeholder:"N"     help:"Cut to this many characters, between words where possible."`
	Unicode   bool     `help:"Keep the letters of every script."`
	Camel     bool     `help:"Split camelCase."`
}

// Run prints a slug for the arguments together, or for each line.
func (c slugCmd) Run(p process) error {
	options := slugify.Options{
		Separator: &c.Separator, KeepCase: c.KeepCase, Language: c.Language,
		MaxLength: c.MaxLength, Unicode: c.Unicode, SplitCamel: c.Camel,
	}
	if err := options.Validate(); err != nil {
		return usageError{oneLine(err)}
	}
	if len(c.Text) > 0 {
		_, err := fmt.Fprintln(p.stdout, slugify.Make(strings.Join(c.Text, " "), options))
		return err
	}
	return eachLine(p.stdin, func(line string) error {
		_, err := fmt.Fprintln(p.stdout, slugify.Make(line, options))
		return err
	})
}

// eachLine calls do for every line of a text, however long it is, without its
// line end.
func eachLine(r io.Reader, do func(string) error) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			if err := do(strings.TrimRight(line, "\r\n")); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// oneLine is an error that tells all of a joined one in one line.
func oneLine(err error) error {
	return fmt.Errorf("%s", strings.ReplaceAll(err.Error(), "\n", "; "))
}
