package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
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
	takes *time.Duration
}

func (s slowly) Size(ctx context.Context) (int64, error) {
	<-time.After(*s.takes)
	return s.Memory.Size(ctx)
}

// Holdings are measured at once, then every minute, and less often the longer
// that takes.
func TestHoldingsAreMeasuredNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		takes := time.Duration(0)
		backend := slowly{store.NewMemory(), &takes}
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
		takes = 3 * time.Second
		shows(`devkiln_shares{kind="log"} 1`, 4*time.Second)
		another()
		shows(`devkiln_shares{kind="log"} 1`, 290*time.Second)
		shows(`devkiln_shares{kind="log"} 2`, 20*time.Second)
		stop()
		<-ended
	})
}
