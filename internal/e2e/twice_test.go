package e2e_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

// A slowServer serves what another server does, but responds to the first POST
// to a path only after a second press, see [pressTwice].
type slowServer struct {
	*httptest.Server
	posts atomic.Int64 // to the path
}

func newSlowServer(t *testing.T, of *httptest.Server, path string) *slowServer {
	t.Helper()
	arrived, pressed := make(chan struct{}), make(chan struct{})
	release := sync.OnceFunc(func() { close(pressed) })
	s := &slowServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/arrived":
			<-arrived
			return
		case r.URL.Path == "/pressed":
			release()
			return
		case r.Method == http.MethodPost && r.URL.Path == path && s.posts.Add(1) == 1:
			close(arrived)
			<-pressed
		}
		of.Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	t.Cleanup(release)
	return s
}

// pressTwice presses a button, and again once the first request has arrived.
// What the second press sends, it sends before the server responds.
const pressTwice = `(selector) => {
	const button = document.querySelector(selector);
	(async () => {
		button.click();
		await fetch('/arrived');
		button.click();
		for (let i = 0; i < 4; i++) await fetch('/favicon.ico', { cache: 'no-store' });
		await fetch('/pressed');
	})();
}`

// A form that is sent twice by two presses arrives once: what can be read once
// is not lost, nothing is shared twice, and no key is made that nobody sees.
func TestForms_pressedTwice(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	t.Run("reading once", func(t *testing.T) {
		s := newService(t)
		path := s.log(t, sampleLog, share.LogOptions{Burn: true})
		slow := newSlowServer(t, s.Server, path+"/read")
		p := newTab(t, b, &service{Server: slow.Server}, view{width: 1440})
		p.open(t, path)
		eval[any](t, p, pressTwice, "[data-read] button")
		p.shows(t, "ERROR it broke")
		assert.EqualValues(t, 1, slow.posts.Load())
		p.clean(t)
	})
	t.Run("sharing", func(t *testing.T) {
		slow := newSlowServer(t, newService(t, public).Server, "/")
		p := newTab(t, b, &service{Server: slow.Server}, view{width: 1440})
		p.open(t, "/")
		p.paste(t, "#share-text", "INFO once")
		eval[any](t, p, pressTwice, ".sharing .first")
		p.shows(t, "Anyone with this link can read it")
		assert.EqualValues(t, 1, slow.posts.Load())
		p.clean(t)
	})
	t.Run("sharing, stopped", func(t *testing.T) {
		slow := newSlowServer(t, newService(t, public).Server, "/")
		p := newTab(t, b, &service{Server: slow.Server}, view{width: 1440})
		p.open(t, "/")
		p.paste(t, "#share-text", "INFO at the second try")
		eval[any](t, p, strings.Replace(pressTwice, "await fetch('/arrived');", "await fetch('/arrived'); stop();", 1), ".sharing .first")
		p.shows(t, "Anyone with this link can read it")
		assert.EqualValues(t, 2, slow.posts.Load())
	})
	t.Run("making a key", func(t *testing.T) {
		d := newDesk(t)
		slow := newSlowServer(t, d.Server, "/dashboard/keys")
		p := openDesk(t, b, slow.URL, deskLook{"wide", 1440, false, false})
		p.signIn(t)
		p.open(t, "/dashboard/keys")
		p.fillIn(t, "[name=name]", "laptop")
		deskCall[any](t, p, pressTwice, ".make .first")
		require.Eventually(t, func() bool {
			made, err := e2e.Call[bool](p.Browser, `() => document.querySelector('#fresh') !== null`)
			return err == nil && made
		}, time.Minute, 20*time.Millisecond)
		keys, err := d.keys.List(t.Context())
		require.NoError(t, err)
		assert.Len(t, keys, 1)
		p.clean(t)
	})
}
