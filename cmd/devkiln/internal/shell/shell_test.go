//go:build !windows

package shell_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/shell"
)

func TestRun_output(t *testing.T) {
	for _, c := range []struct {
		command string
		want    shell.Result
	}{
		{"echo one; echo two >&2", shell.Result{Output: "one\r\ntwo\r\n"}},
		{"test -t 0 && test -t 1 && stty size", shell.Result{Output: "20 90\r\n"}},
		{"cat; echo end", shell.Result{Output: "end\r\n"}},
		{"printf '\\033[31mx\\377'; exit 3", shell.Result{Output: "\x1b[31mx\ufffd", Status: 3}},
		{"kill -9 $$", shell.Result{Status: -1}},
		{"echo $PAGER $TERM", shell.Result{Output: "cat xterm-256color\r\n"}},
		{"sleep 600 & echo left", shell.Result{Output: "left\r\n"}},
		{"head -c 300 /dev/zero | tr '\\0' x", shell.Result{Output: strings.Repeat("x", 300)}},
	} {
		got, err := shell.Run(t.Context(), c.command, shell.Options{Columns: 90, Rows: 20, MaxBytes: 300})
		require.NoError(t, err, c.command)
		assert.Equal(t, c.want, got, c.command)
	}
}

func TestRun_bounded(t *testing.T) {
	_, err := shell.Run(t.Context(), "yes", shell.Options{Columns: 80, Rows: 24, MaxBytes: 10_000})
	require.EqualError(t, err, "it writes more than 10000 bytes")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = shell.Run(ctx, "sleep 600", shell.Options{Columns: 80, Rows: 24, MaxBytes: 10_000})
	require.ErrorIs(t, err, context.Canceled)
}
