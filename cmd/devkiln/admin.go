package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/store"
)

// admin groups the commands for who runs the dashboard.
type admin struct {
	SetPassword setPassword `cmd:"" help:"Set the admin password, read from the first line of standard input, and end every session."`
}

type setPassword struct {
	Generate bool `help:"Make a strong password and print it."`
}

// Run sets the password.
func (c setPassword) Run(ctx context.Context, p process, storeURL string) error {
	if storeURL == "memory:" {
		return usageError{errors.New("--store memory: is gone when the process ends; set DEVKILN_ADMIN_PASSWORD for the server instead")}
	}
	password := rand.Text()
	if !c.Generate {
		_, _ = fmt.Fprintf(p.stderr, "New admin password, at least %d characters (shown as you type): ", dashboard.MinPassword)
		var err error
		if password, err = firstLine(p.stdin); err != nil {
			return err
		}
	}
	if err := dashboard.CheckPassword(password); err != nil {
		return usageError{err}
	}
	err := withBackend(ctx, storeURL, func(backend store.Backend) error {
		return dashboard.SetPassword(ctx, backend, password, time.Now())
	})
	if err != nil {
		return err
	}
	if c.Generate {
		_, err = fmt.Fprintln(p.stdout, password)
	}
	_, _ = fmt.Fprintln(p.stderr, "The admin password is set. Whoever was signed in is signed out.")
	return err
}

// firstLine reads a line without its end, at most 4 KiB of it.
func firstLine(r io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(r, 4<<10)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// adminPassword returns the password that the configuration brings, "" for none.
func adminPassword(env environment) (string, error) {
	password, source, err := env.secret(adminPasswordVariable)
	if err != nil || password == "" {
		return "", err
	}
	if err := dashboard.CheckPassword(password); err != nil {
		return "", fmt.Errorf("%s: %w", source, err)
	}
	return password, nil
}

// openDashboard tells the store about the password of the configuration. If
// there is none at all, it prints a link to set one.
func (c serve) openDashboard(ctx context.Context, p process, backend store.Backend, set settings, addr net.Addr) error {
	now := time.Now()
	if err := dashboard.Provide(ctx, backend, set.adminPassword, now); err != nil {
		return err
	}
	token, err := dashboard.NewSetup(ctx, backend, now)
	if err != nil || token == "" {
		return err
	}
	base := c.scheme() + reachable(addr)
	if set.baseURL != nil {
		base = strings.TrimRight(set.baseURL.String(), "/")
	}
	_, err = fmt.Fprintf(p.stdout, `Set the password of the dashboard here, once, within %d minutes:

  %s/dashboard/setup?token=%s

`, int(dashboard.SetupLife.Minutes()), base, token)
	return err
}
