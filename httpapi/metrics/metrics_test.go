package metrics_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/metrics"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/storetest"
)

// An instrumented store is still a store.
func TestMetrics_store(t *testing.T) {
	storetest.RunBackend(t, func(*testing.T) store.Backend {
		return metrics.New("v1").Store(store.NewMemory())
	})
}

const key = "a-key-out-of-the-environment"

func scrape(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
	require.Equal(t, http.StatusOK, w.Code)
	return w.Body.String()
}

// away is a store that is unavailable for shares.
type away struct{ store.Backend }

func (away) Create(context.Context, string, []byte, time.Time) error {
	return fmt.Errorf("%w: gone", store.ErrUnavailable)
}

func TestMetrics(t *testing.T) {
	m := metrics.New("v1.2.3")
	memory := store.NewMemory()
	backend := m.Store(away{memory})
	for _, absent := range []string{"devkiln_shares", "devkiln_store_bytes", "devkiln_store_measured", "devkiln_certificate"} {
		assert.NotContains(t, scrape(t, m), absent, "nobody has recorded it")
	}
	m.RecordCertificate(time.UnixMilli(3_500))
	m.RecordContents(metrics.Contents{Logs: 3, Snippets: 4, Bytes: 5, Measured: time.UnixMilli(1_500)})
	m.RecordContents(metrics.Contents{Logs: 2, Snippets: 4, Bytes: 5, Measured: time.UnixMilli(2_500)})
	keys, err := apikey.New(backend, key)
	require.NoError(t, err)
	shares, err := share.New(backend, share.Options{})
	require.NoError(t, err)
	limiter, err := ratelimit.New(store.NewMemory(), ratelimit.Limits{PerMinute: 3}, nil)
	require.NoError(t, err)
	handler, err := httpapi.New(httpapi.Options{Shares: shares, Keys: keys, Observe: m.Request, Limiter: limiter})
	require.NoError(t, err)
	send := func(method, path, secret, body string) {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("X-Api-Key", secret)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		_, err := io.Copy(io.Discard, w.Result().Body)
		require.NoError(t, err)
	}
	send("POST", "/api/v1/slug-generator", key, `{"text":"x"}`)
	send("POST", "/api/v1/slug-generator", "wrong", `{"text":"x"}`)
	send("POST", "/api/v1/log-share", key, `{"content":"x"}`)
	send("GET", "/api/v1/log-share/0123456789abcdef", key, "")
	send("POST", "/api/v1/slug-generator", key, `{"text":"x"}`)
	send("PUT", "/api/v1/slug-generator", key, "")
	send("GET", "/api/v1/"+strings.Repeat("x", 50), key, "")
	send("BREW", "/coffee", key, "")
	send("GET", "/healthz", key, "")
	send("POST", "/logs", "", "x")
	_, err = backend.Sweep(t.Context(), 10)
	require.NoError(t, err)
	_, err = store.Take(t.Context(), backend, "x", time.Now(), store.Limits{Period: time.Hour})
	require.NoError(t, err)

	text := scrape(t, m)
	for _, line := range []string{
		`devkiln_build_info{goversion="` + runtime.Version() + `",version="v1.2.3"} 1`,
		`devkiln_http_requests_total{method="POST",route="/api/v1/slug-generator",status="200"} 1`,
		`devkiln_http_requests_total{method="POST",route="/api/v1/slug-generator",status="401"} 1`,
		`devkiln_http_requests_total{method="POST",route="/api/v1/slug-generator",status="429"} 1`,
		`devkiln_http_requests_total{method="PUT",route="/api/v1/slug-generator",status="405"} 1`,
		`devkiln_http_requests_total{method="POST",route="/api/v1/log-share",status="503"} 1`,
		`devkiln_http_requests_total{method="GET",route="/api/v1/log-share/{id}",status="404"} 1`,
		`devkiln_http_requests_total{method="GET",route="api",status="404"} 1`,
		`devkiln_http_requests_total{method="other",route="pages",status="404"} 1`,
		`devkiln_http_requests_total{method="GET",route="/healthz",status="200"} 1`,
		`devkiln_http_requests_total{method="POST",route="/logs",status="401"} 1`,
		`devkiln_http_failures_total{cause="not_found",route="/api/v1/log-share/{id}"} 1`,
		`devkiln_http_failures_total{cause="not_found",route="pages"} 1`,
		`devkiln_http_failures_total{cause="store",route="/api/v1/log-share"} 1`,
		`devkiln_http_failures_total{cause="invalid_api_key",route="/api/v1/slug-generator"} 1`,
		`devkiln_http_failures_total{cause="rate_limited",route="/api/v1/slug-generator"} 1`,
		`devkiln_http_request_duration_seconds_count{method="POST",route="/api/v1/slug-generator",status="200"} 1`,
		`devkiln_http_request_size_bytes_sum{method="POST",route="/api/v1/log-share",status="503"} 15`,
		`devkiln_http_response_size_bytes_sum{method="GET",route="/healthz",status="200"} 3`,
		`devkiln_store_errors_total{call="create",kind="unavailable"} 1`,
		`devkiln_store_errors_total{call="sweep",kind="unavailable"} 0`,
		`devkiln_store_duration_seconds_count{call="create"} 1`,
		`devkiln_store_duration_seconds_count{call="update"} 1`,
		`devkiln_shares{kind="log"} 2`,
		`devkiln_shares{kind="snippet"} 4`,
		`devkiln_store_bytes 5`,
		`devkiln_store_measured_timestamp_seconds 2.5`,
		`devkiln_certificate_expiry_timestamp_seconds 3`,
		`devkiln_store_sweeps_total 1`,
		`devkiln_store_swept_total 0`,
	} {
		assert.Contains(t, text, line+"\n")
	}
	assert.NotContains(t, text, "xxxxx", "no label is the caller's")
	assert.NotContains(t, text, "coffee")
	assert.NotContains(t, text, key)

	problems, err := promlint.New(strings.NewReader(text)).Lint()
	require.NoError(t, err)
	for _, p := range problems {
		assert.Fail(t, p.Text, p.Metric)
	}
}
