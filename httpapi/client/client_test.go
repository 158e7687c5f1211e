package client_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/httpapi/server"
	"github.com/devkiln/devkiln/internal/contract"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/store"
)

// wire passes requests to a handler in this process, so that a synctest bubble
// can contain both sides, and records when each arrived.
type wire struct {
	handler http.Handler
	came    []time.Time
}

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.came = append(w.came, time.Now())
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, r)
	return recorder.Result(), nil
}

// dial returns a client for a handler.
func dial(t *testing.T, handler http.Handler, key string, o client.Options) (*client.Client, *wire) {
	t.Helper()
	w := &wire{handler: handler}
	o.HTTP = &http.Client{Transport: w}
	c, err := client.New("http://kiln.test/", key, o)
	require.NoError(t, err)
	return c, w
}

func TestClient_everyOperation(t *testing.T) {
	p := contract.Start(t, contract.Server{})
	c, _ := dial(t, p.Handler, p.Keys["alice"], client.Options{})
	ctx := t.Context()

	g, err := c.Gradient(ctx, client.GradientRequest{Colors: []string{"#FF0000", "#0000ff"}, Angle: new(0.0), Positions: []float64{0, 50}})
	require.NoError(t, err)
	assert.Equal(t, "linear-gradient(0deg, #ff0000 0%, #0000ff 50%)", g.CSS)
	assert.Equal(t, []string{"#ff0000", "#0000ff"}, g.Colors)

	slug, err := c.Slug(ctx, client.SlugRequest{Text: "Über uns", Separator: new("_"), Lowercase: new(false)})
	require.NoError(t, err)
	assert.Equal(t, "Uber_uns", slug)

	made, err := c.ShareLog(ctx, client.LogRequest{Content: "ERROR\r\n", Title: "t", Expiry: "never", Stats: json.RawMessage(`{"a":1}`)})
	require.NoError(t, err)
	assert.Nil(t, made.ExpiresAt)
	assert.Equal(t, "http://kiln.test/logs/"+made.ID, c.Link(made.URL))
	log, err := c.Log(ctx, made.ID)
	require.NoError(t, err)
	assert.Equal(t, client.Log{SharedLog: made, Content: "ERROR\r\n", Title: "t", Format: "text", Stats: client.Stats{Raw: json.RawMessage(`{"a":1}`)}}, log)
	deleted, err := c.DeleteShares(ctx, made.URL)
	require.NoError(t, err)
	assert.Equal(t, []bool{true}, deleted)
	counted, err := c.ShareLog(ctx, client.LogRequest{Content: "2026-11-24T10:00:00Z ERROR disk\n"})
	require.NoError(t, err)
	computed, err := c.Log(ctx, counted.ID)
	require.NoError(t, err)
	assert.Equal(t, 1, computed.Stats.Errors)
	assert.Equal(t, time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC), *computed.Stats.LastTimestamp)
	text, err := json.Marshal(computed.Stats)
	require.NoError(t, err)
	assert.Equal(t, string(computed.Stats.Raw), string(text))
	_, err = c.Log(ctx, made.ID)
	assert.Equal(t, "not_found", refused(t, err).Code)

	var summary logs.Summary
	require.NoError(t, c.AnalyzeLog(ctx, "INFO up\nERROR disk 7 is full\n", &summary))
	assert.Equal(t, logs.Summarize("INFO up\nERROR disk 7 is full\n", logs.Options{}).Groups, summary.Groups)
	err = c.AnalyzeLog(ctx, "", &summary)
	assert.Equal(t, http.StatusBadRequest, refused(t, err).Status)

	snippet, err := c.ShareSnippet(ctx, client.SnippetRequest{Code: "print(42)", Language: "Python", Title: "t"})
	require.NoError(t, err)
	assert.Equal(t, "python", snippet.Language)
	assert.Equal(t, c.Link(snippet.URL), snippet.FullURL)
	found, err := c.Snippet(ctx, snippet.ID)
	require.NoError(t, err)
	assert.Equal(t, client.Snippet{SharedSnippet: snippet, Code: "print(42)", Title: "t"}, found)
	shot, err := c.Screenshot(ctx, client.ScreenshotRequest{Code: "a", Padding: new(0.0), Shadow: new(false), Theme: "ocean"})
	require.NoError(t, err)
	assert.Equal(t, client.ScreenshotRequest{
		Code: "a", Language: "text", Theme: "ocean", Background: "linear-gradient(135deg, #667eea 0%, #764ba2 100%)", Padding: new(0.0),
		FontSize: new(14.0), LineNumbers: new(true), WindowControls: new(true), BorderRadius: new(12.0), Shadow: new(false),
	}, shot.Config)
	assert.True(t, strings.HasPrefix(shot.WebURL, "http://kiln.test/screenshot#"))
	png, err := c.PNG(ctx, client.ScreenshotRequest{Code: "a"}, 1)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(png), "\x89PNG"))
	webp, err := c.WebP(ctx, client.ScreenshotRequest{Code: "a", Language: "text"}, 1)
	require.NoError(t, err)
	assert.Equal(t, "RIFF", string(webp[:4]))
	svg, err := c.SVG(ctx, client.ScreenshotRequest{Code: "a", Language: "text"}) // a lexer starts a clock, which would outlive the bubble
	require.NoError(t, err)
	assert.Contains(t, string(svg), "<svg")
	_, err = c.PNG(ctx, client.ScreenshotRequest{Code: "a"}, 9)
	assert.Equal(t, []client.FieldError{{Field: "scale", Code: "out_of_range", Message: "must be 1 to 4"}}, refused(t, err).Fields)
}

