package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/server"
)

// findingsOf parses doctor's JSON output, by check.
func findingsOf(t *testing.T, text string) map[string]server.Finding {
	t.Helper()
	var list []server.Finding
	require.NoError(t, json.Unmarshal([]byte(text), &list), text)
	findings := make(map[string]server.Finding)
	for _, f := range list {
		findings[f.Check] = f
	}
	return findings
}

// Doctor checks a store that a server has open.
func TestDoctor_besideAServer(t *testing.T) {
	t.Parallel()
	storeFlag := storeIn(t)
	start(t, none, storeFlag)
	stdout, _, err := command(t, none, "doctor", storeFlag, "--no-system-fonts")
	require.NoError(t, err, stdout)
	assert.Regexp(t, `(?m)^ok       store        can be read and written; has \d+ entries$`, stdout)
	assert.Regexp(t, `(?m)^warning  fonts        pictures show boxes for Chinese.*\n {22}Install fonts`, stdout)
}

func TestDoctor_damagedStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "devkiln.db")
	require.NoError(t, os.WriteFile(path, []byte("this was never a store"), 0o600))
	stdout, _, err := command(t, none, "doctor", "--json", "--store=sqlite:"+path, "--no-system-fonts")
	assert.EqualError(t, err, "1 of 7 checks found an error")
	f := findingsOf(t, stdout)["store"]
	assert.Equal(t, "error", f.Severity)
	assert.Contains(t, f.Do, "devkiln restore")
}
