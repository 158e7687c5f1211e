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
	for _, m := range modules(t, ".") {
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
	for family := range strings.FieldsSeq("JetBrainsMono FiraCode GeistMono RobotoMono") {
		add("The font of pictures, "+family, "../../screenshot/internal/fonts/"+family+"-licence.txt")
	}
	add("The font of code on pages", "../../httpapi/internal/layout/fonts/mono-licence.txt")
	add("The font of pages", "../../httpapi/internal/layout/fonts/sans-licence.txt")
	add("Themes", "../../screenshot/highlight/themes/LICENSES.txt")
	add("Names of emoji, Unicode CLDR", "../../slugify/UNICODE-LICENSE")
	if *update {
		require.NoError(t, os.WriteFile("licences.txt", []byte(b.String()), 0o644))
	}
	assert.True(t, b.String() == licenceTexts || *update, "what is built in has changed; go test ./cmd/devkiln -run Licences -update writes its licences")
}

// A module that only other packages or tests need has a licence, too, and each is
// of a kind that allows linking: MIT, BSD, Apache, ISC or MPL.
func TestLicences_ofEveryModule(t *testing.T) {
	if testing.Short() {
		t.Skip("runs other programs, and commands of one goroutine")
	}
	kinds := regexp.MustCompile(`(?i)permission is hereby granted, free of charge|redistribution and use in source and binary forms|apache license|permission to use, copy, modify|mozilla public license`)
	all := modules(t, "-test", "github.com/devkiln/devkiln/...")
	require.Greater(t, len(all), 30)
	for _, m := range all {
		files, err := os.ReadDir(m.dir)
		require.NoError(t, err)
		known := slices.ContainsFunc(files, func(file os.DirEntry) bool {
			text, _ := os.ReadFile(filepath.Join(m.dir, file.Name()))
			return licenceFile.MatchString(file.Name()) && kinds.Match(text)
		})
		assert.True(t, known, "no known licence of %s", m.name)
	}
}

// module is a module that is part of the program.
type module struct{ name, dir string }

// modules returns the modules of packages on all systems the program is built
// for.
func modules(t *testing.T, packages ...string) []module {
	t.Helper()
	dirs := make(map[string]string)
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.CommandContext(t.Context(), "go", append([]string{"list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}"}, packages...)...)
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
