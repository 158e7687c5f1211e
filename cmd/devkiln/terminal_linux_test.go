package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot"
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

// Without a program for the clipboard, a terminal is sent text, and no picture.
func TestScreenshot_copyAtTerminal(t *testing.T) {
	t.Parallel()
	script, err := exec.LookPath("script")
	if err != nil {
		t.Skip("there is no script to make a terminal")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	at := func(flags string) string {
		terminal := exec.CommandContext(t.Context(), script, "-qec", os.Args[0]+" screenshot --copy "+file+flags, "/dev/null")
		terminal.Env = append(outside(), "TEST_AS_DEVKILN=1", "PATH="+dir)
		shown, _ := terminal.Output() // its exit code is that of the command
		return string(shown)
	}
	require.NoError(t, os.WriteFile(file, []byte("package a\n"), 0o600))
	var svg bytes.Buffer
	config, err := screenshot.New("package a\n", screenshot.Options{Language: "go"})
	require.NoError(t, err)
	require.NoError(t, config.WriteSVG(t.Context(), &svg))
	assert.Equal(t, "\x1b]52;c;"+base64.StdEncoding.EncodeToString(svg.Bytes())+"\aThe SVG was sent to the clipboard of the terminal.\r\n", at(" -o svg"))
	assert.Contains(t, at(""), "no program for the clipboard was found", "a PNG")

	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("é", 40_000)), 0o600))
	assert.Contains(t, at(" -o ansi"), "copy up to 74994 bytes", "too long")
}
