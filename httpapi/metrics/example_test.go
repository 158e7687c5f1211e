package metrics_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/metrics"
)

// A handler of the API reports its requests, and Prometheus reads them.
func ExampleMetrics() {
	m := metrics.New("v1.2.3")
	m.Request(httpapi.Observation{Route: "/api/v1/slug-generator", Method: http.MethodPost, Status: http.StatusOK, Duration: time.Millisecond})

	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/metrics", http.NoBody))
	for line := range strings.Lines(w.Body.String()) {
		if strings.HasPrefix(line, "devkiln_http_requests_total") {
			fmt.Print(line)
		}
	}
	// Output: devkiln_http_requests_total{method="POST",route="/api/v1/slug-generator",status="200"} 1
}
