package main

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
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
	require.EqualError(t, err, "the key of devkiln login is for "+s.base+" and is not sent to http://127.0.0.1:1; give --key")
	_, _, err = command(t, home, "shares", "list", "--url="+s.base+"/")
	require.NoError(t, err, "it is the same server")
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
	if testing.Short() {
		t.Skip("runs a command for each row, in one goroutine")
	}
	t.Parallel()
	s := start(t, none, "--store=memory:")
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"frobnicate", exitUsage, `"frobnicate" is not a command; see devkiln --help`},
		{"slugg", exitUsage, `"slugg" is not a command; did you mean "slug"?`},
		{"keys lst", exitUsage, `"lst" is not a command; did you mean "list"?`},
		{"serve extra", exitUsage, `one argument too many: "extra"; see devkiln serve --help`},
		{"serve --user-header=Remote-User --store=memory:", exitUsage, `--user-header needs --trusted-proxies, the address of the proxy that sends it`},
		{"keys", exitUsage, `a command is missing, one of "create", "list", "revoke"; see devkiln keys --help`},
		{"compare a", exitUsage, `the argument later is missing; see devkiln compare --help`},
		{"analyze a b", exitUsage, `one argument too many: "b"; see devkiln analyze --help`},
		{"shares list --limit=x", exitUsage, `--limit "x": must be a whole number; see devkiln shares list --help`},
		{"log x --title --once", exitUsage, `--title needs a value; to give one that begins with --, write --title=--once`},
		{"log x --title", exitUsage, `--title needs a value`},
		{"log x --expiry", exitUsage, `--expiry needs a value`},
		{"shares list --key", exitUsage, `--key needs a value`},
		{"shares list --limit", exitUsage, `--limit needs a value`},
		{"shares list --max-wait", exitUsage, `--max-wait needs a value`},
		{"gradient red blue --angle", exitUsage, `--angle needs a value`},
		{"gradient red blue --space --repeating", exitUsage, `--space needs a value; to give one that begins with --, write --space=--repeating`},
		{"gradient red blue --format", exitUsage, `--format needs a value`},
		{"screenshot k.go --highlight", exitUsage, `--highlight needs a value`},
		{"screenshot k.go -o --copy", exitUsage, `--output needs a value; to give one that begins with --, write --output=--copy`},
		{"screenshot k.go --shadow=maybe", exitUsage, `--shadow "maybe": must be true, 1, yes, false, 0 or no; see devkiln screenshot --help`},
		{"slug --max-length", exitUsage, `--max-length needs a value`},
		{"shares list --max-wait 5", exitUsage, `--max-wait "5": must be a duration such as 30s or 1m30s`},
		{"serve --drain-delay=10", exitUsage, `--drain-delay "10": must be a duration such as 30s or 1m30s`},
		{"gradient -v red blue", exitUsage, "unknown flag -v; see devkiln gradient --help"},
		{"gradient red blue --formt css", exitUsage, `unknown flag --formt, did you mean "--format"?`},
		{"gradient red blue --format swift", exitUsage, `--format "swift": must be one of css, css-fallback, tailwind4, swiftui, compose, flutter, android-xml, svg, json; did you mean "swiftui"?`},
		{"gradient red blue --space oklhc", exitUsage, `; did you mean "oklch"?`},
		{"slug --store nonsense x", exitUsage, `devkiln slug has no store: leave out --store`},
		{"shares list --store=nonsense", exitUsage, `devkiln shares list has no store: leave out --store`},
		{"config --max-memory=ten", exitUsage, `--max-memory "ten": must be a number of bytes such as 33554432, 32MiB or 10MB`},
		{"config --max-memory=1MB", exitUsage, `--max-memory "1MB": must be at least 128MiB`},
		{"analyze /no/such", exitFault, "open /no/such: no such file or directory"},
		{"shares list --key=k --max-wait=0 --url=http://127.0.0.1:1", exitFault, "http://127.0.0.1:1 refuses connections: check that the server runs and that this is its address"},
		{"shares list --key=k --max-wait=0 --url=" + strings.Replace(s.base, "http:", "https:", 1), exitFault, "does not use TLS: write http:// instead of https://"},
		{"shares list --key=k --max-wait=0 --url=" + strings.Replace(secure.URL, "https:", "http:", 1), exitFault, "the server uses TLS: write https:// instead of http://"},
		{"shares list --key=k --max-wait=0 --url=" + secure.URL, exitFault, secure.URL + " has a certificate that this machine does not trust"},
		{"healthcheck --listen=127.0.0.1:1", exitFault, "127.0.0.1:1: no server listens there"},
		{"healthcheck --listen=unix:/no/such", exitFault, "unix:/no/such: no server listens there"},
		{"healthcheck --listen=" + secure.Listener.Addr().String(), exitFault, secure.Listener.Addr().String() + " uses TLS: give --tls-cert, as to the server"},
		{"healthcheck --tls-cert=login_test.go --listen=" + strings.TrimPrefix(s.base, "http://"), exitFault, " does not use TLS: leave out --tls-cert"},
		{"admin", exitUsage, `a command is missing: "set-password"; see devkiln admin --help`},
		{"log --fit=middle", exitUsage, `--fit "middle": must be ends`},
		{"screenshot login_test.go -o x.gif", exitUsage, `--output "x.gif": must end in .png`},
		{"backup - --store=sqlite:/no/such", exitUsage, "a backup is a file: give it a name"},
		{"serve --listen=foo --store=postgres://127.0.0.1:1/x", exitUsage, "--listen foo: must be HOST:PORT"},
		{"log login_test.go --url=ftp://x", exitUsage, `server URL "ftp://x" must be http:// or https://`},
		{"log login_test.go --url=http://127.0.0.1:1", exitUsage, "a key of http://127.0.0.1:1 is needed: run devkiln login http://127.0.0.1:1, or set DEVKILN_KEY, or --key"},
		{"log login_test.go --url=http://127.0.0.1:1 --key=k --max-wait=-1s", exitUsage, `--max-wait "-1s": must be 0 or more`},
		{"log login_test.go --format=json --key=" + s.key + " --url=" + s.base, exitUsage, `--format "json": the log is neither one JSON value nor JSON lines`},
		{"keys create --store=sqlite:x.db", exitUsage, "missing flags: --name=NAME; see devkiln keys create --help"},
		{"gradient red blue --positions=1", exitUsage, "colours"},
		{"backup x.db --store=memory:", exitUsage, "--store memory: is empty and ends with this process; name the store of a server (one in memory takes keys"},
	} {
		_, _, err := command(t, none, strings.Fields(c.args)...)
		code, text := reported(err)
		assert.Equal(t, c.code, code, c.args)
		assert.Contains(t, text, c.want, c.args)
	}
	for variable, want := range map[string]string{
		"DEVKILN_RATE_DAY=abc":      `DEVKILN_RATE_DAY "abc": must be a whole number`,
		"DEVKILN_RATE_MINUTE=99999": `DEVKILN_RATE_MINUTE "99999": must be `,
		"DEVKILN_MAX_EXPIRY=2w":     `DEVKILN_MAX_EXPIRY "2w": must be days`,
		"DEVKILN_NO_PASSWORD=true":  "DEVKILN_NO_PASSWORD needs --user-header",
	} {
		_, _, err := command(t, []string{variable}, "config", "--store=memory:")
		code, text := reported(err)
		assert.Equal(t, exitUsage, code, variable)
		assert.Contains(t, text, "devkiln: "+want, variable)
	}
	_, _, err := command(t, []string{"DEVKILN_RATE_DAY=5"}, "config", "--store=memory:", "--rate-day=abc")
	require.ErrorContains(t, err, `--rate-day "abc": must be a whole number`, "the flag is at fault")
	stdout, _, err := command(t, none, "config", "--store=memory:", "--max-memory=256MiB")
	require.NoError(t, err)
	assert.Regexp(t, `max-memory +268435456 +flag`, stdout)
}
