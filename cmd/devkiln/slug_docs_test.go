package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot"
)

var drawSlugs = flag.Bool("draw", false, "draw the pictures of docs/slugs.md again")

// shell runs a line in a shell whose devkiln is this program, and returns its
// output.
func shell(t *testing.T, line string) string {
	t.Helper()
	needs(t, "sh")
	bin := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\nTEST_AS_DEVKILN=1 exec %q \"$@\"\n", executable(t))
	require.NoError(t, os.WriteFile(filepath.Join(bin, "devkiln"), []byte(script), 0o755))
	command := exec.CommandContext(t.Context(), "sh", "-c", line)
	command.Dir, command.Env = bin, append(outside(), "PATH="+bin+":"+os.Getenv("PATH"))
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s\n%s", line, out)
	return string(out)
}

// Each command in docs/slugs.md has the documented output.
func TestSlugDocs_lines(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/slugs.md")
	require.NoError(t, err)
	lines := regexp.MustCompile(`(?m)^(devkiln slug .*?) +# (\S+)$`).FindAllStringSubmatch(string(text), -1)
	require.GreaterOrEqual(t, len(lines), 3)
	for _, m := range lines {
		assert.Equal(t, m[2]+"\n", shell(t, m[1]))
	}
}

// The pictures in docs/slugs.md show the current output of the command in their
// alt text.
func TestSlugDocs_pictures(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	t.Parallel()
	text, err := os.ReadFile("../../docs/slugs.md")
	require.NoError(t, err)
	pictures := regexp.MustCompile(`!\[(.*?)\]\((slugs/[\w-]+\.png)\)`).FindAllStringSubmatch(string(text), -1)
	for _, m := range pictures {
		said := "$ " + m[1] + "\n" + strings.TrimRight(shell(t, m[1]), "\n")
		file := filepath.Join("../../docs", m[2])
		if *drawSlugs {
			drawTerminal(t, file, said)
		}
		drawn, err := os.ReadFile(file)
		require.NoError(t, err)
		at := bytes.Index(drawn, []byte("iTXtdevkiln\x00"))
		require.Positive(t, at)
		_, fragment, _ := strings.Cut(string(drawn[at:at+4+int(binary.BigEndian.Uint32(drawn[at-4:]))]), "#")
		config, err := screenshot.ParseFragment(fragment)
		require.NoError(t, err)
		assert.Equal(t, said, config.Code, "%s: go test ./cmd/devkiln -run SlugDocs -draw", file)
	}
	files, err := os.ReadDir("../../docs/slugs")
	require.NoError(t, err)
	assert.Len(t, files, len(pictures))
}

func drawTerminal(t *testing.T, file, text string) {
	t.Helper()
	config, err := screenshot.New(text, screenshot.Options{
		Language: "console", Theme: "ocean", Background: "linear-gradient(120deg, #ffd479, #ff8f61)", Padding: new(24.0),
		HideLineNumbers: true, HideShadow: true, Extras: screenshot.Extras{Embed: "config"},
	})
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, config.WritePNG(t.Context(), &b, 2))
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o644))
}
