package main

import (
	"encoding/json"
	"os"
	"os/exec"
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
	assert.EqualError(t, err, "1 of 9 checks found an error")
	f := findingsOf(t, stdout)["store"]
	assert.Equal(t, server.Error, f.Severity)
	assert.Contains(t, f.Do, "devkiln restore")
}

func TestDoctor_limitsOfTheProcess(t *testing.T) {
	t.Parallel()
	process := exec.CommandContext(t.Context(), "sh", "-c", `ulimit -n 512 && exec "$0" doctor --json --store=memory: --no-system-fonts`, executable(t))
	process.Env = append(outside(), "TEST_AS_DEVKILN=1", "GOMEMLIMIT=100MiB")
	out, err := process.Output()
	require.NoError(t, err, string(out))
	findings := findingsOf(t, string(out))
	assert.Equal(t, server.Warning, findings["files"].Severity)
	assert.Contains(t, findings["files"].Found, "at most 512 open")
	assert.Equal(t, server.Warning, findings["memory"].Severity)
	assert.Contains(t, findings["memory"].Found, "100 MiB")
}