func TestClient_readOnce(t *testing.T) {
	p := contract.Start(t, contract.Server{})
	c, _ := dial(t, p.Handler, p.Keys["alice"], client.Options{})
	ctx := t.Context()

	log, err := c.ShareLog(ctx, client.LogRequest{Content: "up", Burn: true})
	require.NoError(t, err)
	_, err = c.Log(ctx, log.ID)
	assert.Equal(t, "read_once", refused(t, err).Code)
	taken, err := c.TakeLog(ctx, log.ID)
	require.NoError(t, err)
	assert.Equal(t, "up", taken.Content)
	_, err = c.TakeLog(ctx, log.ID)
	assert.Equal(t, http.StatusNotFound, refused(t, err).Status)

	snippet, err := c.ShareSnippet(ctx, client.SnippetRequest{Code: "1", Language: "text", Burn: true})
	require.NoError(t, err)
	code, err := c.TakeSnippet(ctx, snippet.ID)
	require.NoError(t, err)
	assert.Equal(t, "1", code.Code)
	_, err = c.TakeSnippet(ctx, snippet.ID)
	assert.Equal(t, http.StatusNotFound, refused(t, err).Status)
}

func TestClient_Shares_pageByPage(t *testing.T) {
	p := contract.Start(t, contract.Server{})
	c, _ := dial(t, p.Handler, p.Keys["alice"], client.Options{})
	var urls []string
	for range 3 {
		made, err := c.ShareLog(t.Context(), client.LogRequest{Content: "up", Title: "Build"})
		require.NoError(t, err)
		urls = append(urls, made.URL)
	}
	var listed []string
	for query := (client.SharesQuery{Kind: "log", Text: "build", Limit: 2}); ; {
		page, err := c.Shares(t.Context(), query)
		require.NoError(t, err)
		for _, s := range page.Shares {
			listed = append(listed, s.URL)
		}
		if query.After = page.Next; query.After == "" {
			break
		}
	}
	require.ElementsMatch(t, urls, listed)
	deleted, err := c.DeleteShares(t.Context(), append(urls, "/logs/0000000000000000")...)
	require.NoError(t, err)
	require.Equal(t, []bool{true, true, true, false}, deleted)
	deleted, err = c.DeleteShares(t.Context(), slices.Repeat([]string{"/logs/0000000000000000"}, 201)...)
	require.NoError(t, err, "more than one request takes")
	require.Len(t, deleted, 201)
}

