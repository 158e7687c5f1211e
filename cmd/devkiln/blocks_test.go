package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A block is a row of testdata/blocks.json. It says which test runs a kind of
// code block of the documents. A code block belongs to the first matching row.
type block struct {
	File, Language string
	First          string // prefix of its text; empty matches any
	Test           string // test that runs it
	Not            string // reason that it is not run
	Prints         string // its expected output, if run here
	Writes         string // file that it must create
}

var fenced = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")

// notRun lists the languages of output and of data.
var notRun = map[string]bool{"json": true, "text": true}

func TestBlocks_eachIsRunOrSaysWhyNot(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a command for each row, in one goroutine")
	}
	t.Parallel()
	data, err := os.ReadFile("testdata/blocks.json")
	require.NoError(t, err)
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var rows []block
	require.NoError(t, decoder.Decode(&rows))
	tests, used := testNames(t), make([]bool, len(rows))
	d := newDesk(t)
	for name, text := range map[string]string{"notes.txt": "INFO up\n", "secrets.env": "TOKEN=hunter22\n", ".devkiln-key": d.key} {
		require.NoError(t, os.WriteFile(filepath.Join(d.dir, name), []byte(text), 0o600))
	}
	require.NoError(t, os.CopyFS(filepath.Join(d.dir, "examples"), os.DirFS("../../examples")))
	d.variables = append(d.variables, "KEY="+d.key)
	documents, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	internals, err := filepath.Glob("../../docs/internals/*.md")
	require.NoError(t, err)
	for _, path := range append(append(documents, internals...), "../../README.md", "../../CONTRIBUTING.md") {
		page, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, m := range fenced.FindAllStringSubmatch(string(page), -1) {
			if notRun[m[1]] {
				continue
			}
			row := block{Language: m[1], File: strings.TrimPrefix(filepath.ToSlash(path), "../../")}
			i := rowOf(rows, row, m[2])
			if !assert.GreaterOrEqual(t, i, 0, "no row in testdata/blocks.json for this of %s:\n%s", row.File, m[2]) {
				continue
			}
			used[i] = true
			switch row = rows[i]; {
			case row.Test != "":
				assert.Contains(t, tests, row.Test)
			case row.Not == "":
				d.runBlock(t, row, m[2])
			}
		}
	}
	for i, row := range rows {
		assert.True(t, used[i], "no block for %+v", row)
	}
}

// rowOf returns the index of the first matching row, or -1.
func rowOf(rows []block, b block, text string) int {
	for i, row := range rows {
		if row.File == b.File && row.Language == b.Language && strings.HasPrefix(text, row.First) {
			return i
		}
	}
	return -1
}

// runBlock runs a block line by line. It replaces abbreviated links with the
// link that the previous line printed.
func (d desk) runBlock(t *testing.T, row block, text string) {
	t.Helper()
	text = strings.NewReplacer("https://kiln.example/snippets/…#key", "'$(tail -n 1 said)'", "https://kiln.example", d.base, "http://127.0.0.1:8080", d.base).Replace(text)
	lines := strings.Split(strings.ReplaceAll(strings.TrimSpace(text), "\\\n", " "), "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "export ") {
			command, _, _ := strings.Cut(line, "      #")
			lines[i] = "{ " + command + "; } >>said"
		}
	}
	d.run(t, "sh", "-ec", ": >said\n"+strings.Join(lines, "\n"))
	said, err := os.ReadFile(filepath.Join(d.dir, "said"))
	require.NoError(t, err)
	assert.Regexp(t, row.Prints, string(said), text)
	if row.Writes != "" {
		assert.FileExists(t, filepath.Join(d.dir, row.Writes))
	}
}

// testNames returns the names of all tests of the command.
func testNames(t *testing.T) (names []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(source), -1) {
			names = append(names, m[1])
		}
		return err
	}))
	return names
}
