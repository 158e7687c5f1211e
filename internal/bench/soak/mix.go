package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/devkiln/devkiln/internal/contract"
)

// kinds are the parts of the mix, in requests per 1,000.
var kinds = []struct {
	name  string
	share int
	send  func(*mix, context.Context) error
}{
	{"contract", 600, (*mix).playCase},
	{"page", 120, (*mix).page},
	{"create", 120, (*mix).createLog},
	{"read", 140, (*mix).readLog},
	{"picture", 15, (*mix).picture},
	{"large log", 5, (*mix).createLargeLog},
}

const recentLogs = 1000 // reads choose among this many of the last logs

var pages = []string{"/", "/gradient", "/slug", "/screenshot", "/docs", "/robots.txt"}

// mix sends requests to a server and records how long they take.
type mix struct {
	address string
	client  *http.Client
	proxy   http.Handler
	cases   []contract.Case

	mu     sync.Mutex
	logs   []string // paths of the pages of the last logs
	latest taken
}

// taken holds the durations of the requests of an interval by kind, and the
// number of failures.
type taken struct {
	durations map[string][]time.Duration
	failed    int
	failure   error // the last one
}

func newMix(ctx context.Context, address string) (*mix, error) {
	target, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{MaxIdleConnsPerHost: callers, MaxConnsPerHost: callers}
	m := &mix{address: address, client: &http.Client{Transport: transport}}
	m.proxy = &httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
	}, ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
		http.Error(w, err.Error(), http.StatusBadGateway)
	}}
	m.latest.durations = make(map[string][]time.Duration)
	return m, errors.Join(m.load(ctx), m.createLog(ctx))
}

// largestBody is the maximum uncompressed size of a request or response body in
// the mix, in bytes. internal/abuse measures larger ones: several of them at
// once from one key exceed what a server accepts.
const largestBody = 1 << 20

// load loads the cases of the contract that the running server passes: not
// those that depend on limits, other keys, other settings or the time.
func (m *mix) load(ctx context.Context) error {
	cases, err := contract.Load("../../httpapi/testdata/contract")
	if err != nil {
		return err
	}
	for _, c := range cases {
		if slices.ContainsFunc(c.Steps, func(s contract.Step) bool {
			return s.After > 0 || s.Times > 1 || len(s.Headers["Idempotency-Key"]) > 0
		}) {
			continue
		}
		var largest int64
		p := m.player()
		p.Observe = func(r *http.Request, sent []byte, _ *http.Response, got []byte) error {
			largest = max(largest, unpacked(r.Header.Get("Content-Encoding"), sent), int64(len(got)))
			return nil
		}
		if p.Play(ctx, c) == nil && largest <= largestBody {
			m.cases = append(m.cases, c)
		}
	}
	if len(m.cases) < len(cases)/3 {
		return fmt.Errorf("the server passes %d of %d cases of the contract", len(m.cases), len(cases))
	}
	return nil
}

func (m *mix) player() contract.Player {
	return contract.Player{Handler: m.proxy, Keys: map[string]string{"alice": key, "unknown": "kiln_unknown"}}
}

// unpacked returns the decompressed size of a body in bytes.
func unpacked(coding string, body []byte) int64 {
	var r io.Reader = bytes.NewReader(body)
	var err error
	switch strings.ToLower(coding) {
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(r)
	case "zstd":
		r, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
	}
	if err != nil {
		return 0
	}
	n, _ := io.Copy(io.Discard, r) // up to the damage, if any
	return n
}