// A complete service includes the pages, of which Log reads one for a long log.
func TestClient_longLog(t *testing.T) {
	service, err := server.New(server.Options{Backend: store.NewMemory()})
	require.NoError(t, err)
	key, _, err := service.Bootstrap(t.Context())
	require.NoError(t, err)
	c, _ := dial(t, service, key, client.Options{})
	for _, long := range []string{strings.Repeat("é", 500_000), strings.Repeat("2026-11-22T10:00:00Z INFO up\n", 30_000)} {
		shared, err := c.ShareLog(t.Context(), client.LogRequest{Content: long, Title: "t", Expiry: "never"})
		require.NoError(t, err)
		assert.Nil(t, shared.ExpiresAt)
		log, err := c.Log(t.Context(), shared.ID)
		require.NoError(t, err)
		assert.Equal(t, shared, log.SharedLog)
		assert.True(t, log.Content == long)
	}
}

// A proxy may state the time of the next try as a date.
func TestClient_retryAfterADate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var came []time.Duration
		begin := time.Now()
		c, _ := dial(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			came = append(came, time.Since(begin))
			w.Header().Set("Retry-After", begin.Add(30*time.Second).UTC().Format(http.TimeFormat))
			w.WriteHeader(http.StatusServiceUnavailable)
		}), "key", client.Options{})
		_, err := c.Slug(t.Context(), client.SlugRequest{Text: "a"})
		assert.Equal(t, http.StatusServiceUnavailable, refused(t, err).Status)
		assert.Equal(t, []time.Duration{0, 30 * time.Second, 31 * time.Second, 32 * time.Second}, came, "a date in the past asks for no wait")
	})
}

func TestClient_badCertificate(t *testing.T) {
	var connections atomic.Int32
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	c, err := client.New(s.URL, "a-key", client.Options{HTTP: &http.Client{Transport: &http.Transport{}}})
	require.NoError(t, err)
	_, err = c.Slug(t.Context(), client.SlugRequest{Text: "a"})
	_, bad := errors.AsType[*tls.CertificateVerificationError](err)
	require.True(t, bad, "%v", err)
	require.EqualValues(t, 1, connections.Load(), "another try does not help")
}

func TestClient_limits(t *testing.T) {
	p := contract.Start(t, contract.Server{PerDay: new(0)})
	c, _ := dial(t, p.Handler, p.Keys["alice"], client.Options{})
	limits, err := c.Limits(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 100, limits.Rates.Minute)
	assert.Zero(t, limits.Rates.Day)
	assert.Equal(t, client.Extent{Min: 2, Max: 10}, limits.Gradient.Colors)
	assert.Equal(t, []string{"1h", "24h", "7d", "30d", "never"}, limits.Snippet.Expiries)
	assert.Equal(t, client.Extent{Min: 6, Max: 72}, limits.Screenshot.FontSize)
}

func refused(t *testing.T, err error) *client.Error {
	t.Helper()
	e, ok := errors.AsType[*client.Error](err)
	require.True(t, ok, "%v", err)
	return e
}

func TestError_everyField(t *testing.T) {
	p := contract.Start(t, contract.Server{})
	c, _ := dial(t, p.Handler, p.Keys["alice"], client.Options{})
	_, err := c.Gradient(t.Context(), client.GradientRequest{Colors: []string{"red", "#0000ff"}, Type: "conic"})
	e := refused(t, err)
	assert.Equal(t, http.StatusBadRequest, e.Status)
	assert.Equal(t, "validation_failed", e.Code)
	assert.Len(t, e.Fields, 2)
	assert.NotEmpty(t, e.RequestID)
	assert.Contains(t, err.Error(), e.Message)
	assert.Contains(t, err.Error(), e.RequestID)

	stranger, w := dial(t, p.Handler, p.Keys["revoked"], client.Options{})
	_, err = stranger.Slug(t.Context(), client.SlugRequest{Text: "a"})
	assert.Equal(t, "invalid_api_key", refused(t, err).Code)
	assert.Len(t, w.came, 1, "that does not pass by itself")
}

