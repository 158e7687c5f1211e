package abuse_test

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Maximum cost of one request.
const (
	maxProcessor = 1200 * time.Millisecond
	maxMemory    = 150 << 20
)

// slower are the requests that may take longer, because they are processed in
// pieces, in turn with those of others.
var slower = map[string]time.Duration{"log of 32 MiB, as text": 2 * time.Second}

// cost is the worst known input for an operation or a page.
type cost struct {
	name    string
	prepare func(t *testing.T, k *serverProcess) request
}

func get(path, accept string) request {
	return request{method: http.MethodGet, path: path, accept: accept, from: "192.0.2.66"}
}

// shared creates a share with the attacker's key and requests a page of it.
func shared(create request, page string) func(*testing.T, *serverProcess) request {
	return func(t *testing.T, k *serverProcess) request {
		return get(strings.ReplaceAll(page, "{id}", createShare(t, k, create)), "text/html")
	}
}

var costs = []cost{
	{"gradient: 10 colours, radial", fixed(post("/api/v1/gradient-generator", map[string]any{
		"colors": strings.Split(strings.TrimSuffix(strings.Repeat("#ff7e5f,", 10), ","), ","), "type": "radial",
	}))},
	{"slug: 10 MiB of U+FDFA", fixed(slugOf10MB())},
	{"slug: 10 MiB of combining marks", fixed(request{
		method: http.MethodPost, path: "/api/v1/slug-generator", key: attackerKey, contentType: jsonType, body: `{"text":"` + strings.Repeat("\u0301", (10<<20-20)/2) + `"}`,
	})},
	{"log: 500,000 characters with levels and colours", fixed(post("/api/v1/log-share", map[string]any{"content": longLog()}))},
	{"log: 500,000 line ends", fixed(post("/api/v1/log-share", map[string]any{"content": strings.Repeat("\n", 500_000)}))},
	{"log: 500,000 brackets", fixed(post("/api/v1/log-share", map[string]any{"content": strings.Repeat("[{", 250_000)}))},
	{"snippet: 100,000 emoji, language detected", fixed(post("/api/v1/code-snippet-share", map[string]any{"code": strings.Repeat("\U0001F525\U0001F9EF", 50_000), "language": "auto"}))},
	{"picture: configuration of 50,000 characters", fixed(post("/api/v1/code-screenshot", map[string]any{"code": strings.Repeat("\U0001F525\U0001F9EF", 25_000), "language": "auto"}))},
	{"picture: PNG of 236 megapixels", fixed(largestPicture())},
	{"picture: PNG of 8 megapixels on a steep gradient of 100 stops", fixed(steepPicture())},
	{"studio: the same, without a key", fixed(studioPicture())},
	{"studio: SVG of 50,000 emoji, without a key", fixed(quadratic())},
	{"page of a log of 500,000 characters", shared(post("/api/v1/log-share", map[string]any{"content": longLog()}), "/logs/{id}")},
	{"page of a log of 500,000 line ends", shared(post("/api/v1/log-share", map[string]any{"content": strings.Repeat("\n", 500_000)}), "/logs/{id}")},
	{"page of a snippet of 100,000 emoji", shared(post("/api/v1/code-snippet-share", map[string]any{
		"code": strings.Repeat("\U0001F525\U0001F9EF", 50_000), "language": "properties",
	}), "/snippets/{id}")},
	{"page of a snippet of 99,000 characters with a slow lexer", shared(post("/api/v1/code-snippet-share", map[string]any{"code": strings.Repeat("<a ", 33_000), "language": "igor"}), "/snippets/{id}")},
	{"page of a snippet of 100,000 line ends", shared(post("/api/v1/code-snippet-share", map[string]any{"code": strings.Repeat("\n", 100_000), "language": "go"}), "/snippets/{id}")},
	{"analysis of 10 MiB of a log, not stored", fixed(analysis(longLog()))},
	{"analysis of 1,500,000 lines, not stored", fixed(analysis("E word\n"))},
	{"analysis of 200 tests that failed and 690,000 that passed in another run, not stored", fixed(analysis(rerun()))},
	{"log of 32 MiB, as text", fixed(text(longLog(), 32<<20))},
	{"log of 1,500,000 lines, as text", fixed(text("E word\n", 1_500_000*7))},
	{"page of a log of 32 MiB", shared(text(longLog(), 32<<20), "/logs/{id}")},
	{"page: search in a log of 32 MiB, without a key", shared(text(longLog(), 32<<20), "/logs/{id}?q=%2F%5Ba-z%5D%2Bx%2F")},
	{"page: search for an expression of 961 instructions, without a key", searched("/(.?){240}x/")},
	{"comparison of two logs of 500,000 characters", compared(func(i int) string { return fmt.Sprintf("ERROR %x of %x failed\n", i*7, i) })},
	{"comparison of two logs of 500,000 line ends", compared(func(int) string { return "\n" })},
	{"comparison of two logs of lines of 100,000 characters", compared(func(i int) string { return strings.Repeat(strconv.Itoa(i), 99_989) + "\n" })},
	{"comparison of two logs of 32 MiB, without a key", func(t *testing.T, k *serverProcess) request {
		first := createShare(t, k, text(longLog(), 32<<20))
		return get("/compare/"+first+"/"+createShare(t, k, text(longLog()+"ERROR 7 of 9\n", 32<<20)), "text/html")
	}},
	{"picture of the last lines of a log of 32 MiB, without a key", shared(text(longLog(), 32<<20), "/logs/{id}.png?lines=340000-340050")},
	{"picture of a snippet by its link, without a key", shared(post("/api/v1/code-snippet-share", map[string]any{
		"code": strings.Repeat("W\n", 5_000), "language": "text",
	}), "/snippets/{id}.png")},
	{"picture: 50,000 characters of a terminal", fixed(drawn("ansi", strings.Repeat("\x1b[31ma\x1b[0m\r", 4_500)))},
	{"picture: a patch of 50,000 characters", fixed(drawn("patch", patch()))},
	{"page of a snippet of Markdown that nests", shared(post("/api/v1/code-snippet-share", map[string]any{"code": strings.Repeat("> * [", 20_000), "language": "markdown"}), "/snippets/{id}?view=document")},
	{"picture: WebP of 1.6 megapixels", fixed(webP())},
	{"studio: a theme of 10,000 rules, without a key", fixed(themed())},
	{"gradient page: 16 KB of CSS", fixed(get("/gradient?css="+url.QueryEscape("linear-gradient("+strings.Repeat("color-mix(in lch,", 400)+"red,blue"+strings.Repeat("),red", 399)+"),blue)"), "text/html"))},
	{"gradient page", fixed(get("/gradient", "text/html"))},
	{"slug page: 16 KB of U+FDFA", fixed(get("/slug?text="+strings.Repeat("%EF%B7%BA", 1800), "text/html"))},
	{"studio", fixed(get("/screenshot", "text/html"))},
	{"API reference", fixed(get("/docs", "text/html"))},
	{"OpenAPI document", fixed(get("/openapi.json", "application/json"))},
	{"sign-in", fixed(signIn("a wrong password of the dashboard", "192.0.2.66"))},
}

