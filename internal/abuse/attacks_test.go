package abuse_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var write = flag.Bool("write", false, "replace the tables in docs/internals/security.md")

// Bounds that must hold during every attack.
const (
	attackTime   = 15 * time.Second
	recoveryTime = 30 * time.Second
	maxPeak      = 400 << 20
	backTo       = 150 << 20 // maximum memory after the recovery
	maxSlug      = 50 * time.Millisecond
	maxPicture   = time.Second
	maxSignIn    = 2 * time.Second
)

// attack is one way in which a caller attacks a server.
type attack struct {
	name  string
	count int // concurrent connections
	// prepare returns the request that each connection sends.
	prepare func(t *testing.T, k *serverProcess) request
	// by sends it, once or repeatedly for the duration of the attack.
	by func(ctx context.Context, k *serverProcess, r request)
	// others returns a request of others besides slugs, to be served within.
	others func(i int) request
	within time.Duration
}

// again sends a request and reads the response, repeatedly until ctx is done.
func again(ctx context.Context, k *serverProcess, r request) {
	for ctx.Err() == nil {
		if _, _, err := k.send(ctx, r); err != nil {
			return
		}
	}
}

// paced is again with pauses: 50 of them make 10,000 requests during the
// attack.
func paced(ctx context.Context, k *serverProcess, r request) {
	for ctx.Err() == nil {
		if _, _, err := k.send(ctx, r); err != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(70 * time.Millisecond):
		}
	}
}

// spread is again from an address of its own for each connection. It requests
// the paths, of which there may be several, in turn.
func spread(ctx context.Context, k *serverProcess, r request) {
	r.from = fmt.Sprintf("203.0.113.%d", spreading.Add(1)%250)
	paths := strings.Fields(r.path)
	for ctx.Err() == nil {
		r.path = paths[spreading.Add(1)%int64(len(paths))]
		if _, _, err := k.send(ctx, r); err != nil {
			return
		}
	}
}

var spreading atomic.Int64

// once sends a request and reads the response.
func once(ctx context.Context, k *serverProcess, r request) { _, _, _ = k.send(ctx, r) }

const jsonType = "application/json"

// post returns a request with the attacker's key.
func post(path string, fields map[string]any) request {
	body, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return request{method: http.MethodPost, path: path, key: attackerKey, contentType: jsonType, body: string(body)}
}

func fixed(r request) func(*testing.T, *serverProcess) request {
	return func(*testing.T, *serverProcess) request { return r }
}

// slugOf10MB returns a text whose slug has 59 MB: U+FDFA is 18 letters.
func slugOf10MB() request {
	const around = len(`{"text":""}`)
	return request{
		method: http.MethodPost, path: "/api/v1/slug-generator", key: attackerKey, contentType: jsonType,
		body: `{"text":"` + strings.Repeat("\uFDFA", (10<<20-around)/3) + `"}`,
	}
}

// longLog returns the longest log: lines with levels, addresses and colours.
func longLog() string {
	line := "2026-11-20T03:00:01Z \x1b[31mERROR\x1b[0m \U0001F525 GET /api/v1/items?id=1 <b>&amp; 10.0.0.1 took 12ms\n"
	return strings.Repeat(line, 500_000/len([]rune(line)))
}

// createShare creates a share and returns its id.
func createShare(t *testing.T, k *serverProcess, create request) string {
	t.Helper()
	status, body, err := k.send(t.Context(), create)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status, string(body))
	var made struct{ ID string }
	require.NoError(t, json.Unmarshal(body, &made))
	return made.ID
}

// picture returns a request for a large picture: 236 megapixels at scale 4.
func picture(background, scale string) request {
	code := strings.TrimSuffix(strings.Repeat(strings.Repeat("W", 74)+"\n", 32), "\n")
	r := post("/api/v1/code-screenshot?scale="+scale, map[string]any{"code": code, "language": "text", "fontSize": 72, "padding": 256, "background": background})
	r.accept = "image/png"
	return r
}

// largestPicture requests the most pixels, and steepPicture the most work:
// larger ones with such a background, which fills almost all of it, are refused.
func largestPicture() request { return picture("linear-gradient(#f00, #00f)", "4") }

func steepPicture() request {
	r := post("/api/v1/code-screenshot?scale=1&ratio=16:9", map[string]any{"code": strings.Repeat("W\n", 88), "language": "text", "background": steep})
	r.accept = "image/png"
	return r
}

