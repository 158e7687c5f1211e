package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tidwall/jsonc"
	"go.yaml.in/yaml/v3"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/commandline"
)

// standIns are stubs of tools that need a daemon or a cluster, or may be
// missing.
var standIns = map[string]string{
	"journalctl": "Mar 01 10:00:00 host nginx[1]: ERROR disk is full",
	"kubectl":    "2026-03-01T10:00:00Z ERROR disk is full",
	"docker":     "2026-03-01T10:00:00Z ERROR disk is full",
	"pytest":     "FAILED test_a.py::test_disk - OSError: disk is full",
	"tmux":       "ERROR disk is full",
	"uuidgen":    "8e03978e-40d5-43e8-bc93-6894a57f9324",
}

// A desk is a directory with a server and the tools that recipes use.
type desk struct {
	dir       string
	base, key string
	variables []string
}

// newDesk starts a server, and puts devkiln and the stubs on the PATH.
func newDesk(t *testing.T) desk {
	t.Helper()
	needs(t, "sh", "git")
	s, dir := start(t, none, storeIn(t)), t.TempDir()
	bin := filepath.Join(dir, "bin")
	require.NoError(t, os.Mkdir(bin, 0o755))
	script := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	}
	script("devkiln", fmt.Sprintf("TEST_AS_DEVKILN=1 exec %q \"$@\"", executable(t)))
	for name, says := range standIns {
		script(name, "echo '"+says+"'")
	}
	for name, text := range map[string]string{
		"Makefile": "test:\n\t@echo 'ERROR disk is full password=hunter22'; exit 1\n", "key": s.key, "main.go": "package main\n\n// disk is full\nfunc main() {}\n",
		"build.log": "INFO up\nERROR disk is full password=hunter22\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	d := desk{dir, s.base, s.key, append(outside(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+dir, "DEVKILN_URL="+s.base, "DEVKILN_KEY_FILE="+filepath.Join(dir, "key"))}
	d.run(t, "sh", "-c", `git init -q . && git add main.go && git -c user.name=a -c user.email=a@example.org commit -qm 'disk is full' && echo '// disk is full' >>main.go`)
	return d
}

// run runs a command and returns its output.
func (d desk) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir, command.Env = d.dir, d.variables
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s %v\n%s", name, args, out)
	return string(out)
}

var linkPattern = regexp.MustCompile(`http://[^/\s]+(/(logs|snippets)/[0-9a-z]{16})`)

// shared returns the content of the share whose link is in a command's output.
func (d desk) shared(t *testing.T, said string) string {
	t.Helper()
	link := linkPattern.FindString(said)
	require.NotEmpty(t, link, said)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link+"/raw", http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	return string(text)
}

// blocks returns the lines of the fenced code blocks in docs/recipes.md in a
// language.
func blocks(t *testing.T, language string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/recipes.md")
	require.NoError(t, err)
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		lines = append(lines, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	return lines
}

func TestRecipes_everyLineOfTheShell(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	t.Parallel()
	d := newDesk(t)
	lines := blocks(t, "sh")
	require.GreaterOrEqual(t, len(lines), 15)
	for _, line := range lines {
		said := d.run(t, "sh", "-c", line)
		if strings.HasSuffix(line, "devkiln analyze") {
			assert.Contains(t, said, "disk is full", line)
			continue
		}
		content := d.shared(t, said)
		assert.Contains(t, content, "disk is full", line)
		if strings.Contains(line, "--mask") {
			assert.NotContains(t, content, "hunter22", line)
		}
	}
}

// The programs share a log, also where a proxy first asks them to wait.
func TestRecipes_programs(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	server, err := url.Parse(d.base)
	require.NoError(t, err)
	keys := make(chan string, 4)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if keys <- r.Header.Get("Idempotency-Key"); len(keys) == 1 {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "", http.StatusTooManyRequests)
			return
		}
		httputil.NewSingleHostReverseProxy(server).ServeHTTP(w, r)
	}))
	defer proxy.Close()
	d.variables = append(d.variables, "DEVKILN_URL="+proxy.URL)
	for language, command := range map[string][]string{"python": {"python3", "-c"}, "js": {"node", "--input-type=module", "-e"}} {
		t.Run(language, func(t *testing.T) {
			program(t, command[0])
			said := d.run(t, command[0], append(command[1:], strings.Join(blocks(t, language), "\n"))...)
			assert.Contains(t, d.shared(t, strings.ReplaceAll(said, proxy.URL, d.base)), "disk is full")
			require.Len(t, keys, 2)
			assert.Equal(t, <-keys, <-keys)
		})
	}
}

func TestRecipes_everyLineOfVim(t *testing.T) {
	if testing.Short() {
		t.Skip("runs other programs, and commands of one goroutine")
	}
	t.Parallel()
	d := newDesk(t)
	lines := blocks(t, "vim")
	require.NotEmpty(t, lines)
	for _, line := range lines {
		said := d.run(t, program(t, "nvim"), "--headless", "-u", "NONE", "main.go", "-c", strings.TrimPrefix(line, ":"), "-c", "qall!")
		assert.Contains(t, d.shared(t, said), "disk is full", line)
	}
}

