package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	documentedPair = regexp.MustCompile("(?s)```sh\n(curl [^`]*)```\n\n```json\n([^`]*)```")
	// idOrTime matches what varies between responses: ids, times, and the
	// compressed fragment, which depends on the compressor's release.
	idOrTime = regexp.MustCompile(`[0-9a-hjkmnp-tv-z]{16}|\d{4}-\d\d-\d\dT[\d:.]+Z|#[A-Za-z0-9_-]{100,}`)
)

// Every curl command in docs/api.md returns the response shown below it.
func TestAPI_commands(t *testing.T) {
	t.Parallel()
	needs(t, "sh", "curl")
	text, err := os.ReadFile("../../docs/api.md")
	require.NoError(t, err)
	pairs := documentedPair.FindAllStringSubmatch(string(text), -1)
	require.Len(t, pairs, 5, "one for each operation")
	const documented = "http://127.0.0.1:8080"
	s := start(t, none, "--store=memory:")
	for _, pair := range pairs {
		shell := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(pair[1], documented, s.base))
		shell.Env = append(os.Environ(), "KEY="+s.key)
		answer, err := shell.Output()
		require.NoError(t, err, pair[1])
		got := strings.ReplaceAll(string(answer), s.base, documented)
		assert.Equal(t, idOrTime.ReplaceAllString(pair[2], "…"), idOrTime.ReplaceAllString(got, "…"))
	}
}

var documentedVariable = regexp.MustCompile("(?m)^\\| (?:`--[^|]*)?\\| `(DEVKILN_[A-Z_]+)` \\|")

// docs/configuration.md lists every setting of the server exactly once.
func TestConfiguration_settings(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/configuration.md")
	require.NoError(t, err)
	var listed []string
	for _, row := range documentedVariable.FindAllStringSubmatch(string(text), -1) {
		listed = append(listed, row[1])
	}
	printed, _, err := command(t, none, "config", "--json")
	require.NoError(t, err)
	var settings []setting
	require.NoError(t, json.Unmarshal([]byte(printed), &settings))
	var known []string
	for _, s := range settings {
		known = append(known, "DEVKILN_"+strings.ToUpper(strings.ReplaceAll(s.Name, "-", "_")))
		if s.Name != "api-keys" && s.Name != "admin-password" {
			assert.Contains(t, string(text), "| `--"+s.Name)
		}
	}
	assert.ElementsMatch(t, known, listed)
}
