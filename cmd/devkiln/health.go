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
	serve
	Ready bool `help:"Check whether the server is ready for requests: its store responds and it is not about to stop."`
}

// healthcheckTimeout is the timeout of a health check.
const healthcheckTimeout = 5 * time.Second

// Run checks the server that has the same flags and variables.
func (c healthcheck) Run(ctx context.Context, p process) error {
	base, dial, err := c.target()
	if err != nil {
		return err
	}
	path := "/healthz"
	if c.Ready {
		path = "/readyz"
	}
	ctx, cancel := context.WithTimeout(ctx, healthcheckTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+path, http.NoBody)
	if err != nil {
		return usageError{fmt.Errorf("--listen %q: %w", c.Listen, err)}
	}
	// The certificate names the public host; this connects to the local port.
	probe := &http.Client{Transport: &http.Transport{DialContext: dial, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	response, err := probe.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s responds with %s", request.URL, response.Status)
	}
	_, err = fmt.Fprintln(p.stdout, "ok")
	return err
}

// target returns the base URL for the address in --listen, and a function that
// connects to it.
func (c healthcheck) target() (base string, dial func(ctx context.Context, network, address string) (net.Conn, error), err error) {
	scheme := "http://"
	if c.TLSCert != "" {
		scheme = "https://"
	}
	var dialer net.Dialer
	if path, found := strings.CutPrefix(c.Listen, unixPrefix); found {
		return scheme + "localhost", func(ctx context.Context, _, _ string) (net.Conn, error) { return dialer.DialContext(ctx, "unix", path) }, nil
	}
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil || port == "0" || c.Listen == systemdAddress {
		return "", nil, usageError{fmt.Errorf("--listen %q has no TCP port", c.Listen)}
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + net.JoinHostPort(host, port), dialer.DialContext, nil
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
			return nil
		}
	}
	backend, err := openBackend(ctx, storeURL, backendOptions{companion: true})
	if setup.StoreError = err; err == nil {
		setup.Backend = backend
	}
	return nil
}

// print prints the findings and returns an error with the number of errors.
func (c doctorCmd) print(p process, findings []server.Finding) (err error) {
	if c.JSON {
		err = p.json(findings)
	}
	bad := 0
	for _, f := range findings {
		if f.Severity == server.Error {
			bad++
		}
		if !c.JSON && err == nil {
			_, err = fmt.Fprintf(p.stdout, "%-7s  %-11s  %s\n", f.Severity, f.Check, f.Found)
		}
		if !c.JSON && f.Do != "" && err == nil {
			_, err = fmt.Fprintf(p.stdout, "%22s%s\n", "", f.Do)
		}
	}
	if err == nil && bad > 0 {
		err = fmt.Errorf("%d of %d checks found an error", bad, len(findings))
	}
	return err
}
