package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// fetch puts the archive of every source that dir lacks into it, each under its
// checksum. It asks the registries' own clients (go, npm, apt-get), as they are
// configured on this machine, for one pinned version at a time. A source that
// cannot be had is named and the others go on.
func fetch(ctx context.Context, dir string, all []source, stdout io.Writer) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var missing []error
	for _, s := range all {
		name := filepath.Join(dir, s.SHA256)
		if _, err := os.Stat(name); err == nil {
			continue
		}
		data, err := download(ctx, s)
		if err == nil && checksum(data) != s.SHA256 {
			err = fmt.Errorf("checksum is %s", checksum(data))
		}
		if err != nil {
			missing = append(missing, fmt.Errorf("%s %s: %w", s.Name, s.Version, err))
			continue
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(stdout, s.Registry, s.Name, s.Version); err != nil {
			return err
		}
	}
	return errors.Join(missing...)
}

func download(ctx context.Context, s source) (data []byte, err error) {
	tmp, err := os.MkdirTemp("", "train")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	switch s.Registry {
	case "go":
		return downloadModule(ctx, tmp, s)
	case "npm":
		return downloaded(ctx, tmp, s, "*.tgz", "npm", "pack", "--silent", s.Name+"@"+s.Version)
	case "debian":
		return downloaded(ctx, tmp, s, "*.orig.tar.*", "apt-get", "source", "--quiet", "--download-only", "--tar-only", s.Name+"="+s.Version)
	}
	return nil, fmt.Errorf("no client for registry %q", s.Registry)
}

// downloadModule leaves the module in Go's own cache, as any build does.
func downloadModule(ctx context.Context, dir string, s source) ([]byte, error) {
	out, err := client(ctx, dir, "go", "mod", "download", "-json", s.Name+"@"+s.Version)
	if err != nil {
		return nil, err
	}
	var module struct{ Zip string }
	if err := json.Unmarshal(out, &module); err != nil {
		return nil, err
	}
	return os.ReadFile(module.Zip)
}

// downloaded runs a client that writes into dir, and returns the file of this
// pattern that has the source's checksum, or any of them if none has.
func downloaded(ctx context.Context, dir string, s source, pattern, program string, args ...string) ([]byte, error) {
	if _, err := client(ctx, dir, program, args...); err != nil {
		return nil, err
	}
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		return nil, err
	}
	var data []byte
	for _, path := range paths {
		if data, err = os.ReadFile(path); err != nil || checksum(data) == s.SHA256 {
			return data, err
		}
	}
	if data == nil {
		return nil, errors.New("the client left no archive")
	}
	return data, nil
}

func client(ctx context.Context, dir, program string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		lines := bytes.Split(bytes.TrimSpace(exit.Stderr), []byte("\n"))
		return nil, fmt.Errorf("%s: %s", program, lines[len(lines)-1])
	}
	return out, err
}
