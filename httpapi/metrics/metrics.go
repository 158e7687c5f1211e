// Package metrics collects metrics of a server for Prometheus.
//
//	m := metrics.New(version)
//	backend = m.Store(backend)
//	handler, err := httpapi.New(httpapi.Options{Observe: m.Request, …})
//	http.ListenAndServe("127.0.0.1:9090", m.Handler())
//
// A scrape does not access the store: its owner should measure the contents
// regularly and pass them to [Metrics.RecordContents].
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
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/store"
)

// Metrics is the set of all metrics. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry

	requests *prometheus.CounterVec
	failures *prometheus.CounterVec
	duration *prometheus.HistogramVec
	received *prometheus.HistogramVec
	sent     *prometheus.HistogramVec

	storeDuration *prometheus.HistogramVec
	storeErrors   *prometheus.CounterVec
	swept         prometheus.Counter
	sweeps        prometheus.Counter

	// A GaugeVec is absent until it is set, even without labels.
	shares, bytes, measured, expiry *prometheus.GaugeVec
}

// New returns Metrics for a version of the server.
func New(version string) *Metrics {
	seconds := prometheus.ExponentialBuckets(0.0001, 4, 10) // 0.1 ms to 26 s
	bytes := prometheus.ExponentialBuckets(64, 8, 7)        // 64 B to 16 MB
	each := []string{"method", "route", "status"}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	ours := promauto.With(prometheus.WrapRegistererWithPrefix("devkiln_", registry))
	ours.NewGauge(prometheus.GaugeOpts{
		Name: "build_info", Help: "Always 1; the labels hold the versions of the server and of Go.",
		ConstLabels: prometheus.Labels{"version": version, "goversion": runtime.Version()},
	}).Set(1)
	return &Metrics{
		registry: registry,
		requests: ours.NewCounterVec(prometheus.CounterOpts{Name: "http_requests_total", Help: "Requests that got a response."}, each),
		failures: ours.NewCounterVec(prometheus.CounterOpts{Name: "http_failures_total", Help: "Failed requests, by cause: the code of the response, or busy, store, timeout, canceled or draining; for pages, the status; for agents in responses with 200, rpc_error, tool_error or the cause of what the tool requested; unreadable, with the route none, for what never became a request."}, []string{"route", "cause"}),
		duration: ours.NewHistogramVec(prometheus.HistogramOpts{Name: "http_request_duration_seconds", Help: "Duration from the header of a request to the end of its response.", Buckets: seconds}, each),
		received: ours.NewHistogramVec(prometheus.HistogramOpts{Name: "http_request_size_bytes", Help: "Bytes read from request bodies.", Buckets: bytes}, each),
		sent:     ours.NewHistogramVec(prometheus.HistogramOpts{Name: "http_response_size_bytes", Help: "Bytes of response bodies.", Buckets: bytes}, each),

		storeDuration: ours.NewHistogramVec(prometheus.HistogramOpts{Name: "store_duration_seconds", Help: "Duration of store calls.", Buckets: seconds}, []string{"call"}),
		storeErrors:   ours.NewCounterVec(prometheus.CounterOpts{Name: "store_errors_total", Help: "Failed store calls: unavailable, canceled or other."}, []string{"call", "kind"}),
		sweeps:        ours.NewCounter(prometheus.CounterOpts{Name: "store_sweeps_total", Help: "Calls that swept expired entries."}),
		swept:         ours.NewCounter(prometheus.CounterOpts{Name: "store_swept_total", Help: "Expired entries whose space was freed."}),

		shares:   ours.NewGaugeVec(prometheus.GaugeOpts{Name: "shares", Help: "Live shares when last counted."}, []string{"kind"}),
		bytes:    ours.NewGaugeVec(prometheus.GaugeOpts{Name: "store_bytes", Help: "Size of the store in bytes when last measured."}, nil),
		measured: ours.NewGaugeVec(prometheus.GaugeOpts{Name: "store_measured_timestamp_seconds", Help: "When shares and bytes were last measured."}, nil),
		expiry:   ours.NewGaugeVec(prometheus.GaugeOpts{Name: "certificate_expiry_timestamp_seconds", Help: "When the certificate of the server expires; absent without one."}, nil),
	}
}

// Handler serves the metrics in the Prometheus format, at any path.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Request counts a request, for httpapi.Options.Observe.
func (m *Metrics) Request(o httpapi.Observation) {
	status := strconv.Itoa(o.Status)
	m.requests.WithLabelValues(o.Method, o.Route, status).Inc()
	if o.Cause != "" {
		m.failures.WithLabelValues(o.Route, o.Cause).Inc()
	}
	m.duration.WithLabelValues(o.Method, o.Route, status).Observe(o.Duration.Seconds())
	m.received.WithLabelValues(o.Method, o.Route, status).Observe(float64(o.Received))
	m.sent.WithLabelValues(o.Method, o.Route, status).Observe(float64(o.Sent))
}

// Contents describes the contents of a store.
type Contents struct {
	Logs, Snippets int64 // shares, including expired ones not yet swept
	Bytes          int64 // size of the store
	Measured       time.Time
}

// RecordContents sets the metrics of the store's contents. They are absent
// before the first call.
func (m *Metrics) RecordContents(c Contents) {
	m.shares.WithLabelValues("log").Set(float64(c.Logs))
	m.shares.WithLabelValues("snippet").Set(float64(c.Snippets))
	m.bytes.WithLabelValues().Set(float64(c.Bytes))
	m.measured.WithLabelValues().Set(float64(c.Measured.UnixMilli()) / 1000)
}

// RecordCertificate sets the metric of the certificate's expiry. It is absent
// before the first call.
func (m *Metrics) RecordCertificate(expires time.Time) {
	m.expiry.WithLabelValues().Set(float64(expires.Unix()))
}

// call records a call of the store that began at start. A call without an error
// creates its counter of the errors that an alert is about: Prometheus sees no
// increase in a counter that appears with its first error.
func (m *Metrics) call(name string, start time.Time, err error) {
	m.storeDuration.WithLabelValues(name).Observe(time.Since(start).Seconds())
	switch errs := m.storeErrors; {
	case err == nil, errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrExists):
		errs.WithLabelValues(name, "unavailable")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		errs.WithLabelValues(name, "canceled").Inc()
	case errors.Is(err, store.ErrUnavailable):
		errs.WithLabelValues(name, "unavailable").Inc()
	default:
		errs.WithLabelValues(name, "other").Inc()
	}
}