func TestIntegrations_neovim(t *testing.T) {
	if testing.Short() {
		t.Skip("runs other programs, and commands of one goroutine")
	}
	t.Parallel()
	d := newDesk(t)
	file, err := filepath.Abs("../../integrations/neovim/devkiln.lua")
	require.NoError(t, err)
	for command, language := range map[string]string{"DevkilnSnippet": "go", "3,3DevkilnSnippet": "go", "DevkilnLog": "", "1,3DevkilnLog": ""} {
		said := d.run(t, program(t, "nvim"), "--headless", "-u", "NONE", "main.go", "-c", "set filetype=go", "-c", "luafile "+file, "-c", command,
			"-c", `call writefile([getreg('"')], 'register')`, "-c", "qall!")
		assert.Contains(t, d.shared(t, said), "disk is full", command)
		register, err := os.ReadFile(filepath.Join(d.dir, "register"))
		require.NoError(t, err)
		path := linkPattern.FindStringSubmatch(string(register))
		require.NotNil(t, path, "the link is in the register")
		if language != "" {
			_, found := call(t, http.MethodGet, d.base+"/api/v1/code-snippet-share/"+filepath.Base(path[1]), d.key, "")
			assert.Equal(t, language, found["language"])
			assert.Equal(t, "main.go", found["title"])
		}
	}
	d.variables = append(d.variables, "DEVKILN_URL=http://127.0.0.1:1", "DEVKILN_KEY=x", "DEVKILN_KEY_FILE=")
	said := d.run(t, program(t, "nvim"), "--headless", "-u", "NONE", "main.go", "-c", "luafile "+file, "-c", "DevkilnLog", "-c", "qall!")
	assert.Contains(t, said, "devkiln:", "a fault is told")
}

// composite holds the fields of the action that the tests read.
type composite struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Using string
		Steps []struct {
			ID, Shell, Run string
			Env            map[string]string
		}
	}
}

func TestIntegrations_github(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	dir, err := filepath.Abs("../../integrations/github")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(dir, "action.yml"))
	require.NoError(t, err)
	var action composite
	require.NoError(t, yaml.Unmarshal(text, &action))
	require.Equal(t, "composite", action.Runs.Using)
	step := action.Runs.Steps[1]
	inputs := strings.NewReplacer("${{ inputs.url }}", d.base, "${{ inputs.key }}", d.key, "${{ inputs.file }}", "build.log",
		"${{ inputs.title }}", "CI test 7", "${{ inputs.expiry }}", action.Inputs["expiry"].Default)
	d.variables = append(d.variables, "GITHUB_ACTION_PATH="+dir, "GITHUB_STEP_SUMMARY=summary.md", "GITHUB_OUTPUT=output", "DEVKILN_KEY_FILE=")
	for name, value := range step.Env {
		d.variables = append(d.variables, name+"="+inputs.Replace(value))
		assert.NotContains(t, inputs.Replace(value), "${{", name)
	}
	d.run(t, step.Shell, "-c", step.Run)
	summary, err := os.ReadFile(filepath.Join(d.dir, "summary.md"))
	require.NoError(t, err)
	assert.Contains(t, string(summary), "### CI test 7")
	assert.Contains(t, string(summary), "disk is full")
	assert.NotContains(t, string(summary), "hunter22")
	output, err := os.ReadFile(filepath.Join(d.dir, "output"))
	require.NoError(t, err)
	assert.Equal(t, "link="+linkPattern.FindString(string(summary))+"\n", string(output))
	content := d.shared(t, string(output))
	assert.Contains(t, content, "disk is full")
	assert.NotContains(t, content, "hunter22")
}