// fillCaches shares and reads enough logs to fill the server's caches of logs
// and of their statistics, 4 and 1 MiB.
func (m *mix) fillCaches(ctx context.Context) error {
	for range 4 * recentLogs {
		if err := errors.Join(m.createLog(ctx), m.readLog(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// capacity returns how many requests of the mix per second the server handles
// when two callers for each kind send one after another.
func (m *mix) capacity(ctx context.Context, length time.Duration) float64 {
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	var sending sync.WaitGroup
	for range 2 * len(kinds) {
		sending.Go(func() {
			for ctx.Err() == nil {
				m.one(ctx, time.Now())
			}
		})
	}
	sending.Wait()
	served := 0
	for _, all := range m.take().durations {
		served += len(all)
	}
	return float64(served) / length.Seconds()
}

// send sends perSecond requests a second until ctx is done. The duration of a
// request includes its wait for a free caller.
func (m *mix) send(ctx context.Context, perSecond float64) {
	due := make(chan time.Time, callers)
	var sending sync.WaitGroup
	for range callers {
		sending.Go(func() {
			for at := range due {
				m.one(ctx, at)
			}
		})
	}
	next := time.Now()
	for ctx.Err() == nil {
		next = next.Add(time.Duration(rand.ExpFloat64() / perSecond * float64(time.Second)))
		select {
		case <-ctx.Done():
		case <-time.After(time.Until(next)):
			due <- next
		}
	}
	close(due)
	sending.Wait()
}

// one sends a request of a randomly chosen kind.
func (m *mix) one(ctx context.Context, due time.Time) {
	n := rand.IntN(1000)
	for _, k := range kinds {
		if n -= k.share; n >= 0 {
			continue
		}
		err := k.send(m, ctx)
		if ctx.Err() != nil {
			return
		}
		m.mu.Lock()
		m.latest.durations[k.name] = append(m.latest.durations[k.name], time.Since(due))
		if err != nil {
			m.latest.failed++
			m.latest.failure = fmt.Errorf("%s: %w", k.name, err)
		}
		m.mu.Unlock()
		return
	}
}

// take returns the durations recorded since the last call.
func (m *mix) take() taken {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.latest
	m.latest = taken{durations: make(map[string][]time.Duration)}
	return t
}

func (m *mix) playCase(ctx context.Context) error {
	c := m.cases[rand.IntN(len(m.cases))]
	p := m.player()
	if err := p.Play(ctx, c); err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	return nil
}

func (m *mix) page(ctx context.Context) error {
	_, err := m.do(ctx, http.MethodGet, pages[rand.IntN(len(pages))], "", nil)
	return err
}

func (m *mix) createLog(ctx context.Context) error      { return m.share(ctx, 10<<10) }
func (m *mix) createLargeLog(ctx context.Context) error { return m.share(ctx, 2<<20) }

func (m *mix) share(ctx context.Context, size int) error {
	var log strings.Builder
	for at := time.Now(); log.Len() < size; at = at.Add(time.Second) {
		fmt.Fprintf(&log, "%s %s worker %d took %d ms\n", at.Format(time.RFC3339), []string{"INFO", "INFO", "WARN", "ERROR"}[rand.IntN(4)], rand.IntN(99), rand.IntN(1000))
	}
	body, err := m.do(ctx, http.MethodPost, "/logs", "text/plain", []byte(log.String()))
	if err != nil {
		return err
	}
	link, err := url.Parse(strings.TrimSpace(string(body)))
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.logs) < recentLogs {
		m.logs = append(m.logs, link.Path)
	} else {
		m.logs[rand.IntN(recentLogs)] = link.Path
	}
	return nil
}

func (m *mix) readLog(ctx context.Context) error {
	m.mu.Lock()
	path := m.logs[rand.IntN(len(m.logs))]
	m.mu.Unlock()
	_, err := m.do(ctx, http.MethodGet, path+[]string{"", "/raw"}[rand.IntN(2)], "", nil)
	return err
}

func (m *mix) picture(ctx context.Context) error {
	body, err := json.Marshal(map[string]any{"code": strings.Repeat("func f(a, b int) int { return a*b + 1 }\n", 30), "language": "go"})
	if err != nil {
		return err
	}
	_, err = m.do(ctx, http.MethodPost, "/api/v1/code-screenshot", "application/json", body)
	return err
}

// do sends a request from one of many addresses, because each may request only
// so many pages a minute, and returns the body of a response with the status
// 200 or 201. If it sends JSON, it accepts a picture.
func (m *mix) do(ctx context.Context, method, path, contentType string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, m.address+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("X-API-Key", key)
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("10.0.%d.%d", rand.IntN(256), rand.IntN(256)))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	if contentType == "application/json" {
		r.Header.Set("Accept", "image/png")
	}
	response, err := m.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK && response.StatusCode != http.StatusCreated {
		err = fmt.Errorf("%s %s: %s: %.200s", method, path, response.Status, read)
	}
	return read, err
}
