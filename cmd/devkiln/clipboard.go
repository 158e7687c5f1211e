package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// mediaTypes are the media types of pictures by format, as the programs of the
// clipboard take them.
var mediaTypes = map[string]string{"png": "image/png", "webp": "image/webp", "svg": "image/svg+xml", "json": "application/json", "html": "text/html", "ansi": "text/plain"}

// clipboards are the commands that read standard input onto the clipboard, in
// the order in which they are tried. {type} is the media type; a command
// without it takes only text.
var clipboards = []string{
	"wl-copy --type {type}", // Wayland
	"xclip -selection clipboard -t {type}",
	"pbcopy",   // macOS
	"clip.exe", // Windows, and Linux on it
}

// copyToClipboard puts a picture on the clipboard by the first command that is
// installed.
func copyToClipboard(ctx context.Context, p process, format string, picture []byte) error {
	for _, line := range clipboards {
		words := strings.Fields(strings.ReplaceAll(line, "{type}", mediaTypes[format]))
		program, missing := exec.LookPath(words[0])
		if missing != nil || line == words[0] && (format == "png" || format == "webp") {
			continue
		}
		command := exec.CommandContext(ctx, program, words[1:]...)
		command.Stdin = bytes.NewReader(picture)
		command.Stderr = p.stderr // no pipe: xclip goes on in the background
		if err := command.Run(); err != nil {
			return fmt.Errorf("%s: %w", words[0], err)
		}
		_, _ = fmt.Fprintf(p.stderr, "The %s is on the clipboard.\n", strings.ToUpper(format))
		return nil
	}
	return errors.New("no program for the clipboard was found: install wl-clipboard or xclip, or write a file with --output")
}
