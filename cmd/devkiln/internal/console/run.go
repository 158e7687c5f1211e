//go:build !windows

package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/creack/pty"
)

// drain limits reading the remaining output after the command exits. Its child
// processes may keep the terminal open.
const drain = 200 * time.Millisecond

// Run runs a command line with sh. Its input is empty. When ctx ends or the
// output exceeds the limit, Run kills it with its child processes, and returns an
// error. A system without pseudo-terminals, such as Windows, is an
// error too.
func Run(ctx context.Context, command string, o Options) (Result, error) {
	running, kill := context.WithCancel(ctx)
	defer kill()
	c := exec.CommandContext(running, "sh", "-c", command)
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) } // the group that pty starts it in
	c.Env = append(c.Environ(), "TERM=xterm-256color", "PAGER=cat")
	terminal, err := pty.StartWithSize(c, &pty.Winsize{Rows: uint16(o.Rows), Cols: uint16(o.Columns)})
	if errors.Is(err, pty.ErrUnsupported) {
		return Result{}, errors.New("commands cannot be run here: this system has no pseudo-terminals")
	} else if err != nil {
		return Result{}, err
	}
	// pty leaves the file in blocking mode, which does not support deadlines.
	if err := syscall.SetNonblock(int(terminal.Fd()), true); err != nil {
		return Result{}, errors.Join(err, terminal.Close())
	}
	const endOfInput = "\x04"
	_, _ = io.WriteString(terminal, endOfInput)
	var output bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&output, io.LimitReader(terminal, int64(o.MaxBytes)+1)) // the error is the end of the terminal
		if output.Len() > o.MaxBytes {
			kill()
		}
	}()
	err = c.Wait()
	_ = terminal.SetReadDeadline(time.Now().Add(drain))
	<-read
	_ = terminal.Close()
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	if output.Len() > o.MaxBytes {
		return Result{}, fmt.Errorf("writes more than %d bytes", o.MaxBytes)
	}
	if failed, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		return Result{}, err
	} else if ok {
		return Result{text(output), failed.ExitCode()}, nil
	}
	return Result{text(output), 0}, nil
}

func text(output bytes.Buffer) string { return strings.ToValidUTF8(output.String(), "\ufffd") }
