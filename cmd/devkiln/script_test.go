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
	"testing/synctest"
	"time"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/commandline"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/store/sqlite"
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

// Every command takes --json, but for those that docs/commands.md excepts.
func TestCommands_json(t *testing.T) {
	t.Parallel()
	c := newCommands()
	parser, err := newParser(c, commandline.NewEnvironment(nil), io.Discard, io.Discard)
	require.NoError(t, err)
	var without []string
	for _, leaf := range parser.Model.Leaves(true) {
		if !slices.ContainsFunc(leaf.Flags, func(f *kong.Flag) bool { return f.Name == "json" }) {
			without = append(without, "`"+strings.TrimPrefix(leaf.FullPath(), "devkiln ")+"`")
		}
	}
	text, err := os.ReadFile("../../docs/commands.md")
	require.NoError(t, err)
	last := len(without) - 1
	assert.Contains(t, strings.Join(strings.Fields(string(text)), " "), "every command takes it but "+strings.Join(without[:last], ", ")+" and "+without[last]+".")
}

func TestKeys_json(t *testing.T) {
	t.Parallel()
	db := storeIn(t)
	start(t, none, db)
	made, err := fromJSON[printedKey](t, db, "keys", "create", "--name=<ci>", "--expires=90d")
	require.NoError(t, err)
	assert.Regexp(t, keyPattern, made.Key)
	assert.Equal(t, []string{"<ci>", "live", made.Key[len(made.Key)-4:]}, []string{made.Name, made.State, made.LastFour})
	assert.Equal(t, made.Created.Add(90*24*time.Hour), *made.Expires)
	assert.Nil(t, made.LastUsed)

	revoked, err := fromJSON[printedKey](t, db, "keys", "revoke", made.ID)
	require.NoError(t, err)
	assert.Equal(t, "revoked", revoked.State)
	assert.NotNil(t, revoked.Revoked)
	assert.Empty(t, revoked.Key, "it is shown once")

	narrow, err := fromJSON[printedKey](t, db, "keys", "create", "--name=narrow", "--user=bob", "--scopes=tools,read", "--rate-minute=7", "--max-expiry=2d")
	require.NoError(t, err)
	assert.Equal(t, printedKey{User: "bob", Scopes: []apikey.Scope{"read", "tools"}, RateMinute: 7, MaxExpiry: "48h0m0s"},
		printedKey{User: narrow.User, Scopes: narrow.Scopes, RateMinute: narrow.RateMinute, MaxExpiry: narrow.MaxExpiry})

	list, err := fromJSON[[]printedKey](t, db, "keys", "list")
	require.NoError(t, err)
	require.Len(t, list, 3)
	assert.Equal(t, "first key", list[0].Name)
	assert.Equal(t, revoked, list[1])
	table, _, err := command(t, none, db, "keys", "list")
	require.NoError(t, err)
	assert.Regexp(t, narrow.ID+`\s+narrow\s.*\sbob\s+read, tools\s+7 a minute, shares for 48h0m0s\n`, table)
	assert.Regexp(t, list[0].ID+`\s+first key\s.*\s–\s+everything\s+–\n`, table)
	narrow.Key = ""
	assert.Equal(t, narrow, list[2])
}

func TestStore_json(t *testing.T) {
	t.Parallel()
	from, to, dir := storeIn(t), storeIn(t), t.TempDir()
	s := start(t, none, from)
	id := logWith(t, s, "x")
	found, err := fromJSON[finding](t, from, "check")
	require.NoError(t, err)
	assert.Equal(t, finding{Sound: true, Entries: found.Entries, Shares: 1, Damaged: []string{}}, found)

	backup := filepath.Join(dir, "backup.db")
	made, err := fromJSON[written](t, from, "backup", backup)
	require.NoError(t, err)
	info, err := os.Stat(backup)
	require.NoError(t, err)
	assert.Equal(t, written{File: backup, Bytes: info.Size()}, made)

	export := filepath.Join(dir, "export.jsonl")
	made, err = fromJSON[written](t, from, "export", export)
	require.NoError(t, err)
	info, err = os.Stat(export)
	require.NoError(t, err)
	assert.Equal(t, info.Size(), made.Bytes)
	require.NoError(t, s.stop())
	put, err := fromJSON[map[string]int](t, to, "import", export)
	require.NoError(t, err)
	assert.Equal(t, map[string]int{"entries": *made.Entries}, put)
	restored, err := fromJSON[map[string]string](t, to, "restore", backup)
	require.NoError(t, err)
	assert.Equal(t, backup, restored["file"])

	db, err := sqlite.Open(t.Context(), strings.TrimPrefix(to, "--store=sqlite:"), sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, db.Put(t.Context(), "log/"+id, []byte("\x01damaged"), time.Time{}))
	require.NoError(t, db.Close())
	found, err = fromJSON[finding](t, to, "check")
	assert.Equal(t, exitFault, report(err, io.Discard))
	assert.Equal(t, []string{"log/" + id}, found.Damaged)
	assert.False(t, found.Sound)
	assert.NotEmpty(t, found.Fault)

	stdout, _, err := command(t, none, from, "export", "--json")
	assert.Equal(t, exitUsage, report(err, io.Discard))
	assert.Empty(t, stdout)
}

func TestVersion_json(t *testing.T) {
	t.Parallel()
	printed, err := fromJSON[build](t, "version")
	require.NoError(t, err)
	assert.Equal(t, about(), printed)
	flag, _, err := command(t, none, "--version")
	require.NoError(t, err)
	assert.Equal(t, about().String()+"\n", flag)
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
func TestPrintVisible(t *testing.T) {
	t.Parallel()
	var shown strings.Builder
	text := "\x1b[31mred\x1b[0m\r\nbell\a title\x1b]0;owned\a\nabc\u202edef\ttab\nprogress 1\rprogress 2"
	require.NoError(t, printVisible(&shown, strings.NewReader(text)))
	assert.Equal(t, "red\nbell� title\nabc�def\ttab\nprogress 1�progress 2", shown.String())
}

// The progress of a copy is printed every half second if it has grown, so that
// nothing is printed while somebody types, and ends with a newline.
func TestProgress_ofACopy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		backup := filepath.Join(t.TempDir(), "b.db")
		var told output
		stop := show(&told, "backed up", sizeOfCopy(backup))
		time.Sleep(progressEvery)
		synctest.Wait()
		require.NoError(t, os.WriteFile(backup+".devkiln-partial-1", make([]byte, 2_500_000), 0o600))
		time.Sleep(3 * progressEvery)
		synctest.Wait()
		stop()
		assert.Equal(t, "\rbacked up 2.5 MB \n", told.String())

		seconds := &output{}
		stop = show(seconds, "checking the file", nil)
		time.Sleep(time.Second + progressEvery/2)
		synctest.Wait()
		stop()
		assert.Equal(t, "\rchecking the file 0 s \rchecking the file 1 s \n", seconds.String())
	})
	watch(&output{}, "backed up", func() int64 { t.Error("nobody looks"); return 0 })()
}
