package httpapi_test

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// drip sends parts of a body, each after a pause, until the server closes the
// connection, and returns the elapsed time and the bytes sent.
func drip(t *testing.T, path string, part int, pause time.Duration) (took time.Duration, sent int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o := options(t, store.NewMemory())
		o.Pages = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "0")
			w.WriteHeader(http.StatusRequestEntityTooLarge)
		})
		conn := pipe(t, o, 0)
		go func() {
			_, _ = conn.Write([]byte(head("POST", path, withKey, "Content-Length: 9000000000")))
		}()
		got := receive(t, bufio.NewReader(conn))
		assert.Equal(t, http.StatusRequestEntityTooLarge, got.status)
		assert.True(t, got.closes)
		start, text := time.Now(), []byte(strings.Repeat("x", part))
		for {
			time.Sleep(pause)
			n, err := conn.Write(text)
			sent += n
			if err != nil {
				took = time.Since(start)
				return
			}
		}
	})
	return took, sent
}

func TestLinger_endsWithAClientThatNeverStops(t *testing.T) {
	for _, path := range []string{"/api/v1/slug-generator", "/new"} {
		took, sent := drip(t, path, 1, time.Second)
		assert.InDelta(t, 30, took.Seconds(), 2, path)
		assert.Less(t, sent, 40, path)
	}
}

func TestLinger_endsWithAClientThatIsSilent(t *testing.T) {
	took, sent := drip(t, "/api/v1/slug-generator", 1, 6*time.Second)
	assert.InDelta(t, 6, took.Seconds(), 1, "5 seconds of silence are the bound")
	assert.Zero(t, sent)
}

func TestLinger_endsWithAClientThatSendsTooMuch(t *testing.T) {
	_, sent := drip(t, "/api/v1/slug-generator", 1<<20, time.Millisecond)
	assert.InDelta(t, 128, sent>>20, 2)
}

// slowStore takes longer to create a share than a client may pause in a body.
type slowStore struct{ store.Backend }

func (s slowStore) Create(ctx context.Context, key string, value []byte, expires time.Time) error {
	return s.CreateAll(ctx, store.Entry{Key: key, Value: value, Expires: expires})
}

func (s slowStore) CreateAll(ctx context.Context, entries ...store.Entry) error {
	time.Sleep(time.Minute)
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.Backend.CreateAll(ctx, entries...)
}

// The time that a client may take to send a body does not bound what is done
// with the body.
func TestBody_isReadLongBeforeTheResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var err error
		o := options(t, store.NewMemory())
		o.Shares, err = share.New(slowStore{store.NewMemory()}, share.Options{})
		require.NoError(t, err)
		conn := pipe(t, o, 0)
		go func() {
			_, _ = conn.Write([]byte(head("POST", "/logs", withKey, "Content-Type: text/plain", "Accept: application/json", "Content-Length: 4") + "INFO"))
		}()
		assert.Equal(t, http.StatusOK, receive(t, bufio.NewReader(conn)).status)
	})
}
