package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A server is killed while many clients create shares, and restarted on the
// same store. Every acknowledged share is there.
func TestServe_killLosesNoShare(t *testing.T) {
	t.Parallel()
	const clients, enough = 32, 300
	db := storeIn(t)
	base, key, kill := launch(t, db)

	var mu sync.Mutex
	answered := make(map[string]string)
	full := make(chan struct{})
	var wg sync.WaitGroup
	for client := range clients {
		wg.Go(func() {
			for i := 0; ; i++ {
				content := fmt.Sprintf("client %d, share %d", client, i)
				id, ok := createShare(base, key, content)
				if !ok {
					return // the server is gone
				}
				mu.Lock()
				answered[id] = content
				if len(answered) == enough {
					close(full)
				}
				mu.Unlock()
			}
		})
	}
	<-full
	kill()
	wg.Wait()

	s := start(t, none, db, "--rate-minute=0", "--rate-day=0")
	require.GreaterOrEqual(t, len(answered), enough)
	for id, content := range answered {
		status, found := call(t, http.MethodGet, s.base+"/api/v1/log-share/"+id, key, "")
		assert.Equal(t, http.StatusOK, status, id)
		assert.Equal(t, content, found["content"])
	}
}

// createShare returns the id of a new log, or false if there was no response.
func createShare(base, key, content string) (id string, ok bool) {
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, base+"/api/v1/log-share", strings.NewReader(fmt.Sprintf(`{"content":%q}`, content)))
	if err != nil {
		return "", false
	}
	request.Header.Set("X-API-Key", key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", false
	}
	defer response.Body.Close()
	var made struct{ ID string }
	err = json.NewDecoder(response.Body).Decode(&made)
	return made.ID, err == nil && response.StatusCode == http.StatusOK && made.ID != ""
}

// launch starts a server without limits in a process that the test kills.
func launch(t *testing.T, db string) (base, key string, kill func()) {
	t.Helper()
	if testing.Short() {
		t.Skip("the race detector sees nothing in a process that is killed")
	}
	server := exec.CommandContext(context.Background(), os.Args[0], db, "--listen=127.0.0.1:0", "--no-access-log", "--rate-minute=0", "--rate-day=0")
	server.Env = append(outside(), "TEST_AS_DEVKILN=1")
	stdout, err := server.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, server.Start())
	kill = sync.OnceFunc(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	t.Cleanup(kill)
	var greeting bytes.Buffer
	lines := bufio.NewScanner(stdout)
	for key == "" && lines.Scan() {
		greeting.WriteString(lines.Text() + "\n")
		key = keyPattern.FindString(lines.Text())
	}
	address := addressPattern.FindStringSubmatch(greeting.String())
	require.NotNil(t, address, greeting.String())
	return address[1], key, kill
}

// outside returns the environment without the server's variables.
func outside() []string {
	variables := slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "DEVKILN_") })
	return append(variables, "XDG_CONFIG_HOME="+filepath.Join(os.TempDir(), "no-login"))
}
