package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two thousand connections stall in the header or body. Other clients are
// served meanwhile, and the slow connections are closed.
func TestServe_slowConnections(t *testing.T) {
	t.Parallel()
	const slow = 1000 // of each kind
	s := start(t, none, "--store=memory:", "--rate-minute=0", "--rate-day=0")
	address := strings.TrimPrefix(s.base, "http://")
	var conns []net.Conn
	for i := range 2 * slow {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		require.NoError(t, err)
		defer conn.Close()
		text := "POST /api/v1/slug-generator HTTP/1.1\r\nHost: x\r\nX-Slow: "
		if i%2 == 0 {
			text = fmt.Sprintf("POST /api/v1/slug-generator HTTP/1.1\r\nHost: x\r\nX-API-Key: %s\r\nContent-Length: 100\r\n\r\n{", s.key)
		}
		_, err = conn.Write([]byte(text))
		require.NoError(t, err)
		conns = append(conns, conn)
	}
	took := make([]time.Duration, 500)
	for i := range took {
		begin := time.Now()
		response, err := http.DefaultClient.Do(slugRequest(t, s.base, s.key))
		require.NoError(t, err)
		response.Body.Close()
		require.Equal(t, http.StatusOK, response.StatusCode)
		took[i] = time.Since(begin)
	}
	slices.Sort(took)
	t.Log("99 % of the others within", took[len(took)*99/100])
	for _, conn := range conns {
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(time.Minute)))
		buffer := make([]byte, 4096)
		n, err := conn.Read(buffer)
		if err == nil { // the body stalled
			assert.Contains(t, string(buffer[:n]), "408 Request Timeout")
		}
		assert.NotErrorIs(t, err, os.ErrDeadlineExceeded, "it was not cut off")
	}
}

// Bodies that are small to send but expensive to parse are refused with little
// time and memory.
func TestServe_jsonBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("decodes 60 MB of JSON, one body after another")
	}
	t.Parallel()
	s := start(t, none, "--store=memory:", "--rate-minute=0", "--rate-day=0")
	const size = 10<<20 - 100
	for name, body := range map[string]string{
		"deep":         strings.Repeat("[", size),
		"deep objects": strings.Repeat(`{"a":`, size/5),
		"wide":         `{"a":0` + strings.Repeat(`,"b":0`, size/6-2) + `}`,
		"wide array":   `{"colors":[0` + strings.Repeat(`,0`, size/2-20) + `]}`,
		"long number":  `{"angle":` + strings.Repeat("9", size-20) + `}`,
		"long string":  `{"text":"` + strings.Repeat(`\u00e9`, size/6-20),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begin := time.Now()
			status, _ := call(t, http.MethodPost, s.base+"/api/v1/gradient-generator", s.key, body)
			runtime.ReadMemStats(&after)
			assert.Equal(t, http.StatusBadRequest, status)
			t.Logf("%s in %v, %d MB allocated with the client's", name, time.Since(begin), (after.TotalAlloc-before.TotalAlloc)>>20)
		})
	}
}

// A thousand wrong keys are refused and counted.
func TestServe_wrongKeysAreCounted(t *testing.T) {
	t.Parallel()
	const each = 100
	metrics := freePort(t)
	s := start(t, none, storeIn(t), "--metrics-listen="+metrics)
	var wg sync.WaitGroup
	for worker := range 10 {
		wg.Go(func() {
			for i := range each {
				key := fmt.Sprintf("wrong-%d-%d", worker, i)
				response, err := http.DefaultClient.Do(slugRequest(t, s.base, key))
				if !assert.NoError(t, err) {
					return
				}
				response.Body.Close()
				assert.Equal(t, http.StatusUnauthorized, response.StatusCode)
			}
		})
	}
	wg.Wait()
	_, text := get(t, http.DefaultClient, "http://"+metrics+"/metrics")
	assert.Contains(t, text, fmt.Sprintf(`devkiln_http_requests_total{method="POST",route="/api/v1/slug-generator",status="401"} %d`+"\n", 10*each))
	status, _ := call(t, http.MethodPost, s.base+"/api/v1/slug-generator", s.key, `{"text":"x"}`)
	assert.Equal(t, http.StatusOK, status, "and nobody else is held up")
}
