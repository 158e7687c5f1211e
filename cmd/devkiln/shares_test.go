package main

import (
	"encoding/json"
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
	assert.Regexp(t, `^nightly �\[31mbuild +log +10 +20\S+ \S+Z +never +`+log+`$`, lines[2], "a title does not command the terminal")

	text, _, err := do("", "shares", "list", "--json", "--title=BUILD", "--kind=log", "--limit=1000")
	require.NoError(t, err)
	var listed []client.Share
	require.NoError(t, json.Unmarshal([]byte(text), &listed))
	require.Len(t, listed, 1)
	assert.Equal(t, log, listed[0].URL)

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
	_, _, err = do("", "shares", "delete", snippet)
	require.NoError(t, err)

	text, stderr, err := do("", "shares", "delete", log, "/logs/0123456789abcdef")
	assert.Equal(t, "1 deleted\n", text)
	assert.Equal(t, "/logs/0123456789abcdef: your key has made no such share, or it is already deleted\n", stderr)
	assert.EqualError(t, err, "1 of 2 were not deleted")
	_, _, err = do("", "shares", "show", log)
	assert.ErrorContains(t, err, "404")

	_, _, err = do("", "shares", "delete", "/logs/x")
	assert.EqualError(t, err, `"/logs/x" is not a link to a share, such as https://kiln.example/logs/4gyvm6pt90hk4r7z`)
	_, _, err = do("", "shares", "list", "--limit=0")
	assert.EqualError(t, err, `--limit "0": must be 1 to 1000`)
}

// A caller inside the network of a server gets the links that work outside it,
// and reads and deletes by them.
func TestShares_publicLinks(t *testing.T) {
	t.Parallel()
	s := start(t, none, "--store=memory:", "--base-url=https://kiln.example/tools/")
	variables := []string{"DEVKILN_URL=" + s.base, "DEVKILN_KEY=" + s.key}
	for kind, want := range map[string]string{"log": "https://kiln.example/tools/logs/", "snippet": "https://kiln.example/tools/snippets/"} {
		link, _, err := piped(t, variables, "text of a "+kind, kind)
		require.NoError(t, err)
		assert.Regexp(t, "^"+want+"[0-9a-z]{16}\n$", link)
		link = strings.TrimSpace(link)
		table, _, err := piped(t, variables, "", "shares", "list")
		require.NoError(t, err)
		assert.Contains(t, table, " "+link+"\n")
		text, _, err := piped(t, variables, "", "shares", "show", link)
		require.NoError(t, err)
		assert.Equal(t, "text of a "+kind, text)
		_, _, err = piped(t, variables, "", "shares", "show", strings.Replace(link, "kiln", "other", 1))
		assert.ErrorContains(t, err, "is on another server")
		_, _, err = piped(t, variables, "", "shares", "delete", link)
		require.NoError(t, err)
	}
}
