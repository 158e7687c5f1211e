package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A debian is the root of a Debian system without Devkiln.
type debian string

// newDebian returns the root made by .ci/release-snapshot, or skips the test.
func newDebian(t *testing.T) debian {
	t.Helper()
	root := os.Getenv("DEVKILN_DEBIAN_ROOT")
	if root == "" {
		t.Skip("no DEVKILN_DEBIAN_ROOT; .ci/release-snapshot makes one, as root, and the packages")
	}
	return debian(root)
}

// command returns a command in the root, without the host's environment.
func (d debian) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), "chroot", append([]string{string(d)}, args...)...)
	command.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/", "LC_ALL=C"}
	return command
}

// run runs a command in the root and returns its output.
func (d debian) run(t *testing.T, args ...string) string {
	t.Helper()
	out, err := d.command(t, args...).CombinedOutput()
	require.NoError(t, err, "%v\n%s", args, out)
	return string(out)
}

// artifact returns the file in dist that matches a pattern.
func artifact(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob("../../dist/" + pattern)
	require.NoError(t, err)
	require.Len(t, found, 1, pattern)
	return found[0]
}

// The deb package installs, works, and purges everything except the data.
func TestPackage_deb(t *testing.T) {
	d := newDebian(t)
	file, err := os.ReadFile(artifact(t, "devkiln_*_linux_"+runtime.GOARCH+".deb"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(string(d), "devkiln.deb"), file, 0o644))
	d.run(t, "dpkg", "-i", "/devkiln.deb")
	assert.Contains(t, d.run(t, "devkiln", "version"), "linux/"+runtime.GOARCH)
	assert.Contains(t, d.run(t, "man", "-P", "cat", "devkiln"), "DEVKILN_BASE_URL")
	assert.Contains(t, d.run(t, "bash", "-c", ". /usr/share/bash-completion/completions/devkiln; COMP_WORDS=(devkiln heal) COMP_CWORD=1; _devkiln; echo ${COMPREPLY[0]}"), "healthcheck")
	for _, name := range []string{"zsh/vendor-completions/_devkiln", "fish/vendor_completions.d/devkiln.fish", "doc/devkiln/CHANGELOG.md"} {
		assert.FileExists(t, filepath.Join(string(d), "usr/share", name))
	}
	licences := d.run(t, "cat", "/usr/share/doc/devkiln/copyright")
	assert.Equal(t, d.run(t, "devkiln", "licences"), licences)
	assert.Empty(t, d.run(t, "systemd-analyze", "verify", "devkiln.service"))
	assert.Contains(t, d.run(t, "getent", "passwd", "devkiln"), ":/var/lib/devkiln:/usr/sbin/nologin")
	assert.Contains(t, d.run(t, "ls", "-l", "/etc/devkiln.env"), "-rw-r----- 1 root root")
	assert.Empty(t, d.run(t, "dpkg", "--verify", "devkiln"))

	d.serves(t)

	d.run(t, "dpkg", "--purge", "devkiln")
	left := d.run(t, "find", "/", "-xdev", "-name", "*devkiln*", "-not", "-path", "/var/cache/man/*")
	assert.ElementsMatch(t, []string{"/devkiln.deb", "/var/lib/devkiln", "/var/lib/devkiln/devkiln.db", "/var/lib/devkiln/devkiln.db.lock"}, strings.Fields(left))
	assert.Contains(t, d.run(t, "stat", "-c", "%U", "/var/lib/devkiln/devkiln.db"), "devkiln", "whose it was")
	d.run(t, "rm", "-r", "/var/lib/devkiln")
	d.run(t, "dpkg", "-i", "/devkiln.deb")
	d.run(t, "dpkg", "--purge", "devkiln")
	assert.Error(t, d.command(t, "getent", "passwd", "devkiln").Run(), "without data the user goes, too")
}

