package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/commandline"
)

// deploy/devkiln.1, the manual page of packages, matches the program.
func TestReference_manualPage(t *testing.T) {
	t.Parallel()
	const file = "../../deploy/devkiln.1"
	c := newCommands()
	parser, err := newParser(c, commandline.NewEnvironment(nil), io.Discard, io.Discard)
	require.NoError(t, err)
	var page strings.Builder
	page.WriteString(".\\\" Written by go test ./cmd/devkiln -run Reference -reference\n.TH DEVKILN 1\n.nh\n.ad l\n" +
		".SH NAME\ndevkiln \\- gradients, slugs, shared logs and snippets, and pictures of code\n" +
		".SH SYNOPSIS\n.B devkiln\n[\\fIcommand\\fR] [\\fIflags\\fR]\n.SH DESCRIPTION\n" + roff(parser.Model.Detail) + "\n.SH OPTIONS\n")
	writeOptions(&page, parser.Model.Flags)
	group := ""
	var served []*kong.Flag
	for _, leaf := range parser.Model.Leaves(true) {
		if title := strings.TrimSuffix(leaf.ClosestGroup().Title, ":"); title != group {
			group = title
			fmt.Fprintf(&page, ".SH %s\n", strings.ToUpper(roff(group)))
		}
		fmt.Fprintf(&page, ".SS devkiln %s\n%s\n", roff(strings.TrimSpace(leaf.Summary())), roff(leaf.Help+"\n\n"+leaf.Detail))
		flags, likeServe := flagsOf(leaf, served)
		if leaf.Name == "serve" {
			served = flags
		}
		if likeServe {
			page.WriteString("Takes the flags of serve, and:\n")
		}
		writeOptions(&page, flags)
	}
	page.WriteString(".SH FILES\n.TP\n/etc/devkiln.env\nSettings of the service as variables, one a line.\n.TP\n/var/lib/devkiln\nWhat the service keeps.\n")
	if *writeReference {
		require.NoError(t, os.WriteFile(file, []byte(page.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), page.String())
}

func writeOptions(w io.Writer, flags []*kong.Flag) {
	for _, f := range flags {
		if f.Hidden {
			continue
		}
		variable := ""
		if name := commandline.VariableOf(f); name != "" {
			variable = " (" + name + ")"
		}
		fmt.Fprintf(w, ".TP\n\\fB%s\\fR%s\n%s\n", roff(spelling(f)), variable, roff(f.Help))
	}
}

// roff formats a text for a manual page.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(strings.TrimSpace(text))
	text = regexp.MustCompile(`(?m)^[.']`).ReplaceAllString(text, `\&$0`)
	text = regexp.MustCompile(`(?m)(^    .*\n?)+`).ReplaceAllStringFunc(text, func(example string) string {
		return ".nf\n" + strings.TrimRight(example, "\n") + "\n.fi\n" // its lines are not filled
	})
	return strings.TrimRight(text, "\n")
}
