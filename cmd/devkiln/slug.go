package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/slugify"
)

// slugCmd prints slugs without a server.
type slugCmd struct {
	Text   []string `arg:"" optional:"" help:"The text. Without it, every line of standard input becomes a slug."`
	Unique bool     `help:"Number slugs that occur in earlier lines: post, post-2, …"`
	JSON   bool     `name:"json" help:"Print result, the slug, as JSON on each line."`

	kong.Plugins // a flag for each option of package slugify
}

// Run prints a slug for the arguments together, or for each line.
func (c slugCmd) Run(p process) error {
	o, err := readFlags(slugify.Parameters(), c.Plugins, slugify.Options.Validate)
	if err != nil {
		return usageError{err}
	}
	maker, err := slugify.NewMaker(o)
	if err != nil {
		return usageError{err}
	}
	add := func(dst, line []byte) ([]byte, error) { return maker.Append(dst, string(line)), nil }
	if c.Unique {
		set, err := slugify.NewSet(o)
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
