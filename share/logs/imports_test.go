package logs_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPackage_importsLittle checks that a program that only reads logs pays for
// no store, no compression, no highlighter and no network.
func TestPackage_importsLittle(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	for dep := range strings.FieldsSeq(string(out)) {
		first, _, _ := strings.Cut(dep, "/")
		ours := strings.HasPrefix(dep, "github.com/devkiln/devkiln/share/logs") || dep == "github.com/devkiln/devkiln/internal/terminal"
		decodes := dep == "golang.org/x/text/encoding" || strings.HasPrefix(dep, "golang.org/x/text/encoding/") || dep == "golang.org/x/text/transform" ||
			dep == "golang.org/x/text/runes" || strings.HasPrefix(dep, "golang.org/x/text/internal/utf8internal")
		assert.True(t, ours || decodes || !strings.Contains(first, ".") || strings.HasPrefix(dep, "vendor/"), dep)
		assert.False(t, dep == "net" || strings.HasPrefix(dep, "net/"), dep)
	}
}
