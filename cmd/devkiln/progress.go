package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progress tells on a terminal how much has been done. Elsewhere, and in the
// first half second, it is silent.
type progress struct {
	w     io.Writer // nil: silent
	verb  string
	bytes int64
	next  time.Time
	told  bool
}

const progressEvery = 500 * time.Millisecond

func newProgress(stderr io.Writer, verb string) *progress {
	if !isTerminal(stderr) {
		stderr = nil
	}
	return &progress{w: stderr, verb: verb, next: time.Now().Add(progressEvery)}
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&(os.ModeDevice|os.ModeCharDevice) == os.ModeDevice|os.ModeCharDevice && f.Name() != os.DevNull
}

func (p *progress) add(n int) {
	p.bytes += int64(n)
	if now := time.Now(); p.w != nil && now.After(p.next) {
		p.next, p.told = now.Add(progressEvery), true
		_, _ = fmt.Fprintf(p.w, "\r%s %.1f MB ", p.verb, float64(p.bytes)/1e6)
	}
}

// end leaves the line, if there is one.
func (p *progress) end() {
	if p.told {
		_, _ = fmt.Fprintln(p.w)
	}
}

// reader counts what is read of r.
func (p *progress) reader(r io.Reader) io.Reader { return counted{p, r, nil} }

// writer counts what is written to w.
func (p *progress) writer(w io.Writer) io.Writer { return counted{p, nil, w} }

type counted struct {
	p *progress
	r io.Reader
	w io.Writer
}

// Read implements io.Reader.
func (c counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.p.add(n)
	return n, err
}

// Write implements io.Writer.
func (c counted) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.p.add(n)
	return n, err
}