// analysis requests the analysis of 10 MiB of a text.
func analysis(text string) request {
	return request{
		method: http.MethodPost, path: "/analyze", key: attackerKey, contentType: "text/plain", accept: "application/json",
		body: strings.Repeat(text, 10<<20/len(text)),
	}
}

// rerun returns a log of 10 MiB of tests that are compared with each that failed.
func rerun() string {
	var failed strings.Builder
	for i := range 200 {
		fmt.Fprintf(&failed, "A > b%d() FAILED\n", i)
	}
	return failed.String() + strings.Repeat("A > b() PASSED\n", (10<<20-failed.Len())/15)
}

// text shares a log of size bytes as plain text.
func text(line string, size int) request {
	return request{method: http.MethodPost, path: "/logs", key: attackerKey, contentType: "text/plain", accept: "application/json", body: strings.Repeat(line, size/len(line))}
}

// drawn requests a picture of code that must be parsed first.
func drawn(input, code string) request {
	r := post("/api/v1/code-screenshot?input="+input, map[string]any{"code": code})
	r.accept = "image/png"
	return r
}

// patch returns a diff that changes every other line of a file.
func patch() string {
	const lines = 3_000
	return fmt.Sprintf("--- a/a.go\n+++ b/a.go\n@@ -1,%d +1,%d @@\n", lines, lines) + strings.Repeat("-a\n+b\n c\n", lines/2)
}

