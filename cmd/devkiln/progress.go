package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
)

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

const progressEvery = 500 * time.Millisecond

// watch shows progress on stderr, if that is a terminal, until stop is called.
func watch(stderr io.Writer, verb string, size func() int64) (stop func()) {
	if !isTerminal(stderr) {
		return func() {}
	}
	return show(stderr, verb, size)
}

// show overwrites a line every half second, with the size if that has changed or,
// if size is nil, with the elapsed time. It ends the line when stop is called.
func show(w io.Writer, verb string, size func() int64) (stop func()) {
	ended, finished := make(chan struct{}), make(chan struct{})
	begin, ticker := time.Now(), time.NewTicker(progressEvery)
	go func() {
		defer close(finished)
		end, last := "", int64(0)
		for {
			select {
			case <-ended:
				_, _ = io.WriteString(w, end)
				return
			case now := <-ticker.C:
				progress := fmt.Sprintf("%d s", int(now.Sub(begin).Seconds()))
				if size != nil {
					bytes := size()
					if bytes == last {
						continue
					}
					last, progress = bytes, fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
				}
				_, _ = fmt.Fprintf(w, "\r%s %s ", verb, progress)
				end = "\n"
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(ended)
		<-finished
	}
}

// sizeOfCopy returns a function that measures the temporary file of a copy to
// path.
func sizeOfCopy(path string) func() int64 {
	return func() (size int64) {
		files, _ := os.ReadDir(filepath.Dir(path))
		for _, file := range files {
			if info, err := file.Info(); err == nil && strings.HasPrefix(file.Name(), filepath.Base(path)+".devkiln-partial-") {
				size = max(size, info.Size())
			}
		}
		return size
	}
}

// counter counts the bytes written to it.
type counter struct{ atomic.Int64 }

// Write implements io.Writer.
func (c *counter) Write(b []byte) (int, error) {
	c.Add(int64(len(b)))
	return len(b), nil
}