var steep = "conic-gradient(in oklch longer hue, " + strings.TrimSuffix(strings.Repeat("#f00,#00f,", 50), ",") + ")"

// studioPicture is steepPicture as the studio requests it, without a key.
func studioPicture() request {
	var fields map[string]any
	if err := json.Unmarshal([]byte(steepPicture().body), &fields); err != nil {
		panic(err)
	}
	maps.Copy(fields, map[string]any{"theme": "dracula", "lineNumbers": true, "windowControls": true, "windowTitle": "", "borderRadius": 12, "shadow": true, "padding": 64, "fontSize": 14})
	r := post("/screenshot/picture?make=png&scale=1&ratio=16:9", fields)
	r.key, r.from, r.origin = "", "192.0.2.66", "http://kiln.test"
	return r
}

// quadratic returns code with many tokens of one class.
func quadratic() request {
	r := post("/screenshot/picture", map[string]any{
		"code": strings.Repeat(strings.Repeat("\U0001F525\U0001F9EF", 2_400)+"\n", 10), "language": "properties", "theme": "dracula", "background": "#000000",
		"padding": 0, "fontSize": 6, "lineNumbers": true, "windowControls": true, "windowTitle": "", "borderRadius": 0, "shadow": true,
	})
	r.key, r.from, r.origin = "", "192.0.2.66", "http://kiln.test"
	return r
}

func smallPicture(i int) request {
	return request{
		method: http.MethodPost, path: "/api/v1/code-screenshot", key: victimKey(i), accept: "image/png", contentType: jsonType,
		body: `{"code":"fmt.Println(42)","language":"go"}`,
	}
}

func signIn(password, from string) request {
	return request{
		method: http.MethodPost, path: "/dashboard/sign-in", from: from, origin: "http://kiln.test",
		contentType: "application/x-www-form-urlencoded", body: url.Values{"password": {password}}.Encode(),
	}
}

// attacks are all attacks.
var attacks = []attack{
	{name: "none: what the machine does by itself", others: smallPicture, within: maxPicture, prepare: fixed(request{})},
	{name: "2 slugs of 10 MiB that become 59 MB", count: 2, prepare: fixed(slugOf10MB()), by: once},
	{name: "20 slugs of 10 MiB, unread", count: 20, prepare: fixed(slugOf10MB()), by: leave},
	{name: "50 log bodies of 10 MB that trickle", count: 50, by: trickle, prepare: fixed(post("/api/v1/log-share", map[string]any{
		"content": strings.Repeat("x", 10<<20-200),
	}))},
	{name: "16 logs of 32 MiB, as text", count: 16, by: again, prepare: fixed(text(longLog(), 32<<20))},
	{
		name: "200 views of a 500,000-character log, unread, without a key", count: 200, by: leave,
		prepare: shared(post("/api/v1/log-share", map[string]any{"content": longLog()}), "/logs/{id}"),
	},
	{name: "64 largest pictures, unread", count: 64, prepare: fixed(largestPicture()), by: leave},
	{
		name: "16 steep gradients of 100 stops at 236 Mpx, refused", count: 16, prepare: fixed(picture(steep, "4")), by: again,
		others: smallPicture, within: maxPicture,
	},
	{
		name: "16 steep gradients of 100 stops at 8 Mpx", count: 16, prepare: fixed(steepPicture()), by: again,
		others: smallPicture, within: maxPicture,
	},
	{
		name: "6 such pictures of the studio, without a key", count: 6, by: again, others: smallPicture, within: maxPicture,
		prepare: fixed(studioPicture()),
	},
	{name: "16 pictures of 50,000 emoji in the studio, without a key", count: 16, prepare: fixed(quadratic()), by: again, others: smallPicture, within: maxPicture},
	{
		name: "200 connections that guess the password", count: 200, prepare: fixed(signIn("a wrong password of the dashboard", "")), by: guess,
		others: func(i int) request { return signIn(adminPassword, fmt.Sprintf("198.51.100.%d", i)) }, within: maxSignIn,
	},
	{name: "16 searches from as many addresses: 0.5 MB, 961 instructions", count: 16, prepare: searched("/(.?){240}x/"), by: spread, others: smallPicture, within: maxPicture},
	{name: "16 addresses that view 60 snippets of 99,000 characters with a slow lexer", count: 16, prepare: slowSnippets, by: spread, others: smallPicture, within: maxPicture},
	{name: "16 addresses that compare two logs of 500,000 characters", count: 16, by: spread, others: smallPicture, within: maxPicture, prepare: compared(func(i int) string { return fmt.Sprintf("ERROR %x of %x failed\n", i*7, i) })},
	{name: "16 searches for expressions too complex to compile", count: 16, prepare: searched("/(a?){1000}" + strings.Repeat("(a?){999}", 90) + "/"), by: spread, others: smallPicture, within: maxPicture},
	{name: "10,000 requests with wrong keys", count: 50, by: paced, prepare: fixed(request{
		method: http.MethodPost, path: "/api/v1/slug-generator", key: "a-key-that-nobody-has-made", contentType: jsonType, body: `{"text":"x"}`,
	})},
	{name: "bodies of 10 MB of [", count: 16, by: again, prepare: fixed(request{
		method: http.MethodPost, path: "/api/v1/gradient-generator", key: attackerKey, contentType: jsonType, body: strings.Repeat("[", 10<<20),
	})},
	{name: `bodies of 10 MB of "b":0`, count: 16, by: again, prepare: fixed(request{
		method: http.MethodPost, path: "/api/v1/gradient-generator", key: attackerKey, contentType: jsonType, body: `{"a":0` + strings.Repeat(`,"b":0`, 10<<20/6-2) + `}`,
	})},
	{name: "10,000 agents that begin a session", count: 50, by: paced, prepare: fixed(agent(`"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`))},
	{name: "16 tools of agents with 10 MB of a log", count: 16, by: again, prepare: fixed(agent(`"tools/call","params":{"name":"summarize_log","arguments":{"text":"` + strings.Repeat(`E word\n`, 10<<20/8-100) + `"}}`))},
	{name: "200 requests of agents that trickle", count: 200, by: trickle, prepare: fixed(agent(`"tools/call","params":{"name":"summarize_log","arguments":{"text":"` + strings.Repeat("x", 200_000) + `"}}`))},
	{name: "2,000 headers that do not end", count: 2000, by: trickle, prepare: fixed(request{
		method: http.MethodGet, path: "/", accept: strings.Repeat("x", 8192),
	})},
}

