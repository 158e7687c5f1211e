package e2e_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

// What a release contains for other systems passes the type checker, which
// takes an eighth of the compiler's time: 12 s of a processor for a system.
func TestOtherSystems_typeCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the source of all dependencies, of each system")
	}
	t.Parallel()
	for _, system := range []string{"linux/arm64", "darwin/arm64", "windows/amd64"} {
		goos, goarch, _ := strings.Cut(system, "/")
		loaded, err := packages.Load(&packages.Config{
			Mode: packages.NeedImports | packages.NeedDeps | packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesSizes,
			Dir:  "../..",
			Env:  append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch),
		}, "./...")
		require.NoError(t, err)
		require.Greater(t, len(loaded), 50)
		packages.Visit(loaded, nil, func(p *packages.Package) {
			assert.Empty(t, p.Errors, "%s: %s", system, p.PkgPath)
		})
	}
}
