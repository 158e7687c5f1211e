package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"

	"github.com/coreos/go-systemd/v22/activation"
)

const (
	unixPrefix     = "unix:"
	systemdAddress = "systemd:"
)

// listen opens a listener on the address of a flag: HOST:PORT, unix:PATH, or
// systemd: for the socket passed by systemd.
func listen(ctx context.Context, flag, address string) (listener net.Listener, err error) {
	path, isUnix := strings.CutPrefix(address, unixPrefix)
	switch {
	case address == systemdAddress:
		listener, err = activated()
	case isUnix:
		if err = removeStale(ctx, path); err == nil {
			listener, err = (&net.ListenConfig{}).Listen(ctx, "unix", path)
		}
	default:
		listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	}
	if err == nil {
		return listener, nil
	}
	err = fmt.Errorf("%s %s: %w", flag, address, plainNetError(err))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, err // it may be free later, so that a supervisor tries again
	}
	return nil, usageError{err}
}

// activated returns the socket passed by systemd, of which there must be one.
func activated() (net.Listener, error) {
	listeners, err := activation.Listeners()
	if err != nil {
		return nil, err
	}
	if len(listeners) != 1 || listeners[0] == nil {
		return nil, fmt.Errorf("systemd has opened %d sockets for this process, not one; start it by a .socket unit", len(listeners))
	}
	return listeners[0], nil
}

// removeStale removes the socket of a killed process, which refuses
// connections.
func removeStale(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSocket == 0 {
		return nil // Listen reports the error
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	if err == nil {
		return errors.Join(conn.Close(), syscall.EADDRINUSE)
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		return os.Remove(path)
	}
	return err
}

// endpoint is how clients on this machine reach a listener.
type endpoint struct {
	base string // base URL
	curl string // options for curl, with a trailing space
	name string // display name
}

// String implements fmt.Stringer.
func (p endpoint) String() string { return p.name }

// endpointOf returns the endpoint of an address. It replaces an unspecified host
// with the loopback address.
func endpointOf(addr net.Addr, isTLS bool) endpoint {
	scheme := "http://"
	if isTLS {
		scheme = "https://"
	}
	if addr.Network() == "unix" {
		return endpoint{scheme + "localhost", "--unix-socket " + addr.String() + " ", unixPrefix + addr.String()}
	}
	host := addr.String()
	if a, err := netip.ParseAddrPort(host); err == nil && a.Addr().IsUnspecified() {
		host = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), a.Port()).String()
	}
	return endpoint{base: scheme + host, name: scheme + host}
}

// plainNetError returns the cause of a network error without the address.
func plainNetError(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err
	}
	return err
}
