package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/metrics"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/store"
)

// measured is what is measured of a server; the zero value measures nothing.
type measured struct {
	metrics *metrics.Metrics
	server  *http.Server
	ended   chan error
}

// measure serves metrics if there is an address for them, and returns the store
// with a meter over it.
func (c serve) measure(ctx context.Context, backend store.Backend, log *slog.Logger) (store.Backend, measured, error) {
	if c.MetricsListen == "" {
		return backend, measured{}, nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.MetricsListen)
	if err != nil {
		return nil, measured{}, usageError{fmt.Errorf("--metrics-listen %s: %w", c.MetricsListen, plainNetError(err))}
	}
	m := measured{metrics: metrics.New(version()), ended: make(chan error, 1)}
	if sizer, ok := backend.(store.Sizer); ok {
		m.metrics.Size(sizer)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.metrics.Handler())
	m.server = c.server(context.WithoutCancel(ctx), log, mux)
	go func() { m.ended <- m.server.Serve(listener) }()
	log.Info("metrics", "address", "http://"+reachable(listener.Addr())+"/metrics")
	return m.metrics.Store(backend), m, nil
}

func (m measured) observe() func(httpapi.Observation) {
	if m.metrics == nil {
		return nil
	}
	return m.metrics.Request
}

func (m measured) limiter(l ratelimit.Limiter) ratelimit.Limiter {
	if m.metrics == nil {
		return l
	}
	return m.metrics.Limiter(l)
}

// close ends the server of the metrics.
func (m measured) close() error {
	if m.server == nil {
		return nil
	}
	err := m.server.Close()
	if ended := <-m.ended; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return err
}
