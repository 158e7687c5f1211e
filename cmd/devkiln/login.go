package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/devkiln/devkiln/httpapi/client"
)

// login is what the file of devkiln login holds. The key is sent to no other
// server than that of the URL.
type login struct {
	URL string `toml:"url"`
	Key string `toml:"key"`
}

// loginCmd checks and keeps the address of a server and a key.
type loginCmd struct {
	Server string `arg:"" placeholder:"URL" help:"The server, such as https://kiln.example."`
}

// Run reads a key from standard input, asks the server for its limits, and
// writes the file.
func (c loginCmd) Run(ctx context.Context, p process) error {
	if p.loginFile == "" {
		return errors.New("neither XDG_CONFIG_HOME nor HOME is set, so there is no place for the key")
	}
	if _, err := client.New(c.Server, "unknown", client.Options{}); err != nil {
		return usageError{err}
	}
	key, err := firstLine(p, "Key")
	if err != nil {
		return err
	}
	kept := login{strings.TrimRight(c.Server, "/"), strings.TrimSpace(key)}
	if kept.Key == "" {
		return usageError{errors.New("standard input holds no key; make one on the page /dashboard/keys of the server, or with devkiln keys create")}
	}
	api, err := caller{URL: kept.URL, Key: kept.Key}.dial(p)
	if err != nil {
		return err
	}
	if _, err := api.Limits(ctx); err != nil {
		return refusal(err)
	}
	if err := kept.write(p.loginFile); err != nil {
		return err
	}
	return p.print("%s and the key are in %s, for devkiln log, snippet, shares and mcp.\n", kept.URL, p.loginFile)
}

// write writes the file, which only its owner may read.
func (l login) write(file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	_ = os.Chmod(file, 0o600) // one that others may read would keep its mode
	return os.WriteFile(file, fmt.Appendf(nil, "url = %q\nkey = %q\n", l.URL, l.Key), 0o600)
}

// readLogin returns what devkiln login has kept, or nothing.
func readLogin(file string) (kept login, err error) {
	meta, err := toml.DecodeFile(file, &kept)
	if errors.Is(err, fs.ErrNotExist) {
		return login{}, nil
	}
	if err == nil && len(meta.Undecoded()) > 0 {
		err = fmt.Errorf("%s is not a setting; url and key are", meta.Undecoded()[0])
	}
	if err != nil {
		return login{}, usageError{fmt.Errorf("%s: %w", file, err)}
	}
	return kept, nil
}

// loginFile returns the path of the file, following the XDG base directory
// specification on every system. It returns "" if no variable names a home.
func loginFile(variables []string) string {
	for _, home := range [][2]string{{"XDG_CONFIG_HOME=", ""}, {"HOME=", ".config"}, {"APPDATA=", ""}} {
		for _, variable := range variables {
			if folder, found := strings.CutPrefix(variable, home[0]); found && filepath.IsAbs(folder) {
				return filepath.Join(folder, home[1], "devkiln", "config.toml")
			}
		}
	}
	return ""
}
