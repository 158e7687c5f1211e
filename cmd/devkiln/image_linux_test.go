package main

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// nobody is the user ID of the image.
const nobody = 65532

// instruction returns the arguments of a Dockerfile instruction.
func instruction(t *testing.T, dockerfile, pattern string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^` + pattern).FindStringSubmatch(dockerfile)
	require.NotNil(t, found, pattern)
	return found[1]
}

// imageRoot is a directory laid out like the image: the binary, built as in the
// Dockerfile, and directories for data and fonts. It lacks what the image takes
// from Debian: root certificates and fonts.
type imageRoot struct {
	root      string
	variables []string
}

func buildImage(t *testing.T) imageRoot {
	t.Helper()
	text, err := os.ReadFile("../../Dockerfile")
	require.NoError(t, err)
	dockerfile, root := string(text), t.TempDir()
	require.Equal(t, "65532:65532", instruction(t, dockerfile, `USER (.*)$`))
	require.Equal(t, `["/devkiln", "healthcheck"]`, instruction(t, dockerfile, `HEALTHCHECK .* CMD (.*)$`))
	command := strings.ReplaceAll(instruction(t, dockerfile, `RUN (CGO_ENABLED=0 .*go build .*)$`), "/out/devkiln", filepath.Join(root, "devkiln"))
	build := exec.CommandContext(t.Context(), "sh", "-c", command)
	build.Dir = "../.."
	output, err := build.CombinedOutput()
	require.NoError(t, err, string(output))
	require.NoError(t, os.Chmod(root, 0o755))
	require.NoError(t, os.Chmod(filepath.Dir(root), 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(root, "data"), 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(root, "fonts"), 0o755))
	require.NoError(t, os.Chown(filepath.Join(root, "data"), nobody, nobody))
	return imageRoot{root, strings.Fields(instruction(t, dockerfile, `ENV (.*)$`))}
}

// command returns a command that runs in the image as in a container.
func (i imageRoot) command(ctx context.Context, variables []string, args ...string) *exec.Cmd {
	process := exec.CommandContext(ctx, "/devkiln", args...)
	process.Dir = "/"
	process.Env = append(append([]string{}, i.variables...), variables...)
	process.SysProcAttr = &syscall.SysProcAttr{Chroot: i.root, Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return process
}

// Base images are pinned by digest, so that builds are reproducible.
func TestImage_basesHaveDigests(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../Dockerfile")
	require.NoError(t, err)
	bases := regexp.MustCompile(`(?m)^FROM (?:--platform=\S+ )?(\S+)`).FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, bases)
	for _, base := range bases {
		assert.Regexp(t, `^(scratch|\$\{BINARY\}|[a-z]+:[a-z0-9.-]+@sha256:[0-9a-f]{64})$`, base[1], "BINARY is a stage of the file")
	}
}

// A file that git tracks and the build does not get makes its version one with
// changes, +dirty.
func TestImage_buildsFromAllFiles(t *testing.T) {
	t.Parallel()
	git := exec.CommandContext(t.Context(), "git", "ls-files", "--cached", "--ignored", "--exclude-from=.dockerignore")
	git.Dir = "../.."
	left, err := git.Output()
	if err != nil {
		t.Skip("this is no checkout of git: ", err)
	}
	assert.Empty(t, string(left))
}

// The Dockerfile's binary serves in an empty root as a user that can write only
// to /data, and its health check uses the configured port.
func TestImage_needsNothingElse(t *testing.T) {
	t.Parallel()
	if os.Getenv("DEVKILN_REQUIRE_IMAGE") != "1" {
		t.Skip("it compiles everything once more, as the Dockerfile does; DEVKILN_REQUIRE_IMAGE=1 runs it, as root")
	}
	img := buildImage(t)
	_, port, err := net.SplitHostPort(freePort(t))
	require.NoError(t, err)
	listen := []string{"DEVKILN_LISTEN=:" + port}
	server := img.command(t.Context(), listen)
	var out output
	server.Stdout = &out
	require.NoError(t, server.Start())
	require.Eventually(t, func() bool { return img.command(t.Context(), listen, "healthcheck").Run() == nil }, time.Minute, 50*time.Millisecond, out.String())
	assert.Contains(t, out.String(), "sqlite:/data/devkiln.db")
	assert.Error(t, img.command(t.Context(), nil, "healthcheck", "--listen=:1").Run(), "nobody is there")

	made, err := img.command(t.Context(), nil, "keys", "create", "--name=me").Output()
	require.NoError(t, err, "beside the server")
	status, _ := call(t, "POST", "http://127.0.0.1:"+port+"/api/v1/log-share", strings.TrimSpace(string(made)), `{"content":"x"}`)
	assert.Equal(t, 200, status)
	refused, err := img.command(t.Context(), nil, "backup", "/backup.db").CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(refused), "permission denied")

	require.NoError(t, server.Process.Signal(syscall.SIGTERM))
	assert.NoError(t, server.Wait())
	files, err := os.ReadDir(filepath.Join(img.root, "data"))
	require.NoError(t, err)
	for _, file := range files {
		info, err := file.Info()
		require.NoError(t, err)
		assert.Zero(t, info.Mode().Perm()&0o077, "%s is nobody else's business", file.Name())
	}
}
