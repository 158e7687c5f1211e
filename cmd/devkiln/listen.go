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
)

const unixPrefix = "unix:"

// listen opens a listener on the address of a flag: HOST:PORT or unix:PATH.
func listen(ctx context.Context, flag, address string) (listener net.Listener, err error) {
	path, isUnix := strings.CutPrefix(address, unixPrefix)
	if !isUnix {
		listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	} else if err = removeStale(ctx, path); err == nil {
		listener, err = (&net.ListenConfig{}).Listen(ctx, "unix", path)
	}
	if err == nil {
		return listener, nil
	}
	if bad, ok := errors.AsType[*net.AddrError](err); ok {
		return nil, usageError{fmt.Errorf("%s %s: must be HOST:PORT such as 127.0.0.1:8080, or unix:PATH: %s", flag, address, bad.Err)}
	}
	err = fmt.Errorf("%s %s: %w", flag, address, plainNetError(err))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, err // it may be free later, so that a supervisor tries again
	}
	return nil, usageError{err}
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

// baseOf returns the base URL at which clients on this machine reach an address.
func baseOf(addr net.Addr, isTLS bool) string {
	host := addr.String()
	if addr.Network() == "unix" {
		host = "localhost"
	} else if a, err := netip.ParseAddrPort(host); err == nil && a.Addr().IsUnspecified() {
		host = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), a.Port()).String()
	}
	if isTLS {
		return "https://" + host
	}
	return "http://" + host
}

// plainNetError returns the cause of a network error without the address.
func plainNetError(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err
	}
	return err
}
