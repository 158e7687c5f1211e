package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/client"
)

func TestShares_listShowAndDelete(t *testing.T) {
	t.Parallel()
	s := start(t, none, "--store=memory:")
	variables := []string{"DEVKILN_URL=" + s.base, "DEVKILN_KEY=" + s.key}
	do := func(stdin string, args ...string) (stdout, stderr string, err error) {
		t.Helper()
		return piped(t, variables, stdin, args...)
	}
	log, _, err := do("ERROR é\r\n", "log", "--title=nightly \x1b[31mbuild", "--expiry=never")
	require.NoError(t, err)
	log = strings.TrimSpace(log)
	snippet, _, err := do("package a", "snippet", "--language=go")
	require.NoError(t, err)
	snippet = strings.TrimSpace(snippet)

	table, _, err := do("", "shares", "list")
	require.NoError(t, err)
	lines := strings.Split(table, "\n")
	require.Len(t, lines, 4)
	assert.Regexp(t, `^TITLE +KIND +BYTES +CREATED +EXPIRES +LINK$`, lines[0])
	assert.Regexp(t, `^ +snippet +9 +20\S+ \S+Z +20\S+ \S+Z +`+snippet+`$`, lines[1])
	assert.Regexp(t, `^nightly \\x1b\[31mbuild +log +10 +20\S+ \S+Z +never +`+log+`$`, lines[2], "a title does not command the terminal")

	text, _, err := do("", "shares", "list", "--json", "--title=BUILD", "--kind=log", "--limit=0")
	require.NoError(t, err)
	var listed []client.Share
	require.NoError(t, json.Unmarshal([]byte(text), &listed))
	require.Len(t, listed, 1)
	assert.True(t, strings.HasSuffix(log, listed[0].URL))

	text, _, err = do("", "shares", "show", log)
	require.NoError(t, err)
	assert.Equal(t, "ERROR é\r\n", text, "byte for byte")
	text, _, err = do("", "shares", "show", strings.TrimPrefix(snippet, s.base))
	require.NoError(t, err)
	assert.Equal(t, "package a", text)

	text, _, err = do("", "shares", "show", "--json", snippet)
	require.NoError(t, err)
	var shown client.Snippet
	require.NoError(t, json.Unmarshal([]byte(text), &shown))
	assert.Equal(t, "package a", shown.Code)
	assert.Equal(t, snippet, shown.FullURL)
	text, _, err = do("", "shares", "delete", "--json", snippet)
	require.NoError(t, err)
	assert.JSONEq(t, `[{"url":"`+strings.TrimPrefix(snippet, s.base)+`","deleted":true}]`, text)

	text, stderr, err := do("", "shares", "delete", log, "/logs/0123456789abcdef")
	assert.Equal(t, "1 deleted\n", text)
	assert.Equal(t, "/logs/0123456789abcdef: your key has made no such share, or it is already deleted\n", stderr)
	assert.EqualError(t, err, "1 of 2 were not deleted")
	_, _, err = do("", "shares", "show", log)
	assert.ErrorContains(t, err, "404")

	_, _, err = do("", "shares", "delete", "/logs/x")
	assert.EqualError(t, err, `"/logs/x" is not a link to a share, such as https://kiln.example/logs/4gyvm6pt90hk4r7z`)
	_, _, err = do("", "shares", "list", "--limit=-1")
	assert.EqualError(t, err, "--limit must not be negative")
}

// A list without a limit fetches all pages.
func TestShares_allPages(t *testing.T) {
	t.Parallel()
	s := start(t, none, "--store=memory:", "--rate-minute=0")
	variables := []string{"DEVKILN_URL=" + s.base, "DEVKILN_KEY=" + s.key}
	for range 5 {
		_, _, err := piped(t, variables, "x", "log")
		require.NoError(t, err)
	}
	for args, want := range map[string]int{"--limit=0": 5, "--limit=3": 3, "--limit=50": 5} {
		text, _, err := piped(t, variables, "", "shares", "list", "--json", args)
		require.NoError(t, err)
		assert.Equal(t, want, strings.Count(text, `"kind":"log"`), args)
	}
}

// A stub of the system's opener, first on the PATH, records what it opens.
func TestShares_open(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems open links with other programs")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\necho \"$@\" > "+dir+"/opened\n"), 0o700))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	for link, want := range map[string]string{
		"https://kiln.example/base/logs/4gyvm6pt90hk4r7z#L3": "https://kiln.example/base/logs/4gyvm6pt90hk4r7z#L3",
		"/snippets/4gyvm6pt90hk4r7z":                         "https://other.example/snippets/4gyvm6pt90hk4r7z",
	} {
		_, _, err := piped(t, []string{"DEVKILN_URL=https://other.example/"}, "", "shares", "open", link)
		require.NoError(t, err)
		opened, err := os.ReadFile(filepath.Join(dir, "opened"))
		require.NoError(t, err)
		assert.Equal(t, want+"\n", string(opened))
	}
	_, _, err := piped(t, none, "", "shares", "open", "/snippets/4gyvm6pt90hk4r7z")
	assert.EqualError(t, err, "a path needs a server: run devkiln login URL, or set DEVKILN_URL, or --url")
}
