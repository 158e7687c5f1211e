package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// agent starts devkiln mcp in a process and connects to it.
func agent(t *testing.T, variables []string, args ...string) *sdk.ClientSession {
	t.Helper()
	command := exec.CommandContext(context.Background(), executable(t), append([]string{"mcp"}, args...)...)
	command.Env = append(append(outside(), "TEST_AS_DEVKILN=1"), variables...)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: command}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, session.Close(), "the command ends well") })
	return session
}

// A text that is too long is an error of its call, not the end of the session.
func TestMCP_textThatIsTooLong(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	t.Parallel()
	session := agent(t, none)
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "summarize_log", Arguments: map[string]any{"text": strings.Repeat("a", 32<<20+1)}})
	require.NoError(t, err)
	assert.Equal(t, "text: has more than 33554432 bytes", result.Content[0].(*sdk.TextContent).Text)
}

func TestMCP_process(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "build.log"), []byte("10:00 ERROR disk is full\n"), 0o600))
	s := start(t, none, storeIn(t))
	for name, session := range map[string]*sdk.ClientSession{
		"alone":           agent(t, none, "--root="+dir),
		"with a server":   agent(t, []string{"DEVKILN_URL=" + s.base, "DEVKILN_KEY=" + s.key}, "--root="+dir),
		"on a read basis": agent(t, none, "--root="+dir, "--read-only"),
	} {
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "summarize_log", Arguments: map[string]any{"file": "build.log"}})
		require.NoError(t, err)
		assert.Contains(t, result.Content[0].(*sdk.TextContent).Text, "disk is full", name)
		result, err = session.CallTool(t.Context(), &sdk.CallToolParams{Name: "share_log", Arguments: map[string]any{"file": "build.log"}})
		if name == "on a read basis" {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		text := result.Content[0].(*sdk.TextContent).Text
		if name == "alone" {
			assert.Contains(t, text, "there is no server to share on: run devkiln login URL")
			continue
		}
		assert.Regexp(t, `^http://.*/logs/[0-9a-z]{16}\nid `, text)
	}
}

func TestMCP_lineThatIsNoJSON(t *testing.T) {
	out, _, err := piped(t, none, "hello\n", "mcp")
	require.NoError(t, err)
	assert.Contains(t, out, `"message":"Parse error: invalid character 'h'`)
}
