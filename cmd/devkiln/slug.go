package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/slugify"
)

// slugCmd prints slugs without a server.
type slugCmd struct {
	Text   []string `arg:"" optional:"" help:"The text. Without it, every line of standard input becomes a slug."`
	Unique bool     `help:"Number slugs that occur in earlier lines: post, post-2, …"`

	kong.Plugins // a flag for each option of package slugify
}

// Run prints a slug for the arguments together, or for each line.
func (c slugCmd) Run(p process) error {
	o, err := readFlags(option.Of[slugify.Options](), c.Plugins, slugify.Options.Validate)
	if err != nil {
		return usageError{err}
	}
	maker := slugify.MustMaker(o)
	add := func(text string) (string, error) { return maker.Make(text), nil }
	if c.Unique {
		set, err := slugify.NewSet(o)
		if err != nil {
			return usageError{err}
		}
		add = set.Add
	}
	if len(c.Text) > 0 {
		return printSlug(p, strings.Join(c.Text, " "), add)
	}
	lines := bufio.NewScanner(logs.UTF8(p.stdin))
	lines.Buffer(nil, maxAnalyzed)
	for lines.Scan() {
		if err := printSlug(p, lines.Text(), add); err != nil {
			return err
		}
	}
	return lines.Err()
}

// printSlug prints the slug of a text.
func printSlug(p process, text string, add func(string) (string, error)) error {
	slug, err := add(text)
	if err == nil {
		_, err = fmt.Fprintln(p.stdout, slug)
	}
	return err
}
