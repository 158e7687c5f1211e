package share_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPackages_withoutLexers verifies that only highlighting imports the lexers
// of chroma, which take 9 ms to register.
func TestPackages_withoutLexers(t *testing.T) {
	for _, pkg := range []string{"share", "share/logs", "share/mask", "slugify", "gradient", "store"} {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "github.com/devkiln/devkiln/"+pkg).Output()
		require.NoError(t, err)
		assert.NotContains(t, string(out), "alecthomas/chroma", pkg)
	}
}