// The real limiter responds with 429, and the client waits exactly as long as
// that requires.
func TestClient_retriesAfterTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := contract.Start(t, contract.Server{PerMinute: new(1)})
		var retries []client.Retry
		c, w := dial(t, p.Handler, p.Keys["alice"], client.Options{OnRetry: func(r client.Retry) { retries = append(retries, r) }})
		for range 2 {
			slug, err := c.Slug(t.Context(), client.SlugRequest{Text: "a b"})
			require.NoError(t, err)
			assert.Equal(t, "a-b", slug)
		}
		require.Len(t, w.came, 3)
		assert.Equal(t, time.Minute, w.came[2].Sub(w.came[1]))
		require.Len(t, retries, 1, "the wait is announced")
		assert.Equal(t, "rate_limited", refused(t, retries[0].Err).Code)
		retries[0].Err = nil
		assert.Equal(t, client.Retry{Try: 2, Wait: time.Minute}, retries[0])
	})
}

func TestClient_waitIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		server  contract.Server
		options client.Options
		tries   int
		took    time.Duration
		code    string
	}{
		"a service that stays away":  {contract.Server{Broken: "store"}, client.Options{}, 4, 15 * time.Second, "unavailable"},
		"fewer tries":                {contract.Server{Broken: "store"}, client.Options{Tries: 2}, 2, 5 * time.Second, "unavailable"},
		"no second try":              {contract.Server{Broken: "store"}, client.Options{Tries: 1}, 1, 0, "unavailable"},
		"a wait that is too long":    {contract.Server{Broken: "store"}, client.Options{LongestWait: 4 * time.Second}, 1, 0, "unavailable"},
		"a fault inside is not sent": {contract.Server{Broken: "unforeseen"}, client.Options{}, 1, 0, "internal"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := contract.Start(t, c.server)
				api, w := dial(t, p.Handler, p.Keys["alice"], c.options)
				start := time.Now()
				_, err := api.ShareLog(t.Context(), client.LogRequest{Content: "a"})
				assert.Equal(t, c.code, refused(t, err).Code)
				assert.Len(t, w.came, c.tries)
				assert.Equal(t, c.took, time.Since(start))
			})
		})
	}
}

// gateway answers the first requests with status, like a proxy whose server is
// down, and then passes requests on.
func gateway(status, first int, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if first--; first >= 0 {
			http.Error(w, http.StatusText(status), status)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func TestClient_retriesAfterAGatewayWhereNothingIsDoneTwice(t *testing.T) {
	for name, c := range map[string]struct {
		call  func(context.Context, *client.Client) error
		again bool
	}{
		"slug": {func(ctx context.Context, c *client.Client) error {
			_, err := c.Slug(ctx, client.SlugRequest{Text: "a"})
			return err
		}, true},
		"gradient": {func(ctx context.Context, c *client.Client) error {
			_, err := c.Gradient(ctx, client.GradientRequest{Colors: []string{"#ff0000", "#0000ff"}})
			return err
		}, true},
		"share": {func(ctx context.Context, c *client.Client) error {
			_, err := c.ShareLog(ctx, client.LogRequest{Content: "a"})
			return err
		}, true},
		"snippet": {func(ctx context.Context, c *client.Client) error {
			_, err := c.ShareSnippet(ctx, client.SnippetRequest{Code: "a"})
			return err
		}, true},
		"removals": {func(ctx context.Context, c *client.Client) error {
			_, err := c.DeleteShares(ctx, "/logs/0123456789abcdef")
			return err
		}, false},
	} {
		for _, status := range []int{http.StatusBadGateway, http.StatusGatewayTimeout} {
			synctest.Test(t, func(t *testing.T) {
				p := contract.Start(t, contract.Server{})
				api, w := dial(t, gateway(status, 2, p.Handler), p.Keys["alice"], client.Options{})
				err := c.call(t.Context(), api)
				if c.again {
					require.NoError(t, err, name)
					assert.Len(t, w.came, 3, name)
					return
				}
				assert.Equal(t, status, refused(t, err).Status, name)
				assert.Len(t, w.came, 1, name)
			})
		}
	}
}

// breaking is a transport whose connections break before or after it serves the
// first requests.
type breaking struct {
	before, after int
	next          http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (b *breaking) RoundTrip(request *http.Request) (*http.Response, error) {
	if b.before--; b.before >= 0 {
		return nil, &net.OpError{Op: "write", Net: "tcp", Err: syscall.EPIPE}
	}
	response, err := b.next.RoundTrip(request)
	if b.after--; b.after >= 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return response, err
}

func TestClient_brokenConnectionsMakeNothingTwice(t *testing.T) {
	for name, transport := range map[string]breaking{"before": {before: 2}, "after": {after: 2}, "both": {before: 1, after: 2}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := contract.Start(t, contract.Server{})
				served := &wire{handler: p.Handler}
				transport.next = served
				api, err := client.New("http://kiln.test", p.Keys["alice"], client.Options{HTTP: &http.Client{Transport: &transport}})
				require.NoError(t, err)
				first, err := api.ShareLog(t.Context(), client.LogRequest{Content: "a", IdempotencyKey: `a "b" \\ c`})
				require.NoError(t, err)
				again, err := api.ShareLog(t.Context(), client.LogRequest{Content: "a", IdempotencyKey: `a "b" \\ c`})
				require.NoError(t, err)
				assert.Equal(t, first, again, "one log was made")
				other, err := api.ShareLog(t.Context(), client.LogRequest{Content: "a"})
				require.NoError(t, err)
				assert.NotEqual(t, first.ID, other.ID, "another call has another key")

				transport.after = 1
				_, err = api.DeleteShares(t.Context(), first.URL)
				require.ErrorIs(t, err, io.ErrUnexpectedEOF, "again it would say that nothing was deleted")
			})
		})
	}
}

