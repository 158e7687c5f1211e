package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/commandline"
	"github.com/devkiln/devkiln/httpapi/apikey"
)

// fromJSON runs a command with --json. It prints one line even if it fails.
func fromJSON[T any](t *testing.T, args ...string) (value T, err error) {
	t.Helper()
	stdout, _, err := command(t, none, append(args, "--json")...)
	require.Equal(t, 1, strings.Count(stdout, "\n"), stdout)
	decoder := json.NewDecoder(strings.NewReader(stdout))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&value), stdout)
	return value, err
}

// The commands that docs/commands.md names take --json.
func TestCommands_json(t *testing.T) {
	t.Parallel()
	c := newCommands()
	parser, err := newParser(c, commandline.NewEnvironment(nil), io.Discard, io.Discard)
	require.NoError(t, err)
	var with []string
	for _, leaf := range parser.Model.Leaves(true) {
		if slices.ContainsFunc(leaf.Flags, func(f *kong.Flag) bool { return f.Name == "json" }) {
			with = append(with, "`"+strings.TrimPrefix(leaf.FullPath(), "devkiln ")+"`")
		}
	}
	text, err := os.ReadFile("../../docs/commands.md")
	require.NoError(t, err)
	last := len(with) - 1
	assert.Contains(t, strings.Join(strings.Fields(string(text)), " "), "For scripts, "+strings.Join(with[:last], ", ")+" and "+with[last]+" take `--json`")
}

func TestKeys_json(t *testing.T) {
	t.Parallel()
	db := storeIn(t)
	start(t, none, db)
	made, err := fromJSON[printedKey](t, db, "keys", "create", "--name=<ci>", "--expires=90d")
	require.NoError(t, err)
	assert.Regexp(t, keyPattern, made.Secret)
	assert.Equal(t, []string{"<ci>", "live", made.Secret[len(made.Secret)-4:]}, []string{made.Name, made.State, made.LastFour})
	assert.Equal(t, made.Created.Add(90*24*time.Hour), made.Expires)
	assert.Zero(t, made.LastUsed)

	_, _, err = command(t, none, db, "keys", "revoke", made.ID)
	require.NoError(t, err)

	narrow, err := fromJSON[printedKey](t, db, "keys", "create", "--name=narrow", "--user=bob", "--scopes=tools,read", "--rate-minute=7", "--max-expiry=2d")
	require.NoError(t, err)
	assert.Equal(t, "bob", narrow.User)
	assert.Equal(t, apikey.Options{Scopes: []apikey.Scope{"read", "tools"}, PerMinute: 7, MaxExpiry: 2 * day},
		apikey.Options{Scopes: narrow.Scopes, PerMinute: narrow.PerMinute, MaxExpiry: narrow.MaxExpiry})

	list, err := fromJSON[[]printedKey](t, db, "keys", "list")
	require.NoError(t, err)
	require.Len(t, list, 3)
	assert.Equal(t, "first key", list[0].Name)
	assert.Equal(t, []string{made.ID, "revoked", ""}, []string{list[1].ID, list[1].State, list[1].Secret}, "it is shown once")
	table, _, err := command(t, none, db, "keys", "list")
	require.NoError(t, err)
	assert.Regexp(t, narrow.ID+`\s+narrow\s.*\sbob\s+read, tools\n`, table)
	assert.Regexp(t, list[0].ID+`\s+first key\s.*\s–\s+everything\n`, table)
	narrow.Secret = ""
	assert.Equal(t, narrow, list[2])
}

func TestVersion(t *testing.T) {
	t.Parallel()
	for _, arg := range []string{"version", "--version"} {
		printed, _, err := command(t, none, arg)
		require.NoError(t, err)
		assert.Equal(t, about()+"\n", printed)
	}
}

// A failed command leaves no files that prevent a retry.
func TestRun_faultsLeaveNoFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := "--store=sqlite:" + filepath.Join(dir, "devkiln.db")
	for _, args := range [][]string{{"import", filepath.Join(dir, "none")}, {"backup", filepath.Join(dir, "backup.db")}, {"check"}, {"keys", "list"}} {
		_, _, err := command(t, none, append(args, db)...)
		assert.NotZero(t, report(err, io.Discard), args)
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, files)
}

// A process has the documented exit codes, and a command waiting for input
// exits on a signal.
func TestRun_exitCodes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a command for each row, in one goroutine")
	}
	t.Parallel()
	devkiln := func(args ...string) *exec.Cmd {
		process := exec.CommandContext(t.Context(), executable(t), args...)
		process.Env = append(outside(), "TEST_AS_DEVKILN=1")
		return process
	}
	for args, want := range map[string]int{
		"slug x": 0, "--help": 0, "help keys create": 0, "keys list --store=sqlite:/no/such.db": exitFault, "slug --separator=xx y": exitUsage, "sevre": exitUsage,
	} {
		process := devkiln(strings.Split(args, " ")...)
		_ = process.Run() // a nonzero exit code is an error
		assert.Equal(t, want, process.ProcessState.ExitCode(), args)
	}
	process := devkiln("slug")
	in, err := process.StdinPipe()
	require.NoError(t, err)
	out, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	_, err = io.WriteString(in, "It waits\n")
	require.NoError(t, err)
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, "it-waits\n", line)
	require.NoError(t, process.Process.Signal(syscall.SIGINT))
	assert.Error(t, process.Wait())
	assert.Equal(t, syscall.SIGINT, process.ProcessState.Sys().(syscall.WaitStatus).Signal())
}

// The help of each command lists only flags that concern it and has an indented
// example.
func TestHelp_ofEveryCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a command for each row, in one goroutine")
	}
	t.Parallel()
	for _, c := range []string{"slug", "gradient", "screenshot", "log", "snippet", "completion", "version", "healthcheck"} {
		help, _, err := command(t, none, c, "--help")
		require.NoError(t, err)
		assert.NotContains(t, help, "--store", c)
		assert.NotContains(t, help, "--version", c)
	}
	for _, c := range []string{"serve", "config", "keys create", "admin set-password", "backup", "export", "import", "log", "snippet", "gradient", "slug", "screenshot"} {
		help, _, err := command(t, none, append([]string{"help"}, strings.Split(c, " ")...)...)
		require.NoError(t, err)
		assert.Regexp(t, `(?m)^    .*devkiln `+c, help)
	}
}

func TestRun_suggestsCommands(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"sevre": "serve", "key": "keys", "exprot": "export", "Version": "version"} {
		_, _, err := command(t, none, word)
		assert.ErrorContains(t, err, `did you mean "`+want+`"?`)
	}
	_, _, err := command(t, none, "nonsense")
	assert.NotContains(t, err.Error(), "did you mean")
}

// A terminal would obey the escape sequences of a log.
func TestVisible(t *testing.T) {
	t.Parallel()
	text := "\x1b[31mred\x1b[0m\r\nbell\a title\x1b]0;owned\a\nabc\u202edef\ttab\nprogress 1\rprogress 2"
	assert.Equal(t, "red\nbell� title\nabc�def\ttab\nprogress 1�progress 2", visible(text))
}
