package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/commandline"
	"github.com/devkiln/devkiln/httpapi/openapi"
)

var writeReference = flag.Bool("reference", false, "write docs/reference.md")

// docs/reference.md matches the program: its commands with flags and variables,
// and the errors and limits of the API.
func TestReference_isWhatTheProgramSays(t *testing.T) {
	t.Parallel()
	const file = "../../docs/reference.md"
	var page strings.Builder
	page.WriteString("# Reference\n\n" +
		"Written by `go test ./cmd/devkiln -run Reference -reference` from the program itself; without `-reference` the test compares them.\n" +
		"The operations, their fields and their responses are in the [OpenAPI document](../httpapi/openapi/openapi.yaml), which a server shows at\n" +
		"`/docs`; the packages in their documentation (`go doc`).\n\n")
	writeCommands(t, &page)
	assert.NotRegexp(t, `\{\w+\}`, page.String(), "names of limits that do not exist")
	writeErrors(t, &page)
	writeLimits(t, &page, start(t, none, "--store=memory:"))
	page.WriteString("The metrics are in [deploy.md](deploy.md#monitoring).\n")
	if *writeReference {
		require.NoError(t, os.WriteFile(file, []byte(page.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), page.String())
}

// cell escapes a text for a table.
func cell(text string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "<", "&lt;").Replace(strings.TrimSpace(text))
}

func writeCommands(t *testing.T, w io.Writer) {
	t.Helper()
	c := newCommands()
	parser, err := newParser(c, commandline.NewEnvironment(nil), io.Discard, io.Discard)
	require.NoError(t, err)
	fmt.Fprint(w, "## Commands\n\nA flag wins over its variable, a variable over the default.\n\nEvery command takes `--help` and `--version`. Those that open a store take `--store`; the others, such as `log`, `slug` and `screenshot`, refuse it.\n\n")
	writeFlags(w, parser.Model.Flags)
	group := ""
	var served []*kong.Flag
	for _, leaf := range parser.Model.Leaves(true) {
		if title := strings.TrimSuffix(leaf.ClosestGroup().Title, ":"); title != group {
			group = title
			fmt.Fprintf(w, "### %s\n\n", group)
		}
		help, _, _ := strings.Cut(leaf.Help, "\n")
		fmt.Fprintf(w, "#### `%s`\n\n%s\n\n", strings.TrimSpace(leaf.Summary()), help)
		for _, p := range leaf.Positional {
			fmt.Fprintf(w, "- `%s`: %s\n", strings.TrimSpace(p.Summary()), cell(p.Help))
		}
		if len(leaf.Positional) > 0 {
			fmt.Fprintln(w)
		}
		flags, likeServe := flagsOf(leaf, served)
		switch {
		case leaf.Name == "serve":
			served = flags
			fmt.Fprint(w, "[configuration.md](configuration.md) has its flags and variables.\n\n")
			continue
		case likeServe:
			fmt.Fprint(w, "Takes the flags of `serve`, and:\n\n")
		}
		writeFlags(w, flags)
	}
}

// flagsOf returns the flags of a command. likeServe reports whether it has all
// flags of the server, which are then omitted.
func flagsOf(leaf *kong.Node, served []*kong.Flag) (flags []*kong.Flag, likeServe bool) {
	for n := leaf; n.Type == kong.CommandNode; n = n.Parent {
		flags = append(flags, n.Flags...)
	}
	others := slices.DeleteFunc(slices.Clone(flags), func(f *kong.Flag) bool { return has(served, f.Name) })
	if len(served) > 0 && len(flags)-len(others) == len(served) {
		return others, true
	}
	return flags, false
}

func has(flags []*kong.Flag, name string) bool {
	return slices.ContainsFunc(flags, func(f *kong.Flag) bool { return f.Name == name })
}

// spelling returns a flag as it can be written: -s, --scale=1..4.
func spelling(f *kong.Flag) string {
	text := f.Summary()
	if f.Tag.Negatable != "" {
		text = strings.Replace(text, "--", "--[no-]", 1)
	}
	if f.Short != 0 && f.Name != "help" {
		text = fmt.Sprintf("-%c, %s", f.Short, text)
	}
	return text
}

func writeFlags(w io.Writer, flags []*kong.Flag) {
	flags = slices.DeleteFunc(slices.Clone(flags), func(f *kong.Flag) bool { return f.Hidden })
	if len(flags) == 0 {
		return
	}
	fmt.Fprint(w, "| flag | variable | default | |\n|---|---|---|---|\n")
	for _, f := range flags {
		variable := ""
		if name := commandline.VariableOf(f); name != "" {
			variable = "`" + name + "`"
		}
		preset := ""
		if f.HasDefault && f.Default != "" {
			preset = "`" + f.Default + "`"
		}
		fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", cell(spelling(f)), variable, cell(preset), cell(f.Help))
	}
	fmt.Fprintln(w)
}

// writeErrors writes the document's description of each failure status.
func writeErrors(t *testing.T, w io.Writer) {
	t.Helper()
	type response struct {
		Ref         string `json:"$ref"`
		Description string `json:"description"`
	}
	var document struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
		Parts struct {
			Responses map[string]response `json:"responses"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal([]byte(openapi.JSON()), &document))
	said := make(map[string]bool)
	for _, path := range document.Paths {
		for _, item := range path {
			var operation struct {
				Responses map[string]response `json:"responses"`
			}
			if json.Unmarshal(item, &operation) != nil {
				continue
			}
			for status, r := range operation.Responses {
				if status < "400" {
					continue
				}
				r = cmp.Or(document.Parts.Responses[strings.TrimPrefix(r.Ref, "#/components/responses/")], r)
				if strings.Contains(r.Description, "(`") {
					said[fmt.Sprintf("| %s | %s |\n", status, cell(r.Description))] = true
				}
			}
		}
	}
	fmt.Fprint(w, "## Errors of the API\n\n"+
		"A failure is `{\"success\": false, \"error\": {\"code\", \"message\", \"details\"}, \"requestId\"}`; `code` is the word for programs.\n\n| status | |\n|---|---|\n")
	for _, row := range slices.Sorted(maps.Keys(said)) {
		fmt.Fprint(w, row)
	}
	fmt.Fprintln(w)
	source, err := os.ReadFile("../../httpapi/failure.go")
	require.NoError(t, err)
	all := strings.Join(slices.Collect(maps.Keys(said)), "")
	for _, code := range regexp.MustCompile(`code: "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
		if code[1] != "method_not_allowed" && code[1] != "invalid_text" { // of no operation, and of plain text only
			assert.Contains(t, all, "`"+code[1]+"`")
		}
	}
}

// writeLimits writes the response of GET /api/v1/limits.
func writeLimits(t *testing.T, w io.Writer, s *instance) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+"/api/v1/limits", http.NoBody)
	require.NoError(t, err)
	request.Header.Set("X-API-Key", s.key)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { assert.NoError(t, response.Body.Close()) }()
	var all map[string]any
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&all))
	delete(all, "requestId")
	delete(all, "success")
	fmt.Fprint(w, "## Limits\n\nWhat `GET /api/v1/limits` returns with the default settings:\n\n| field | |\n|---|---|\n")
	writeValues(w, "", all)
	fmt.Fprintln(w)
}

func writeValues(w io.Writer, path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			writeValues(w, strings.TrimPrefix(path+"."+name, "."), v[name])
		}
	case []any:
		var all []string
		for _, item := range v {
			all = append(all, fmt.Sprint(item))
		}
		fmt.Fprintf(w, "| `%s` | %s |\n", path, strings.Join(all, ", "))
	default:
		fmt.Fprintf(w, "| `%s` | %v |\n", path, v)
	}
}