func TestClient_waitsForARequestInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := contract.Start(t, contract.Server{})
		tries := 0
		busy := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if tries++; tries > 1 {
				p.Handler.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Retry-After", "3")
			w.WriteHeader(http.StatusConflict)
			_, _ = io.WriteString(w, `{"success":false,"error":{"code":"request_in_flight","message":"m"}}`)
		})
		api, w := dial(t, busy, p.Keys["alice"], client.Options{})
		_, err := api.ShareSnippet(t.Context(), client.SnippetRequest{Code: "a", Language: "text"})
		require.NoError(t, err)
		require.Len(t, w.came, 2)
		assert.Equal(t, 3*time.Second, w.came[1].Sub(w.came[0]))
	})
}

// refusing is a transport to an address on which nothing listens at first.
type refusing struct {
	times int
	next  http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (r *refusing) RoundTrip(request *http.Request) (*http.Response, error) {
	if r.times--; r.times >= 0 {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	return r.next.RoundTrip(request)
}

func TestClient_retriesRefusedConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := contract.Start(t, contract.Server{})
		w := &wire{handler: p.Handler}
		api, err := client.New("http://kiln.test", p.Keys["alice"], client.Options{HTTP: &http.Client{Transport: &refusing{2, w}}})
		require.NoError(t, err)
		_, err = api.ShareLog(t.Context(), client.LogRequest{Content: "a"})
		require.NoError(t, err, "nothing was sent, so nothing is created twice")
		assert.Len(t, w.came, 1)
	})
}

func TestClient_cancelledWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := contract.Start(t, contract.Server{Broken: "store"})
		c, w := dial(t, p.Handler, p.Keys["alice"], client.Options{})
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		_, err := c.ShareLog(ctx, client.LogRequest{Content: "a"})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, "unavailable", refused(t, err).Code, "and tells what it waited for")
		assert.Len(t, w.came, 1)
	})
}

