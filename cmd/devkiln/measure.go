package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/metrics"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// measured is what is measured of a server; the zero value measures nothing.
type measured struct {
	metrics *metrics.Metrics
	server  *http.Server
	stop    context.CancelFunc
	ended   chan error // takes one of the server and one of the count
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
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	m := measured{metrics: metrics.New(version()), stop: stop, ended: make(chan error, 2)}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.metrics.Handler())
	m.server = c.server(ctx, log, mux)
	go func() { m.ended <- m.server.Serve(listener) }()
	go func() {
		count(ctx, log, backend, m.metrics)
		m.ended <- nil
	}()
	log.Info("metrics", "address", "http://"+reachable(listener.Addr())+"/metrics")
	return m.metrics.Store(backend), m, nil
}

// Holdings are measured every minute, and where that takes long, so seldom that
// it takes a hundredth of the time.
const (
	countEvery = time.Minute
	countShare = 100
)

// count measures what a store holds, at once and then again and again, until
// ctx ends.
func count(ctx context.Context, log *slog.Logger, backend store.Backend, m *metrics.Metrics) {
	counter, counts := backend.(store.Counter)
	sizer, sizes := backend.(store.Sizer)
	for counts && sizes {
		begin := time.Now()
		h, err := holdings(ctx, counter, sizer)
		if err == nil {
			m.Holds(h)
		} else if ctx.Err() == nil {
			log.WarnContext(ctx, "holdings not measured", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(countEvery, countShare*time.Since(begin))):
		}
	}
}

func holdings(ctx context.Context, counter store.Counter, sizer store.Sizer) (metrics.Holdings, error) {
	logs, err := counter.Count(ctx, share.KindLog.Keys())
	if err != nil {
		return metrics.Holdings{}, err
	}
	snippets, err := counter.Count(ctx, share.KindSnippet.Keys())
	if err != nil {
		return metrics.Holdings{}, err
	}
	size, err := sizer.Size(ctx)
	return metrics.Holdings{Logs: logs, Snippets: snippets, Bytes: size, Measured: time.Now()}, err
}

func (m measured) observe() func(httpapi.Observation) {
	if m.metrics == nil {
		return nil
	}
	return m.metrics.Request
}

func (m measured) meter(t store.Meter) store.Meter {
	if m.metrics == nil {
		return t
	}
	return m.metrics.Meter(t)
}

func (m measured) limiter(l ratelimit.Limiter) ratelimit.Limiter {
	if m.metrics == nil {
		return l
	}
	return m.metrics.Limiter(l)
}

// close ends the server of the metrics and the count.
func (m measured) close() error {
	if m.server == nil {
		return nil
	}
	m.stop()
	err := m.server.Close()
	for range cap(m.ended) {
		if ended := <-m.ended; !errors.Is(ended, http.ErrServerClosed) {
			err = errors.Join(err, ended)
		}
	}
	return err
}
