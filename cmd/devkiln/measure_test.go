package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/metrics"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// slowly is a store that takes a while to tell its size.
type slowly struct {
	*store.Memory
	takes *atomic.Int64 // nanoseconds
}

func (s slowly) Size(ctx context.Context) (int64, error) {
	<-time.After(time.Duration(s.takes.Load()))
	return s.Memory.Size(ctx)
}

// Holdings are measured at once, then every minute, and less often the longer
// that takes.
func TestHoldingsAreMeasuredNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := slowly{store.NewMemory(), &atomic.Int64{}}
		m := metrics.New("v1")
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			count(ctx, slog.New(slog.DiscardHandler), backend, m)
		}()
		shows := func(line string, after time.Duration) {
			t.Helper()
			<-time.After(after)
			synctest.Wait()
			w := httptest.NewRecorder()
			m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
			assert.Contains(t, w.Body.String(), line+"\n")
		}
		another := func() {
			_, err := share.New(backend, share.Options{}).CreateLog(t.Context(), "x", share.LogOptions{Expiry: share.ExpiryNever})
			require.NoError(t, err)
		}
		shows(`devkiln_shares{kind="log"} 0`, time.Second)
		another()
		shows(`devkiln_shares{kind="log"} 0`, 58*time.Second)
		backend.takes.Store(int64(3 * time.Second))
		shows(`devkiln_shares{kind="log"} 1`, 4*time.Second)
		another()
		shows(`devkiln_shares{kind="log"} 1`, 290*time.Second)
		shows(`devkiln_shares{kind="log"} 2`, 20*time.Second)
		stop()
		<-ended
	})
}