func TestError_ofAnotherServer(t *testing.T) {
	for body, want := range map[string]string{
		"<html>": "not a Devkiln server",
		"":       "not a Devkiln server",
	} {
		c, _ := dial(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(body))
		}), "key", client.Options{})
		_, err := c.Slug(t.Context(), client.SlugRequest{Text: "a"})
		assert.ErrorContains(t, err, want)
	}
	c, w := dial(t, http.NotFoundHandler(), "key", client.Options{})
	_, err := c.Slug(t.Context(), client.SlugRequest{Text: "a"})
	assert.Equal(t, &client.Error{Status: http.StatusNotFound, Message: "the server refused without a reason"}, refused(t, err))
	assert.Len(t, w.came, 1)

	c, _ = dial(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-Id", "a")
		http.Error(w, "There is no page here; it has moved.", http.StatusNotFound)
	}), "key", client.Options{})
	_, err = c.ShareLog(t.Context(), client.LogRequest{Content: "a", FitEnds: true})
	assert.Equal(t, "the server has no Devkiln at this path; check its URL", refused(t, err).Message)

	c, _ = dial(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"result": 1}`))
	}), "key", client.Options{})
	_, err = c.Slug(t.Context(), client.SlugRequest{Text: "a"})
	assert.ErrorContains(t, err, "does not match the API")
}

func TestNew_refusesWhatIsNoServer(t *testing.T) {
	for _, bad := range []string{"", "kiln.example", "ftp://kiln.example", "http://", "http://kiln.example?a", "http://kiln.example#a", "http://%"} {
		_, err := client.New(bad, "key", client.Options{})
		assert.ErrorContains(t, err, "must be http:// or https://", bad)
	}
	_, err := client.New("http://kiln.example", "", client.Options{})
	assert.ErrorContains(t, err, "the key must be printable ASCII")
	for _, bad := range []string{"of-a-file\r", "a b", "é"} {
		_, err := client.New("http://kiln.example", bad, client.Options{})
		assert.ErrorContains(t, err, "the key must be printable ASCII", "%q", bad)
	}
}

// A redirect is not followed, since the key would go with it.
func TestClient_redirect(t *testing.T) {
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusPermanentRedirect} {
		c, w := dial(t, http.RedirectHandler("https://kiln.example/x", status), "key", client.Options{})
		_, err := c.ShareLog(t.Context(), client.LogRequest{Content: "a"})
		assert.Equal(t, &client.Error{Status: status, Message: `the server redirects to "https://kiln.example/x"; call that server instead`}, refused(t, err))
		_, err = c.Log(t.Context(), "4gyvm6pt90hk4r7z")
		assert.Equal(t, status, refused(t, err).Status)
		assert.Len(t, w.came, 2)
	}
}

func TestClient_longLogRefused(t *testing.T) {
	p := contract.Start(t, contract.Server{})
	text := strings.Repeat("10:00:00 ERROR disk is full\n", 40_000)
	c, _ := dial(t, p.Handler, p.Keys["alice"], client.Options{})
	_, err := c.ShareLog(t.Context(), client.LogRequest{Content: text + "\xff", FitEnds: true})
	assert.Equal(t, fmt.Sprintf("the body is not valid UTF-8 (at byte %d)", len(text)), refused(t, err).Message)
	assert.Equal(t, "invalid_text", refused(t, err).Code)
	_, err = c.ShareLog(t.Context(), client.LogRequest{Content: text, Expiry: "2w", Format: "xml"})
	assert.Equal(t, "validation_failed", refused(t, err).Code)
	assert.Len(t, refused(t, err).Fields, 2)
	_, err = c.ShareLog(t.Context(), client.LogRequest{Content: text, Burn: true})
	assert.Equal(t, client.FieldError{Field: "content", Code: "too_long", Message: "has 1120000 characters, must have at most 500000"}, refused(t, err).Fields[0])
}

func TestClient_sendsALongLogAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := contract.Start(t, contract.Server{Broken: "store"})
		api, w := dial(t, p.Handler, p.Keys["alice"], client.Options{})
		_, err := api.ShareLog(t.Context(), client.LogRequest{Content: strings.Repeat("ERROR\n", 100_000)})
		assert.Equal(t, http.StatusServiceUnavailable, refused(t, err).Status)
		assert.Len(t, w.came, 4)
	})
}

// A server that uses TLS says so to a client that does not.
func TestClient_withoutTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	c, err := client.New("http"+strings.TrimPrefix(server.URL, "https"), "key", client.Options{})
	require.NoError(t, err)
	_, err = c.Limits(t.Context())
	assert.Equal(t, &client.Error{Status: http.StatusBadRequest, Message: "the server uses TLS: write https:// instead of http://"}, refused(t, err))
}

// broken fails every request.
type broken struct{ err error }

// RoundTrip implements http.RoundTripper.
func (b broken) RoundTrip(*http.Request) (*http.Response, error) { return nil, b.err }

func TestClient_errorsOfTheConnection(t *testing.T) {
	for want, err := range map[string]error{
		"https://kiln.example: certificate is valid for other.example, not kiln.example: call it by a name": &tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"other.example"}}, Host: "kiln.example"}},
		"https://kiln.example has a certificate that has expired or is not yet valid":                       &tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Reason: x509.Expired}},
		"https://kiln.example has a certificate that this machine does not trust":                           &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}},
		"https://kiln.example: no such host: check the name":                                                &net.OpError{Op: "dial", Err: &net.DNSError{IsNotFound: true}},
	} {
		c, bad := client.New("https://kiln.example/tools", "key", client.Options{HTTP: &http.Client{Transport: broken{err}}, Tries: 1})
		require.NoError(t, bad)
		_, got := c.Limits(t.Context())
		require.ErrorContains(t, got, want)
		assert.Equal(t, "https://kiln.example/tools", c.PublicURL(t.Context()), "what cannot be asked")
	}
}

// A client asks once for the public URL, and takes links below it as its own.
func TestClient_PublicURL(t *testing.T) {
	c, w := dial(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"baseUrl":"https://kiln.example/tools/"}`)
	}), "key", client.Options{})
	assert.True(t, c.Owns(t.Context(), "http://kiln.test/logs/4gyvm6pt90hk4r7z"))
	assert.Empty(t, w.came)
	assert.True(t, c.Owns(t.Context(), "https://kiln.example/tools/logs/4gyvm6pt90hk4r7z"))
	assert.False(t, c.Owns(t.Context(), "https://other.example/tools/logs/4gyvm6pt90hk4r7z"))
	assert.Equal(t, "https://kiln.example/tools", c.PublicURL(t.Context()))
	assert.Len(t, w.came, 1)
}

