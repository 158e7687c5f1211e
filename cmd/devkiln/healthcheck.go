package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// healthcheck asks the server on this machine whether it serves.
type healthcheck struct {
	serve
	Ready bool `help:"Ask whether the server is ready for requests: its store responds and it is not about to stop."`
}

// patience is how long a health check waits for a response.
const patience = 5 * time.Second

// Help implements kong.HelpProvider.
func (healthcheck) Help() string {
	return `It prints ok, or says what is wrong and exits with 1. For the health checks of containers:

    devkiln healthcheck --listen :8080
    devkiln healthcheck --ready`
}

// Run asks the server that has the same flags and variables.
func (c healthcheck) Run(ctx context.Context, p process) error {
	base, dial, err := c.target()
	if err != nil {
		return err
	}
	path := "/healthz"
	if c.Ready {
		path = "/readyz"
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+path, http.NoBody)
	if err != nil {
		return usageError{fmt.Errorf("--listen %q: %w", c.Listen, err)}
	}
	// The certificate is for the name that others use; this is our own port.
	probe := &http.Client{Transport: &http.Transport{DialContext: dial, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	response, err := probe.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", request.URL, response.Status)
	}
	_, err = fmt.Fprintln(p.stdout, "ok")
	return err
}

// target returns the base of URLs for the address in --listen, and how to connect
// to it.
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
		return "", nil, usageError{fmt.Errorf("--listen %q has no port to ask", c.Listen)}
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + net.JoinHostPort(host, port), dialer.DialContext, nil
}
