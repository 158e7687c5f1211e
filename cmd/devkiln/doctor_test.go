package main

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/server"
	"github.com/devkiln/devkiln/store/sqlite"
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
	assert.EqualError(t, err, "1 of 8 checks found an error")
	f := findingsOf(t, stdout)["store"]
	assert.Equal(t, "error", f.Severity)
	assert.Contains(t, f.Do, "devkiln restore")
}

// Doctor tries the address, unless a server already responds there.
func TestDoctor_listen(t *testing.T) {
	t.Parallel()
	storeFlag := storeIn(t)
	running := start(t, none, storeFlag)
	busy, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer busy.Close()
	go func() { // no server of Devkiln
		for conn, err := busy.Accept(); err == nil; conn, err = busy.Accept() {
			_ = conn.Close()
		}
	}()
	for listen, want := range map[string][3]string{
		"127.0.0.1:0": {"ok", "127.0.0.1:0", ""},
		strings.TrimPrefix(running.base, "http://"): {"ok", strings.TrimPrefix(running.base, "http://"), ""},
		busy.Addr().String():                        {"warning", "address already in use", "another --listen"},
		"unix:/none/of/these":                       {"error", "no such file or directory", "folder"},
		"127.0.0.1":                                 {"error", "must be HOST:PORT", "a free port"},
	} {
		stdout, _, _ := command(t, none, "doctor", "--json", storeFlag, "--no-system-fonts", "--listen="+listen)
		f := findingsOf(t, stdout)["listen"]
		assert.Equal(t, want[0], f.Severity, listen)
		assert.Contains(t, f.Found, want[1])
		assert.Contains(t, f.Do, want[2])
	}
}

// Doctor says how full a store with a limit is.
func TestDoctor_limit(t *testing.T) {
	t.Parallel()
	storeFlag := storeIn(t)
	db, err := sqlite.Open(t.Context(), strings.TrimPrefix(storeFlag, "--store=sqlite:"), sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, db.Put(t.Context(), "large", make([]byte, 1_000_000), time.Time{}))
	require.NoError(t, db.Close())
	for limit, want := range map[string]string{"1000000": "warning", "1100000": "warning", "2000000": "ok", "0": ""} {
		stdout, _, err := command(t, none, "doctor", "--json", storeFlag, "--no-system-fonts", "--listen=127.0.0.1:0", "--max-store-bytes="+limit)
		require.NoError(t, err)
		f := findingsOf(t, stdout)["limit"]
		assert.Equal(t, want, f.Severity, limit)
		assert.Equal(t, want == "warning", strings.Contains(f.Do, "--max-store-bytes"), limit)
	}
}