// compared requests the comparison of two logs of 500,000 characters, of which
// one has the lines of the other in reverse.
func compared(line func(i int) string) func(*testing.T, *serverProcess) request {
	return func(t *testing.T, k *serverProcess) request {
		var lines []string
		for size := 0; size < 500_000-100; size += len(lines[len(lines)-1]) {
			lines = append(lines, line(len(lines)))
		}
		first := createShare(t, k, post("/api/v1/log-share", map[string]any{"content": strings.Join(lines, "")}))
		slices.Reverse(lines)
		return get("/compare/"+first+"/"+createShare(t, k, post("/api/v1/log-share", map[string]any{"content": strings.Join(lines, "")})), "text/html")
	}
}

// webP requests a picture with the maximum number of pixels for WebP.
func webP() request {
	r := post("/api/v1/code-screenshot?scale=2", map[string]any{
		"code": strings.TrimSuffix(strings.Repeat(strings.Repeat("\U0001F525W", 20)+"\n", 26), "\n"), "language": "text", "background": steep,
	})
	r.accept = "image/webp"
	return r
}

// themed requests a picture in a theme of which every rule is for every token.
func themed() request {
	r := post("/screenshot/picture?own", map[string]any{
		"config":  map[string]any{"code": "package a", "language": "go", "theme": "dracula", "background": "#000000", "padding": 0, "fontSize": 14, "borderRadius": 0},
		"palette": `{"tokenColors": [` + strings.TrimSuffix(strings.Repeat(`{"scope":"source"},`, 10_000), ",") + `]}`,
	})
	r.key, r.from, r.origin = "", "192.0.2.66", "http://kiln.test"
	return r
}

// TestCosts_areBounded sends each request once to a warm server and measures
// the resources that it used.
func TestCosts_areBounded(t *testing.T) {
	if os.Getenv("DEVKILN_ABUSE") != "1" {
		t.Skip("it takes a minute and the whole machine; DEVKILN_ABUSE=1 runs it")
	}
	table := []string{"| request | status | processor time | peak memory more than before | response |", "|---|---|---|---|---|"}
	for _, c := range costs {
		t.Run(c.name, func(t *testing.T) {
			k := start(t)
			r := c.prepare(t, k)
			_, _, err := k.send(t.Context(), slugOfVictim(0))
			require.NoError(t, err)
			k.resetPeak(t)
			before, used := k.memory("VmRSS"), k.processor(t)
			status, body, err := k.send(t.Context(), r)
			require.NoError(t, err)
			used = k.processor(t) - used
			more := k.memory("VmHWM") - before
			assert.Contains(t, []int{http.StatusOK, http.StatusForbidden}, status, string(body[:min(len(body), 300)]))
			assert.LessOrEqual(t, used, cmp.Or(slower[c.name], maxProcessor))
			assert.LessOrEqual(t, more>>20, int64(maxMemory>>20), "MiB")
			table = append(table, fmt.Sprintf("| %s | %d | %.2f s | %d MB | %d KB |", c.name, status, used.Seconds(), more/1e6, (len(body)+999)/1000))
		})
	}
	replaceTable(t, "costs", table)
}

// processor returns the processor time that the server has used, in steps of 10
// ms: fields 14 and 15 of its stat.
func (k *serverProcess) processor(t *testing.T) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", k.pid))
	require.NoError(t, err)
	_, after, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(after)
	user, err := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	require.NoError(t, errors.Join(err, err2))
	return time.Duration(user+system) * 10 * time.Millisecond
}
