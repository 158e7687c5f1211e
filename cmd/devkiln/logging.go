package main

import (
	"io"
	"log/slog"
	"sync"
	"time"
)

// logs is where a server writes down what happens, line by line.
type logs struct {
	events *slog.Logger
	access *slog.Logger // nil: requests are not logged
	flush  func()       // writes what has been collected
}

// logs returns the logs of a server, both on stderr.
func (c serve) logs(p process) logs {
	out := newLines(p.stderr)
	l := logs{events: slog.New(c.logHandler(out)), flush: out.flush}
	if c.AccessLog {
		l.access = slog.New(c.logHandler(late{out}))
	}
	return l
}

func (c serve) logHandler(out io.Writer) slog.Handler {
	if c.LogFormat == "json" {
		return slog.NewJSONHandler(out, nil)
	}
	return slog.NewTextHandler(out, nil)
}

// lines are lines of a log on their way out, in order. To write one by itself
// takes a tenth of the time of a small request, and waits for a disk that is
// busy.
type lines struct {
	out     io.Writer
	due     *time.Timer
	writing sync.Mutex // held by whoever writes to out
	spare   []byte

	mu        sync.Mutex
	collected []byte
}

const (
	maxLate      = 100 * time.Millisecond
	maxCollected = 64 << 10 // bytes, about 300 lines of the access log
)

func newLines(out io.Writer) *lines {
	l := &lines{out: out}
	l.due = time.AfterFunc(maxLate, l.flush)
	return l
}

// Write implements io.Writer. The line is written at once, behind those that
// wait.
func (l *lines) Write(line []byte) (int, error) {
	l.collect(line)
	l.flush()
	return len(line), nil
}

// late collects lines, and writes each within maxLate.
type late struct{ *lines }

// Write implements io.Writer.
func (l late) Write(line []byte) (int, error) {
	size := l.collect(line)
	if size == len(line) { // the first
		l.due.Reset(maxLate)
	}
	if size >= maxCollected {
		l.flush()
	}
	return len(line), nil
}

// collect returns how much is waiting now.
func (l *lines) collect(line []byte) (size int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.collected = append(l.collected, line...)
	return len(l.collected)
}

// flush writes what is waiting. Nobody can be told of a log that cannot be
// written.
func (l *lines) flush() {
	l.writing.Lock()
	defer l.writing.Unlock()
	l.mu.Lock()
	full := l.collected
	l.collected = l.spare[:0]
	l.mu.Unlock()
	if len(full) > 0 {
		_, _ = l.out.Write(full)
	}
	l.spare = full
}
