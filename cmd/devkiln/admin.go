package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/store"
)

// admin groups the commands for the dashboard.
type admin struct {
	SetPassword setPassword `cmd:"" help:"Set the admin password, read from the first line of standard input, and end all sessions."`
}

type setPassword struct{}

// Run sets the password.
func (setPassword) Run(ctx context.Context, p process, storeURL string) error {
	if storeURL == "memory:" {
		return usageError{errors.New("--store memory: does not outlive this process; set DEVKILN_ADMIN_PASSWORD for the server instead")}
	}
	_, _ = fmt.Fprintf(p.stderr, "New admin password, at least %d characters (shown as you type): ", dashboard.MinPassword)
	password, err := firstLine(p.stdin)
	if err != nil {
		return err
	}
	if err := dashboard.CheckPassword(password); err != nil {
		return usageError{err}
	}
	err = withBackend(ctx, storeURL, func(backend store.Backend) error {
		if err := dashboard.SetPassword(ctx, backend, password, time.Now()); err != nil {
			return err
		}
		return audit.New(backend).Add(ctx, audit.Event{At: time.Now(), Kind: audit.PasswordSet, From: commandLine})
	})
	if err == nil {
		_, _ = fmt.Fprintln(p.stderr, "The admin password is set. Whoever was signed in is signed out.")
	}
	return err
}

// firstLine reads a line of at most 4 KiB, without its line end.
func firstLine(r io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(r, 4<<10)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}