// The rpm package installs, works and is erased. Dependencies are not checked,
// because rpm on Debian knows no other packages.
func TestPackage_rpm(t *testing.T) {
	d := newDebian(t)
	arch := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	file, err := os.ReadFile(artifact(t, "devkiln_*_linux_"+runtime.GOARCH+".rpm"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(string(d), "devkiln.rpm"), file, 0o644))
	assert.Contains(t, d.run(t, "rpm", "-qpR", "/devkiln.rpm"), "shadow-utils")
	d.run(t, "rpm", "--force-debian", "--nodeps", "-i", "/devkiln.rpm")
	assert.Contains(t, d.run(t, "rpm", "-qi", "devkiln"), "Architecture: "+arch)
	assert.Contains(t, d.run(t, "devkiln", "version"), "linux/"+runtime.GOARCH)
	assert.FileExists(t, filepath.Join(string(d), "usr/share/zsh/site-functions/_devkiln"))
	assert.Contains(t, d.run(t, "getent", "passwd", "devkiln"), ":/var/lib/devkiln:/usr/sbin/nologin")
	assert.Empty(t, d.run(t, "rpm", "-V", "--nodeps", "devkiln"))

	d.serves(t)

	d.run(t, "rpm", "--force-debian", "-e", "devkiln")
	assert.Contains(t, d.run(t, "getent", "passwd", "devkiln"), "devkiln", "whose the data is")
	d.run(t, "rm", "-r", "/var/lib/devkiln")
	d.run(t, "rpm", "--force-debian", "--nodeps", "-i", "/devkiln.rpm")
	d.run(t, "rpm", "--force-debian", "-e", "devkiln")
	assert.Error(t, d.command(t, "getent", "passwd", "devkiln").Run(), "without data the user goes, too")
	assert.NoFileExists(t, filepath.Join(string(d), "usr/bin/devkiln"))
}

// serves runs the command of the unit as its user with its writable
// directories, and requests a slug.
func (d debian) serves(t *testing.T) {
	t.Helper()
	const key = "0123456789abcdefghij"
	unit := d.run(t, "cat", "/usr/lib/systemd/system/devkiln.service")
	for _, line := range []string{"ExecStart=devkiln serve", "Environment=DEVKILN_STORE=sqlite:/var/lib/devkiln/devkiln.db", "StateDirectory=devkiln", "DynamicUser=yes"} {
		require.Contains(t, unit, line+"\n")
	}
	d.run(t, "install", "-d", "-o", "devkiln", "-g", "devkiln", "-m", "0700", "/var/lib/devkiln")
	server := d.command(t, "setpriv", "--reuid=devkiln", "--regid=devkiln", "--clear-groups", "devkiln", "serve")
	server.Env = append(server.Env, "DEVKILN_STORE=sqlite:/var/lib/devkiln/devkiln.db", "DEVKILN_LISTEN=unix:/var/lib/devkiln/http", "DEVKILN_API_KEYS="+key)
	var said bytes.Buffer
	server.Stderr = &said
	require.NoError(t, server.Start())
	client := &http.Client{Transport: &http.Transport{DialContext: dialer(filepath.Join(string(d), "var/lib/devkiln/http"))}}
	var body struct{ Result string }
	require.Eventually(t, func() bool {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x/api/v1/slug-generator", strings.NewReader(`{"text": "Crème brûlée"}`))
		require.NoError(t, err)
		request.Header.Set("X-API-Key", key)
		response, err := client.Do(request)
		if err != nil {
			return false
		}
		defer response.Body.Close()
		return json.NewDecoder(response.Body).Decode(&body) == nil
	}, time.Minute, 50*time.Millisecond)
	assert.Equal(t, "creme-brulee", body.Result)
	require.NoError(t, server.Process.Signal(syscall.SIGTERM))
	assert.NoError(t, server.Wait(), said.String())
}

// The bill of materials of each binary lists all of its modules.
func TestPackage_bills(t *testing.T) {
	newDebian(t)
	bills, err := filepath.Glob("../../dist/devkiln_*_linux_*.cdx.json")
	require.NoError(t, err)
	require.NotEmpty(t, bills)
	for _, file := range bills {
		platform := regexp.MustCompile(`linux_[a-z0-9]+`).FindString(file)
		binary := artifact(t, "*_"+platform+"_*/devkiln")
		told, err := exec.CommandContext(t.Context(), "go", "version", "-m", binary).Output()
		require.NoError(t, err)
		bill, err := os.ReadFile(file)
		require.NoError(t, err)
		modules := 0
		for line := range strings.Lines(string(told)) {
			if fields := strings.Fields(line); fields[0] == "dep" {
				modules++
				assert.Contains(t, string(bill), `"pkg:golang/`+fields[1]+"@"+fields[2]+`"`, platform)
			}
		}
		assert.Greater(t, modules, 30, platform)
	}
}

// dialer returns a function that dials a Unix socket for any address.
func dialer(path string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", path)
	}
}
