// Package metrics collects metrics of a server for Prometheus.
//
//	m := metrics.New(version)
//	backend = m.Store(backend)
//	limiter = m.Limiter(limiter)
//	handler, err := httpapi.New(httpapi.Options{Observe: m.Request, …})
//	http.ListenAndServe("127.0.0.1:9090", m.Handler())
//
// A scrape does not access the store: its owner should measure the contents
// regularly and pass them to [Metrics.Holds].
//
// No label has a value chosen by a caller: routes are patterns. The names of
// metrics may change between versions until 1.0.
package metrics

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/store"
)

// Metrics is the set of all metrics. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry

	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	received *prometheus.HistogramVec
	sent     *prometheus.HistogramVec

	denials *prometheus.CounterVec

	storeDuration *prometheus.HistogramVec
	storeErrors   *prometheus.CounterVec
	swept         prometheus.Counter
	sweeps        prometheus.Counter

	shares   *prometheus.GaugeVec
	bytes    prometheus.Gauge
	measured prometheus.Gauge
	holding  sync.Once
}

// New returns Metrics for a version of the server.
func New(version string) *Metrics {
	seconds := prometheus.ExponentialBuckets(0.0001, 4, 10) // 0.1 ms to 26 s
	bytes := prometheus.ExponentialBuckets(64, 8, 7)        // 64 B to 16 MB
	each := []string{"method", "route", "status"}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: counters("http_requests_total", "Requests that got a response.", each...),
		duration: histograms("http_request_duration_seconds", "From the header of a request to the end of its response.", seconds, each...),
		received: histograms("http_request_size_bytes", "Bytes that were read of the bodies of requests.", bytes, each...),
		sent:     histograms("http_response_size_bytes", "Bytes of the bodies of responses.", bytes, each...),

		denials: counters("ratelimit_denials_total", "Requests that were refused with 429, by the limit that was hit.", "limit"),

		storeDuration: histograms("store_duration_seconds", "Time that calls of the store took.", seconds, "call"),
		storeErrors:   counters("store_errors_total", "Calls of the store that went wrong: unavailable, canceled or other.", "call", "kind"),
		sweeps:        counter("store_sweeps_total", "Calls that looked for expired entries."),
		swept:         counter("store_swept_total", "Expired entries whose space was freed."),

		shares:   prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: namespace + "shares", Help: "Live shares, when they were counted last."}, []string{"kind"}),
		bytes:    gauge("store_bytes", "Bytes that the store took up when it was measured last."),
		measured: gauge("store_measured_timestamp_seconds", "When shares and bytes were measured last."),
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: namespace + "build_info", Help: "Always 1; the labels tell the version of the server and that of Go.",
		ConstLabels: prometheus.Labels{"version": version, "goversion": runtime.Version()},
	})
	info.Set(1)
	m.registry.MustRegister(
		m.requests, m.duration, m.received, m.sent, m.denials, m.storeDuration, m.storeErrors, m.sweeps, m.swept, info,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

const namespace = "devkiln_"

func counter(name, help string) prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{Name: namespace + name, Help: help})
}

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: namespace + name, Help: help}, labels)
}

func gauge(name, help string) prometheus.Gauge {
	return prometheus.NewGauge(prometheus.GaugeOpts{Name: namespace + name, Help: help})
}

func histograms(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: namespace + name, Help: help, Buckets: buckets}, labels)
}

// Handler serves the metrics in the Prometheus format, at any path.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Request counts a request, for httpapi.Options.Observe.
func (m *Metrics) Request(o httpapi.Observation) {
	status := strconv.Itoa(o.Status)
	m.requests.WithLabelValues(o.Method, o.Route, status).Inc()
	m.duration.WithLabelValues(o.Method, o.Route, status).Observe(o.Duration.Seconds())
	m.received.WithLabelValues(o.Method, o.Route, status).Observe(float64(o.Received))
	m.sent.WithLabelValues(o.Method, o.Route, status).Observe(float64(o.Sent))
}

// Limiter returns a limiter that counts the requests that l denies.
func (m *Metrics) Limiter(l ratelimit.Limiter) ratelimit.Limiter { return limiter{l, m} }

type limiter struct {
	ratelimit.Limiter
	m *Metrics
}

// Allow implements ratelimit.Limiter.
func (l limiter) Allow(ctx context.Context, key string, perMinute int, now time.Time) (ratelimit.Decision, error) {
	d, err := l.Limiter.Allow(ctx, key, perMinute, now)
	if err == nil && !d.Allowed {
		limit := "minute"
		if d.Day.Limit > 0 && d.Day.Remaining == 0 {
			limit = "day"
		}
		l.m.denials.WithLabelValues(limit).Inc()
	}
	return d, err
}

// Holdings describes the contents of a store.
type Holdings struct {
	Logs, Snippets int64 // shares, including expired ones not yet swept
	Bytes          int64 // size of the store
	Measured       time.Time
}

// Holds sets the metrics of the store's contents. They are absent before the
// first call.
func (m *Metrics) Holds(h Holdings) {
	m.shares.WithLabelValues("log").Set(float64(h.Logs))
	m.shares.WithLabelValues("snippet").Set(float64(h.Snippets))
	m.bytes.Set(float64(h.Bytes))
	m.measured.Set(float64(h.Measured.UnixMilli()) / 1000)
	m.holding.Do(func() { m.registry.MustRegister(m.shares, m.bytes, m.measured) })
}

// call counts a call of the store that began at start.
func (m *Metrics) call(name string, start time.Time, err error) {
	m.storeDuration.WithLabelValues(name).Observe(time.Since(start).Seconds())
	kind := "other"
	switch {
	case err == nil, errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrExists):
		return
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		kind = "canceled"
	case errors.Is(err, store.ErrUnavailable):
		kind = "unavailable"
	}
	m.storeErrors.WithLabelValues(name, kind).Inc()
}
