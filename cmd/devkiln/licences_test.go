package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write licences.txt")

// licenceFile matches the names of licence files in modules.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)([.-].*)?$`)

func TestLicences_areComplete(t *testing.T) {
	var b strings.Builder
	add := func(name, file string) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		fmt.Fprintf(&b, "%s\n%s\n\n%s\n\n", name, strings.Repeat("=", len(name)), strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	add("Devkiln", "../../LICENSE")
	for _, m := range modules(t) {
		entries, err := os.ReadDir(m.dir)
		require.NoError(t, err)
		found := 0
		for _, e := range entries {
			if licenceFile.MatchString(e.Name()) && !e.IsDir() {
				add(m.name+": "+e.Name(), filepath.Join(m.dir, e.Name()))
				found++
			}
		}
		assert.Positive(t, found, "no licence of %s", m.name)
	}
	add("The font of pictures, JetBrains Mono", "../../screenshot/internal/fonts/OFL.txt")
	add("The font of code on pages", "../../httpapi/internal/layout/fonts/mono-licence.txt")
	add("The font of pages", "../../httpapi/internal/layout/fonts/sans-licence.txt")
	add("Themes", "../../screenshot/highlight/themes/LICENSES.txt")
	add("Names of emoji, Unicode CLDR", "../../slugify/UNICODE-LICENSE")
	if *update {
		require.NoError(t, os.WriteFile("licences.txt", []byte(b.String()), 0o644))
	}
	assert.True(t, b.String() == licenceTexts || *update, "what is built in has changed; go test ./cmd/devkiln -run Licences -update writes its licences")
}

// module is a module that is part of the program.
type module struct{ name, dir string }

// modules returns the modules of the program on all systems it is built for.
func modules(t *testing.T) []module {
	t.Helper()
	dirs := make(map[string]string)
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}", ".")
		list.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		out, err := list.Output()
		require.NoError(t, err)
		for line := range bytes.Lines(out) {
			name, dir, _ := strings.Cut(strings.TrimSpace(string(line)), "\t")
			if strings.Contains(name, "@") || name == "" || strings.HasPrefix(name, "github.com/devkiln/devkiln") {
				continue
			}
			dirs[name] = dir
		}
	}
	dirs["The Go standard library"] = goRoot(t)
	var all []module
	for name, dir := range dirs {
		all = append(all, module{name, dir})
	}
	slices.SortFunc(all, func(a, b module) int { return strings.Compare(a.name, b.name) })
	return all
}

func goRoot(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}
