package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A terminal shows the prompt and nothing of what is typed. Ctrl-C gives up.
func TestPrompt_notEchoed(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine: it hashes passwords")
	}
	t.Parallel()
	needs(t, "script")
	db := storeIn(t)
	start(t, none, db)
	for keys, want := range map[string]string{
		adminPass + "\r":                "The admin password is set.",
		adminPass + "xy\x7f\x7f\r":      "The admin password is set.",
		adminPass + "\x03":              "devkiln: interrupted",
		strings.Repeat("x", 300) + "\r": "must have 12 to 256",
	} {
		terminal := exec.CommandContext(t.Context(), "script", "-qec", os.Args[0]+" admin set-password "+db, "/dev/null")
		terminal.Env = append(outside(), "TEST_AS_DEVKILN=1")
		in, err := terminal.StdinPipe()
		require.NoError(t, err)
		out, err := terminal.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, terminal.Start())
		shown := bufio.NewReader(out)
		prompt, err := shown.ReadString(':')
		require.NoError(t, err, prompt)
		assert.Contains(t, prompt, "New admin password, at least 12 characters:")
		_, err = io.WriteString(in, keys)
		require.NoError(t, err)
		rest, err := io.ReadAll(shown)
		require.NoError(t, err)
		_ = terminal.Wait() // its exit code is that of the command
		assert.Contains(t, string(rest), want)
		assert.NotContains(t, string(rest), adminPass[:4])
		assert.NotContains(t, string(rest), "xxx")
	}
}