// agent calls a method at /mcp, with its parameters.
func agent(call string) request {
	return request{method: http.MethodPost, path: "/mcp", key: attackerKey, accept: "application/json, text/event-stream", contentType: jsonType, body: `{"jsonrpc":"2.0","id":1,"method":` + call + `}`}
}

// searched requests a search in a log whose lines match only at their ends.
func searched(query string) func(*testing.T, *serverProcess) request {
	log := post("/api/v1/log-share", map[string]any{"content": strings.Repeat(strings.Repeat("a", 50_000)+"\n", 9)})
	return shared(log, "/logs/{id}?q="+url.QueryEscape(query))
}

// slowSnippets requests the pages of many snippets, so that none is cached.
func slowSnippets(t *testing.T, k *serverProcess) request {
	paths := make([]string, 60)
	for i := range paths {
		paths[i] = "/snippets/" + createShare(t, k, post("/api/v1/code-snippet-share", map[string]any{"code": strings.Repeat("<a ", 33_000), "language": "igor"}))
	}
	return get(strings.Join(paths, " "), "text/html")
}

// guess tries a password from addresses in many networks.
func guess(ctx context.Context, k *serverProcess, r request) {
	for i := 0; ctx.Err() == nil; i++ {
		r.from = fmt.Sprintf("2001:db8:%x:%x::1", i%7, time.Now().UnixNano()%65536)
		if _, _, err := k.send(ctx, r); err != nil {
			return
		}
	}
}

// felt is the effect of an attack on others.
type impact struct {
	mu    sync.Mutex
	took  []time.Duration
	wrong []string
}