func TestClient_Owns(t *testing.T) {
	c, err := client.New("https://kiln.example:8443/tools", "key", client.Options{HTTP: &http.Client{Transport: broken{io.EOF}}})
	require.NoError(t, err)
	for link, want := range map[string]bool{
		"https://kiln.example:8443/tools/logs/4gyvm6pt90hk4r7z": true, "//KILN.example:8443/logs/a": true, "kiln.example:8443/logs/a": true,
		"/logs/a": true, "logs/a#L3": true, "4gyvm6pt90hk4r7z": true, "a.log": true, "": true,
		"https://kiln.example/logs/a": false, "https://other.example/logs/a": false, "other.example/logs/a": false, "//other.example/logs/a": false, "localhost:1/logs/a?x=://": false, "https://a b/": false,
	} {
		assert.Equal(t, want, c.Owns(t.Context(), link), link)
	}
}

func TestClient_noConnection(t *testing.T) {
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	done := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-done }))
	defer silent.Close()
	defer close(done)
	for address, want := range map[string]string{
		"http://127.0.0.1:1":                             "http://127.0.0.1:1 refuses connections: check that the server runs and that this is its address",
		strings.Replace(plain.URL, "http:", "https:", 1): "does not use TLS: write http:// instead of https://",
		silent.URL:                      " accepts connections but has not responded in time",
		"http://nonesuch.invalid/tools": "http://nonesuch.invalid: no such host: check the name",
	} {
		c, err := client.New(address, "key", client.Options{Tries: 1, HTTP: &http.Client{Transport: &http.Transport{ResponseHeaderTimeout: 50 * time.Millisecond}}})
		require.NoError(t, err)
		_, err = c.Slug(t.Context(), client.SlugRequest{Text: "a"})
		require.ErrorContains(t, err, want)
		failed, ok := errors.AsType[net.Error](err)
		assert.Equal(t, want == " accepts connections but has not responded in time", ok && failed.Timeout(), "the error of the connection is still there")
	}
}
