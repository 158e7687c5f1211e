//go:build !windows

package console_test

import (
	"context"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/console"
)

func TestRun_output(t *testing.T) {
	for _, c := range []struct {
		command string
		want    console.Result
	}{
		{"echo one; echo two >&2", console.Result{Output: "one\r\ntwo\r\n"}},
		{"test -t 0 && test -t 1 && stty size", console.Result{Output: "20 90\r\n"}},
		{"cat; echo end", console.Result{Output: "end\r\n"}},
		{"printf '\\033[31mx\\377'; exit 3", console.Result{Output: "\x1b[31mx\ufffd", Status: 3}},
		{"kill -9 $$", console.Result{Status: -1}},
		{"echo $PAGER $TERM", console.Result{Output: "cat xterm-256color\r\n"}},
		{"sleep 10 & echo left", console.Result{Output: "left\r\n"}},
		{"head -c 300 /dev/zero | tr '\\0' x", console.Result{Output: strings.Repeat("x", 300)}},
	} {
		got, err := console.Run(t.Context(), c.command, console.Options{Columns: 90, Rows: 20, MaxBytes: 300})
		require.NoError(t, err, c.command)
		assert.Equal(t, c.want, got, c.command)
	}
}

func TestRun_bounded(t *testing.T) {
	_, err := console.Run(t.Context(), "yes", console.Options{Columns: 80, Rows: 24, MaxBytes: 10_000})
	require.EqualError(t, err, "writes more than 10000 bytes")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = console.Run(ctx, "sleep 600", console.Options{Columns: 80, Rows: 24, MaxBytes: 10_000})
	require.ErrorIs(t, err, context.Canceled)
}

// A command that is stopped leaves no child process, not even with SIGHUP
// ignored, as under nohup.
func TestRun_leavesNothing(t *testing.T) {
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	pipe, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	defer pipe.Close()
	require.NoError(t, pipe.SetReadDeadline(time.Now().Add(20*time.Second)))
	_, err = console.Run(t.Context(), "exec 3>"+path+"; echo x >&3; sleep 60 & yes", console.Options{Columns: 80, Rows: 24, MaxBytes: 10_000})
	require.EqualError(t, err, "writes more than 10000 bytes")
	_, err = io.ReadAll(pipe)
	require.NoError(t, err, "a process has the pipe open")
}

// With SIGHUP ignored, as under nohup, a child process outlives its terminal.
func TestRun_leftRunning(t *testing.T) {
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	got, err := console.Run(t.Context(), "sleep 600 & echo $!", console.Options{Columns: 90, Rows: 20, MaxBytes: 300})
	require.NoError(t, err)
	id, err := strconv.Atoi(strings.TrimSpace(got.Output))
	require.NoError(t, err, got.Output)
	left, err := os.FindProcess(id)
	require.NoError(t, err)
	require.NoError(t, left.Kill(), "it is there still")
}