// ask sends requests one after another and records how long each takes.
func (f *impact) ask(ctx context.Context, k *serverProcess, pause time.Duration, next func(i int) request) {
	for i := 0; ctx.Err() == nil; i++ {
		begin := time.Now()
		status, body, err := k.send(ctx, next(i))
		if ctx.Err() != nil {
			return
		}
		f.mu.Lock()
		f.took = append(f.took, time.Since(begin))
		if err != nil || status >= http.StatusBadRequest {
			f.wrong = append(f.wrong, fmt.Sprint(status, " ", err, " ", string(body[:min(len(body), 200)])))
		}
		f.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

func (f *impact) p99() time.Duration {
	if len(f.took) == 0 {
		return 0
	}
	slices.Sort(f.took)
	return f.took[len(f.took)*99/100]
}

func slugOfVictim(i int) request {
	return request{
		method: http.MethodPost, path: "/api/v1/slug-generator", key: victimKey(i), contentType: jsonType, body: `{"text":"Crème brûlée"}`,
	}
}

// TestAttacks_othersFeelLittle runs every attack against a new server.
func TestAttacks_othersFeelLittle(t *testing.T) {
	if os.Getenv("DEVKILN_ABUSE") != "1" {
		t.Skip("it takes minutes and the whole machine; DEVKILN_ABUSE=1 runs it")
	}
	table := []string{"| attack | peak RSS | after 30 s | another key's slug, p99 | another's picture or sign-in |", "|---|---|---|---|---|"}
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) { table = append(table, a.run(t)) })
	}
	replaceTable(t, "attacks", table)
}

// run attacks a new server, and returns the row of the table.
func (a attack) run(t *testing.T) string {
	k := start(t)
	r := a.prepare(t, k)
	k.resetPeak(t)
	// Without a deadline, which a dialer would report just before the end.
	ctx, cancel := context.WithCancel(t.Context())
	defer time.AfterFunc(attackTime, cancel).Stop()
	defer cancel()
	var slugs, others impact
	var wg sync.WaitGroup
	wg.Go(func() { slugs.ask(ctx, k, 20*time.Millisecond, slugOfVictim) })
	if a.others != nil {
		wg.Go(func() { others.ask(ctx, k, 250*time.Millisecond, a.others) })
	}
	for range a.count {
		wg.Go(func() { a.by(ctx, k, r) })
	}
	wg.Wait()
	peak := k.memory("VmHWM")
	assert.False(t, k.killed.Load(), "it took more than its container has")
	if !assert.True(t, k.alive(), "the server is gone") {
		return fmt.Sprintf("| %s | killed | | | |", a.name)
	}
	assert.LessOrEqual(t, peak>>20, int64(maxPeak>>20), "peak RSS in MiB")
	assert.Empty(t, slugs.wrong[:min(3, len(slugs.wrong))], "requests of others")
	assert.NotEmpty(t, slugs.took)
	assert.LessOrEqual(t, slugs.p99(), maxSlug, "p99 of %d slugs", len(slugs.took))
	shown := ""
	if a.others != nil {
		assert.NotEmpty(t, others.took)
		assert.Empty(t, others.wrong[:min(3, len(others.wrong))])
		assert.LessOrEqual(t, others.p99(), a.within, "p99 of %d", len(others.took))
		shown = "none came through"
		if len(others.took) > 0 {
			shown = others.p99().Round(time.Millisecond).String()
		}
	}
	after := k.settle(t.Context())
	assert.LessOrEqual(t, after>>20, int64(backTo>>20), "RSS in MiB after %s", recoveryTime)
	return fmt.Sprintf("| %s | %d MB | %d MB | %.1f ms | %s |", a.name, peak/1e6, after/1e6, slugs.p99().Seconds()*1000, shown)
}

// settle waits until memory is released, and returns the server's memory.
func (k *serverProcess) settle(ctx context.Context) int64 {
	end := time.After(recoveryTime)
	for k.memory("VmRSS") > backTo {
		select {
		case <-ctx.Done():
			return k.memory("VmRSS")
		case <-end:
			return k.memory("VmRSS")
		case <-time.After(100 * time.Millisecond):
		}
	}
	return k.memory("VmRSS")
}

// replaceTable prints a table and, with -write, puts it into docs/internals/security.md.
func replaceTable(t *testing.T, name string, rows []string) {
	t.Helper()
	load, err := os.ReadFile("/proc/loadavg")
	require.NoError(t, err)
	oneMinute, _, _ := strings.Cut(string(load), " ")
	table := strings.Join(rows, "\n") + "\n\nLoad of the machine at the end, with the test's own: " + oneMinute + ".\n"
	t.Log("\n" + table)
	if !*write {
		return
	}
	const file = "../../docs/internals/security.md"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), "<!-- "+name+" -->\n")
	require.True(t, found)
	_, after, found := strings.Cut(rest, "<!-- end of "+name+" -->")
	require.True(t, found)
	text = []byte(before + "<!-- " + name + " -->\n" + table + "<!-- end of " + name + " -->" + after)
	require.NoError(t, os.WriteFile(file, text, 0o644))
}
