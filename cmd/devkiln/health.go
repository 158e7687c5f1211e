package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/server"
)

// healthcheck checks the server on this machine.
type healthcheck struct {
	address
	Ready bool `help:"Check whether the server is ready for requests: its store responds and it is not about to stop."`
}

// Run checks the server at the same address.
func (c healthcheck) Run(ctx context.Context, p process) error {
	network, at := "tcp", c.Listen
	if path, found := strings.CutPrefix(c.Listen, unixPrefix); found {
		network, at = "unix", path
	}
	target := "http://localhost/healthz"
	if c.TLSCert != "" {
		target = "https://localhost/healthz"
	}
	if c.Ready {
		target = strings.ReplaceAll(target, "healthz", "readyz")
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, http.NoBody)
	if err != nil {
		return err
	}
	// The certificate names the public host; this connects to the local port.
	probe := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, at)
		},
	}}
	response, err := probe.Do(request)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Listen, plainNetError(errors.Unwrap(err)))
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s responds with %s", c.Listen, response.Status)
	}
	_, err = fmt.Fprintln(p.stdout, "ok")
	return err
}

// doctorCmd checks the server's environment.
type doctorCmd struct {
	serve
	JSON bool `name:"json" help:"Print check, severity, found and do of each check as JSON."`
}

// Run checks what a server with the same flags and variables would use.
func (c doctorCmd) Run(ctx context.Context, p process, storeURL string) error {
	set, err := c.settings(p.env)
	if err != nil {
		return usageError{err}
	}
	set.Log = slog.New(slog.DiscardHandler)
	set.limitMemory(ctx)
	if c.SystemFonts {
		set.addSystemFonts(ctx)
	}
	setup := server.Setup{Options: set.Options, Listen: c.Listen}
	if err := openForDoctor(ctx, &setup, storeURL); err != nil {
		return err
	}
	err = c.print(p, server.Diagnose(ctx, setup))
	if setup.Backend != nil {
		err = errors.Join(err, setup.Backend.Close())
	}
	return err
}

// openForDoctor opens the store; a server may have it open too.
func openForDoctor(ctx context.Context, setup *server.Setup, storeURL string) error {
	if err := checkStoreURL(storeURL); err != nil {
		return usageError{err}
	}
	if path, ok := sqlitePath(storeURL); ok {
		setup.Folder = filepath.Dir(path)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return notTheService(storeURL)
		}
	}
	backend, err := openBackend(ctx, storeURL, backendOptions{companion: true})
	if setup.StoreError = err; err == nil {
		setup.Backend = backend
	}
	return nil
}

// print prints the findings and returns an error with the number of errors.
func (c doctorCmd) print(p process, findings []server.Finding) error {
	bad := 0
	var text strings.Builder
	for _, f := range findings {
		if f.Severity == "error" {
			bad++
		}
		fmt.Fprintf(&text, "%-7s  %-11s  %s\n", f.Severity, f.Check, f.Found)
		if f.Do != "" {
			fmt.Fprintf(&text, "%22s%s\n", "", f.Do)
		}
	}
	err := p.print(c.JSON, findings, "%s", text.String())
	if err == nil && bad > 0 {
		err = fmt.Errorf("%d of %d checks found an error", bad, len(findings))
	}
	return err
}
