package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/slugify"
)

// slugCmd prints slugs without a server.
type slugCmd struct {
	Text      []string          `arg:"" optional:"" help:"The text. Without it, every line of standard input becomes a slug."`
	Separator string            `default:"-" help:"Separator of words: nothing, or one of - _ . ~ ! $ & ' ( ) * + , ; = : @"`
	KeepCase  bool              `help:"Keep upper case."`
	Language  string            `placeholder:"TAG" help:"Transliterate letters and signs as in a language: de, pt-BR, …"`
	MaxLength int               `placeholder:"N" help:"Cut to this many characters, between words where possible."`
	Fallback  string            `placeholder:"TEXT" help:"The text to use if a text gives no slug."`
	Preserve  string            `placeholder:"SIGNS" help:"Signs to keep within words, such as ._"`
	Replace   map[string]string `placeholder:"FROM=TO;…" help:"Words or signs to replace, such as C++=cpp"`
	StopWords []string          `placeholder:"WORD" help:"Words to leave out."`
	Unicode   bool              `help:"Keep the letters of every script."`
	Camel     bool              `name:"split-camel" aliases:"camel" help:"Split camelCase."`
	HTML      bool              `name:"html" help:"Read the text as HTML: decode entities and leave out tags."`
	Emoji     bool              `help:"Replace emoji by their English names."`
	Explain   bool              `xor:"lines,form" help:"Show what each letter became, and why."`
	Unique    bool              `xor:"lines" help:"Number slugs that occur in earlier lines: post, post-2, …"`
	JSON      bool              `name:"json" xor:"form" help:"Print result, the slug, as JSON on each line."`
}

func (c slugCmd) options() slugify.Options {
	return slugify.Options{
		Separator: &c.Separator, KeepCase: c.KeepCase, Language: c.Language, MaxLength: c.MaxLength, Fallback: c.Fallback,
		Preserve: c.Preserve, Replace: c.Replace, StopWords: c.StopWords, Unicode: c.Unicode, SplitCamel: c.Camel,
		HTML: c.HTML, Emoji: c.Emoji,
	}
}

// Run prints a slug for the arguments together, or for each line.
func (c slugCmd) Run(p process) error {
	maker, err := slugify.NewMaker(c.options())
	if err != nil {
		return usageError{err}
	}
	add := func(dst, line []byte) ([]byte, error) { return maker.Append(dst, string(line)), nil }
	if c.Explain {
		add = c.explain
	}
	if c.Unique {
		set, err := slugify.NewSet(c.options())
		if err != nil {
			return usageError{err}
		}
		add = func(dst, line []byte) ([]byte, error) {
			slug, err := set.Add(string(line))
			return append(dst, slug...), err
		}
	}
	if c.JSON {
		add = asJSON(add)
	}
	if len(c.Text) > 0 {
		line, err := add(nil, []byte(strings.Join(c.Text, " ")))
		if err == nil {
			_, err = fmt.Fprintf(p.stdout, "%s\n", line)
		}
		return err
	}
	return eachLine(p.stdout, logs.UTF8(p.stdin), add)
}

// asJSON returns add with slugs in the form of the response of the API.
func asJSON(add func(dst, line []byte) ([]byte, error)) func(dst, line []byte) ([]byte, error) {
	return func(dst, line []byte) ([]byte, error) {
		slug, err := add(nil, line)
		if err != nil {
			return dst, err
		}
		out := bytes.NewBuffer(dst)
		err = process{stdout: out}.json(struct {
			Result string `json:"result"`
		}{string(slug)})
		return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
	}
}

// explain appends the slug of a line and a table of the steps that made it.
func (c slugCmd) explain(dst, line []byte) ([]byte, error) {
	x, err := slugify.Explain(string(line), c.options())
	if err != nil {
		return dst, err
	}
	out := bytes.NewBuffer(append(dst, x.Slug...))
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, s := range x.Steps {
		_, _ = fmt.Fprintf(table, "\n  %q\t%s\t%s", s.Text, s.Became, s.Rule)
	}
	err = table.Flush()
	return out.Bytes(), err
}

// eachLine writes the result of add for each line, of any length. It flushes
// whenever no more input is buffered.
func eachLine(w io.Writer, r io.Reader, add func(dst, line []byte) ([]byte, error)) error {
	const size = 64 << 10
	in, out := bufio.NewReaderSize(r, size), bufio.NewWriterSize(w, size)
	var made []byte
	for {
		line, err := in.ReadBytes('\n')
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
