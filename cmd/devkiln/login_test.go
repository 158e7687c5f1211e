package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What login keeps serves the commands of the server, and its key goes to no
// other server.
func TestLogin_keepsServerAndKey(t *testing.T) {
	t.Parallel()
	s := start(t, none, "--store=memory:")
	home := []string{"HOME=" + t.TempDir()}
	file := filepath.Join(strings.TrimPrefix(home[0], "HOME="), ".config", "devkiln", "config.toml")

	var out, errs output
	err := run(t.Context(), []string{"login", s.base + "/"}, home, strings.NewReader(s.key+"\r\n"), &out, &errs)
	require.NoError(t, err)
	require.Contains(t, out.String(), file)
	assert.NotContains(t, out.String()+errs.String(), s.key)
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	_, _, err = command(t, home, "shares", "list")
	require.NoError(t, err)
	_, _, err = command(t, home, "shares", "list", "--url=http://127.0.0.1:1")
	require.ErrorContains(t, err, "a server and a key are needed", "the key is not sent elsewhere")
	_, _, err = command(t, append(home, "DEVKILN_KEY=dk_other"), "shares", "list")
	require.ErrorContains(t, err, "401", "a variable takes precedence")
	_, _, err = command(t, home, "shares", "show", "http://elsewhere.example/logs/4gyvm6pt90hk4r7z")
	require.ErrorContains(t, err, "is on another server")

	before, err := os.ReadFile(file)
	require.NoError(t, err)
	err = run(t.Context(), []string{"login", s.base}, home, strings.NewReader("dk_wrong"), &out, &errs)
	require.ErrorContains(t, err, "401")
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "a wrong key replaces nothing")
	entries, err := os.ReadDir(filepath.Dir(file))
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

func TestLogin_invalid(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	file := filepath.Join(home, "devkiln", "config.toml")
	require.NoError(t, os.Mkdir(filepath.Dir(file), 0o700))
	for content, want := range map[string]string{
		"url = 1":                    "incompatible types",
		"urll = \"http://x\"":        "urll is not a setting; url and key are",
		"url = \"http://x\"\nkey=\"": "config.toml",
	} {
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
		_, _, err := command(t, []string{"XDG_CONFIG_HOME=" + home}, "shares", "list")
		code, text := reported(err)
		assert.Equal(t, exitUsage, code, content)
		assert.Contains(t, text, want)
	}
	_, _, err := command(t, none, "login", "http://127.0.0.1:1")
	require.ErrorContains(t, err, "neither XDG_CONFIG_HOME nor HOME is set")
}

// Messages are those of the program, not of its libraries.
func TestMessages(t *testing.T) {
	t.Parallel()
	s := start(t, none, "--store=memory:")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"frobnicate", exitUsage, `"frobnicate" is not a command; see devkiln --help`},
		{"slugg", exitUsage, `"slugg" is not a command; did you mean "slug"?`},
		{"keys lst", exitUsage, `"lst" is not a command; did you mean "list"?`},
		{"keys", exitUsage, `a command is missing, one of "create", "list", "revoke"; see devkiln keys --help`},
		{"compare a", exitUsage, `the argument later is missing; see devkiln compare --help`},
		{"analyze a b", exitUsage, `one argument too many: "b"; see devkiln analyze --help`},
		{"shares list --limit=x", exitUsage, `--limit must be a whole number, not "x"; see devkiln shares list --help`},
		{"config --max-memory=ten", exitUsage, `--max-memory: must be a number of bytes such as 33554432, 32MiB or 10MB, not "ten"`},
		{"config --max-memory=1MB", exitUsage, `--max-memory must be at least 134217728`},
		{"analyze /no/such", exitFault, "open /no/such: no such file or directory"},
		{"shares list --key=k --max-wait=0 --url=http://127.0.0.1:1", exitFault, "http://127.0.0.1:1 refuses connections: check that the server runs and that this is its address"},
		{"shares list --key=k --max-wait=0 --url=" + strings.Replace(s.base, "http:", "https:", 1), exitFault, "does not use TLS: write http:// instead of https://"},
	} {
		_, _, err := command(t, none, strings.Fields(c.args)...)
		code, text := reported(err)
		assert.Equal(t, c.code, code, c.args)
		assert.Contains(t, text, c.want, c.args)
	}
	stdout, _, err := command(t, none, "config", "--store=memory:", "--max-memory=256MiB")
	require.NoError(t, err)
	assert.Regexp(t, `max-memory +268435456 +flag`, stdout)
}
