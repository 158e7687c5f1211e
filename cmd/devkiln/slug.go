package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/commandline"
	"github.com/devkiln/devkiln/slugify"
)

// slugCmd makes slugs without a server.
type slugCmd struct {
	Text      []string          `arg:"" optional:"" help:"The text. Without any, every line of standard input becomes a slug."`
	Separator string            `default:"-" help:"What stands between words: nothing, or one of - _ . ~ ! $ & ' ( ) * + , ; = : @"`
	KeepCase  bool              `help:"Keep upper case."`
	Language  string            `placeholder:"TAG" help:"Spell letters and signs as a language does: de, pt-BR, …"`
	MaxLength int               `placeholder:"N" help:"Cut to this many characters, between words where possible."`
	Fallback  string            `placeholder:"TEXT" help:"What to make a slug of where a text gives none."`
	Preserve  string            `placeholder:"SIGNS" help:"Signs to keep within words, such as ._"`
	Replace   map[string]string `placeholder:"FROM=TO;…" help:"Words or signs to give other names, such as C++=cpp"`
	StopWords []string          `placeholder:"WORD,…" help:"Words to leave out."`
	Unicode   bool              `help:"Keep the letters of every script."`
	Camel     bool              `name:"split-camel" aliases:"camel" help:"Split camelCase."`
	Unique    bool              `help:"Number slugs that earlier lines have: post, post-2, …"`
}

func (c slugCmd) options() slugify.Options {
	return slugify.Options{
		Separator: &c.Separator, KeepCase: c.KeepCase, Language: c.Language, MaxLength: c.MaxLength, Fallback: c.Fallback,
		Preserve: c.Preserve, Replace: c.Replace, StopWords: c.StopWords, Unicode: c.Unicode, SplitCamel: c.Camel,
	}
}

// Help implements kong.HelpProvider.
func (slugCmd) Help() string {
	return `For example:

    devkiln slug 'Crème brûlée & cafés'
    devkiln slug --separator _ <titles.txt`
}

// Run prints a slug for the arguments together, or for each line.
func (c slugCmd) Run(p process) error {
	maker, err := slugify.NewMaker(c.options())
	if err != nil {
		return usageError{commandline.OneLine(err)}
	}
	if len(c.Text) > 0 {
		_, err := fmt.Fprintln(p.stdout, maker.Make(strings.Join(c.Text, " ")))
		return err
	}
	add := func(dst, line []byte) ([]byte, error) { return maker.Append(dst, string(line)), nil }
	if c.Unique {
		set, err := slugify.NewSet(c.options())
		if err != nil {
			return usageError{commandline.OneLine(err)}
		}
		add = func(dst, line []byte) ([]byte, error) {
			slug, err := set.Add(string(line))
			return append(dst, slug...), err
		}
	}
	return eachLine(p.stdout, p.stdin, add)
}

// eachLine writes, for every line of a text, however long, the line that add
// appends. What is written waits only while more input is there to read.
func eachLine(w io.Writer, r io.Reader, add func(dst, line []byte) ([]byte, error)) error {
	const size = 64 << 10
	in, out := bufio.NewReaderSize(r, size), bufio.NewWriterSize(w, size)
	var long, made []byte
	for {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			long = append(long, line...)
			continue
		}
		if long != nil {
			line, long = append(long, line...), nil
		}
		if len(line) > 0 {
			var failed error
			if made, failed = add(made[:0], bytes.TrimRight(line, "\r\n")); failed != nil {
				return failed
			}
			_, _ = out.Write(append(made, '\n'))
		}
		if err != nil || in.Buffered() == 0 {
			if failed := out.Flush(); failed != nil {
				return failed
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