// A release is installed only if its archive has the checksum.
func TestIntegrations_githubInstall(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the script is for Linux")
	}
	needs(t, "sh", "curl")
	script, err := filepath.Abs("../../integrations/github/install")
	require.NoError(t, err)
	var archive bytes.Buffer
	compressed := gzip.NewWriter(&archive)
	tarred := tar.NewWriter(compressed)
	const program = "#!/bin/sh\necho released\n"
	require.NoError(t, tarred.WriteHeader(&tar.Header{Name: "devkiln", Mode: 0o755, Size: int64(len(program))}))
	_, err = io.WriteString(tarred, program)
	require.NoError(t, errors.Join(err, tarred.Close(), compressed.Close()))
	sum := fmt.Sprintf("%x", sha256.Sum256(archive.Bytes()))
	releases := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1.2.3/devkiln_1.2.3_linux_amd64.tar.gz", "/v1.2.4/devkiln_1.2.4_linux_amd64.tar.gz":
			_, _ = w.Write(archive.Bytes())
		case "/v1.2.3/SHA256SUMS":
			_, _ = fmt.Fprintf(w, "%s  devkiln_1.2.3_linux_amd64.tar.gz\n", sum)
		case "/v1.2.4/SHA256SUMS":
			_, _ = fmt.Fprintf(w, "%064d  devkiln_1.2.4_linux_amd64.tar.gz\n", 0)
		default:
			http.NotFound(w, r)
		}
	}))
	defer releases.Close()
	for _, c := range []struct {
		version, sum string
		ok           bool
	}{{"1.2.3", "", true}, {"1.2.3", sum, true}, {"1.2.3", strings.Repeat("0", 64), false}, {"1.2.4", "", false}, {"1.2.5", "", false}} {
		dir := t.TempDir()
		install := exec.CommandContext(t.Context(), script, c.version, c.sum)
		install.Env = []string{"PATH=/usr/bin:/bin", "RUNNER_TEMP=" + dir, "RUNNER_OS=Linux", "RUNNER_ARCH=X64", "GITHUB_PATH=" + dir + "/path", "DEVKILN_RELEASES=" + releases.URL}
		said, err := install.CombinedOutput()
		installed := filepath.Join(dir, "devkiln-"+c.version, "devkiln")
		if !c.ok {
			require.Error(t, err, c.version)
			assert.NoFileExists(t, installed)
			continue
		}
		require.NoError(t, err, "%s", said)
		added, err := os.ReadFile(dir + "/path")
		require.NoError(t, err)
		assert.Equal(t, filepath.Dir(installed)+"\n", string(added))
		out, err := exec.CommandContext(t.Context(), installed).Output()
		require.NoError(t, err)
		assert.Equal(t, "released\n", string(out))
	}
}

func TestIntegrations_preCommit(t *testing.T) {
	if testing.Short() {
		t.Skip("runs other programs, and commands of one goroutine")
	}
	t.Parallel()
	d := newDesk(t)
	script, err := filepath.Abs("../../integrations/pre-commit")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(d.dir, "a.go"), []byte("package a\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(d.dir, "a.py"), []byte("a = 1\n"), 0o600))
	d.run(t, script, "slugs", "content/creme-brulee.md", "content/a.en.md")
	said := d.run(t, "sh", "-c", script+" slugs content/a.md content/Crème.md || echo refused")
	assert.Equal(t, "content/Crème.md: the name should be creme.md\nrefused\n", said)
	said = d.run(t, "sh", "-c", script+" screenshots a.go a.py || echo refused")
	assert.Equal(t, "a.go.png: drawn again; add it to the commit\na.py.png: drawn again; add it to the commit\nrefused\n", said)
	assert.Empty(t, d.run(t, script, "screenshots", "a.go", "a.py"), "the pictures are those of the code")
}

func TestIntegrations_vscode(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../integrations/vscode/tasks.json")
	require.NoError(t, err)
	var file struct {
		Tasks []struct {
			Label, Command string
			Args           []string
		}
	}
	require.NoError(t, json.Unmarshal(jsonc.ToJSON(text), &file))
	require.Len(t, file.Tasks, 5)
	parser, err := newParser(newCommands(), commandline.NewEnvironment(nil), io.Discard, io.Discard)
	require.NoError(t, err)
	for _, task := range file.Tasks {
		assert.Equal(t, "devkiln", task.Command)
		args := strings.Split(strings.NewReplacer("${file}", "main.go", "${lineNumber}", "3").Replace(strings.Join(task.Args, "|")), "|")
		_, err := parser.Parse(args)
		assert.NoError(t, err, task.Label)
	}
}

func TestIntegrations_gitlab(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	text, err := os.ReadFile("../../integrations/gitlab/devkiln.yml")
	require.NoError(t, err)
	var file map[string]struct {
		Variables   map[string]string
		AfterScript []string `yaml:"after_script"`
	}
	require.NoError(t, yaml.Unmarshal(text, &file))
	job := file[".devkiln"]
	script := strings.Join(job.AfterScript, "\n")
	d.variables = append(d.variables, "CI_PROJECT_PATH=shop/web", "CI_JOB_NAME=test", "CI_JOB_ID=7")
	for name, value := range job.Variables {
		d.variables = append(d.variables, name+"="+value)
	}
	d.variables = append(d.variables, "CI_JOB_STATUS=success")
	assert.Empty(t, d.run(t, "sh", "-c", script), "a job that passes shares nothing")
	d.variables = append(d.variables, "CI_JOB_STATUS=failed")
	said := d.run(t, "sh", "-c", script)
	assert.Contains(t, said, "The log of this job is shared at http")
	assert.Contains(t, said, "disk is full")
	assert.NotContains(t, said, "hunter22")
	assert.NotContains(t, d.shared(t, said), "hunter22")
	d.variables = append(d.variables, "DEVKILN_KEY=wrong")
	said = d.run(t, "sh", "-c", script)
	assert.NotContains(t, said, "is shared at", "there is no link")
}
