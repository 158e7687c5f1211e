package metrics_test

import (
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/metrics"
	"github.com/devkiln/devkiln/store"
)

// exported returns the names of all of Devkiln's metrics and series.
func exported(t *testing.T) (names, series []string) {
	t.Helper()
	m := metrics.New("v1")
	m.Request(httpapi.Observation{Route: "/", Method: "GET", Status: 429, Cause: "rate_limited"})
	backend := m.Store(away{store.NewMemory()})
	require.Error(t, backend.Create(t.Context(), "a", nil, time.Time{}))
	m.RecordContents(metrics.Contents{Measured: time.Now()})
	m.RecordCertificate(time.Now())
	text := scrape(t, m)
	for _, found := range regexp.MustCompile(`(?m)^# TYPE (devkiln_\w+)`).FindAllStringSubmatch(text, -1) {
		names = append(names, found[1])
	}
	return names, regexp.MustCompile(`(?m)^devkiln_\w+`).FindAllString(text, -1)
}

// The dashboard and the alerts use only existing series, and the dashboard and
// the guide cover every metric.
func TestDeploy_namesOfMetrics(t *testing.T) {
	names, series := exported(t)
	require.Len(t, names, 14)
	shown := make(map[string]string)
	for _, file := range []string{"grafana.json", "alerts.yaml", "alerts_test.yaml"} {
		text, err := os.ReadFile("../../deploy/" + file)
		require.NoError(t, err)
		shown[file] = string(text)
		used := regexp.MustCompile(`\bdevkiln_\w+`).FindAllString(string(text), -1)
		assert.NotEmpty(t, used)
		for _, name := range used {
			assert.True(t, slices.Contains(series, name), "%s asks for %s", file, name)
		}
	}
	guide, err := os.ReadFile("../../docs/deploy.md")
	require.NoError(t, err)
	for _, name := range names {
		assert.Contains(t, shown["grafana.json"], name)
		assert.Contains(t, string(guide), "`"+name+"`")
	}
	for _, alert := range regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(shown["alerts.yaml"], -1) {
		assert.Len(t, regexp.MustCompile(`alertname: `+alert[1]+`\b`).FindAllString(shown["alerts_test.yaml"], -1), 2, "%s is tested with and without its fault", alert[1])
	}
}
