package e2e_test

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/contract"
)

// The client that openapi-typescript generates compiles, and the responses of
// every operation match its types.
func TestOpenAPI_generatedTypeScriptClient(t *testing.T) {
	t.Parallel()
	modules, err := filepath.Abs("node_modules")
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(modules, "openapi-typescript")); err != nil {
		t.Skip("openapi-typescript is not installed: npm ci --prefix internal/e2e")
	}
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/typescript")))
	require.NoError(t, os.Symlink(modules, filepath.Join(dir, "node_modules")))
	node := func(args ...string) string {
		t.Helper()
		process := exec.CommandContext(t.Context(), "node", args...)
		process.Dir = dir
		output, err := process.CombinedOutput()
		require.NoError(t, err, string(output))
		return string(output)
	}
	player := contract.Start(t, contract.Server{})
	server := httptest.NewServer(player.Handler)
	defer server.Close()

	// By default the tool treats a field with a default value as required.
	node("node_modules/openapi-typescript/bin/cli.js", server.URL+"/openapi.yaml", "--output=schema.d.ts", "--default-non-nullable=false")
	node("node_modules/typescript/bin/tsc")
	assert.JSONEq(t, `[null, "ERROR disk\n", {"mine": 1}, "go", "creme-brulee", "linear-gradient(45deg, #ff0000 0%, #0000ff 100%)", false, "text", true]`,
		node("client.js", server.URL, player.Keys["alice"]))
}
