package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
)

// progress reports progress on a terminal. It is silent on other outputs and
// for the first half second.
type progress struct {
	w     io.Writer // nil if silent
	verb  string
	bytes int64
	next  time.Time
	shown bool
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
	return ok && isatty.IsTerminal(f.Fd())
}

func (p *progress) add(n int) {
	p.bytes += int64(n)
	if now := time.Now(); p.w != nil && now.After(p.next) {
		p.next = now.Add(progressEvery)
		p.print("%.1f MB", float64(p.bytes)/1e6)
	}
}

// watch reports progress until stop is called: the size or, if size is nil, the
// elapsed time.
func (p *progress) watch(size func() int64) (stop func()) {
	if p.w == nil {
		return func() {}
	}
	ended, finished := make(chan struct{}), make(chan struct{})
	begin, ticker := time.Now(), time.NewTicker(progressEvery)
	go func() {
		defer close(finished)
		for {
			select {
			case <-ended:
				return
			case now := <-ticker.C:
				if size == nil {
					p.print("%d s", int(now.Sub(begin).Seconds()))
				} else {
					p.print("%.1f MB", float64(size())/1e6)
				}
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(ended)
		<-finished
		p.end()
	}
}

// sizeOfCopy returns a function that measures the temporary file of a copy to
// path.
func sizeOfCopy(path string) func() int64 {
	return func() (size int64) {
		files, _ := os.ReadDir(filepath.Dir(path))
		for _, file := range files {
			if info, err := file.Info(); err == nil && strings.HasPrefix(file.Name(), filepath.Base(path)+".partial-") {
				size = max(size, info.Size())
			}
		}
		return size
	}
}

// print overwrites the line.
func (p *progress) print(format string, value any) {
	p.shown = true
	_, _ = fmt.Fprintf(p.w, "\r%s "+format+" ", p.verb, value)
}

// end ends the line, if one was written.
func (p *progress) end() {
	if p.shown {
		_, _ = fmt.Fprintln(p.w)
	}
}

// Write implements io.Writer. It counts the bytes as progress.
func (p *progress) Write(b []byte) (int, error) {
	p.add(len(b))
	return len(b), nil
}
