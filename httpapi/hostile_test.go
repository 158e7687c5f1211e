package httpapi_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/store"
)

// hostile generates requests that look intended: the right paths and fields
// with wild values. A seed always generates the same request.
type hostile struct {
	*rand.Rand
	temper int // divides the probability of wild values
}

func newHostile(seed []byte) hostile {
	random := rand.New(rand.NewChaCha8(sha256.Sum256(seed)))
	return hostile{random, []int{1, 5, 25}[random.IntN(3)]}
}

func pick[T any](h hostile, of []T) T { return of[h.IntN(len(of))] }

// oneIn returns true with the probability 1/(n*temper).
func (h hostile) oneIn(n int) bool { return h.IntN(n*h.temper) == 0 }

// wildFields returns the fields of each operation with values, of which it
// accepts most.
func wildFields() map[string]map[string][]string {
	expiry := []string{`"1h"`, `"6h"`, `"24h"`, `"7d"`, `"30d"`, `"never"`, `null`}
	number := []string{`6`, `12.5`, `64`, `6e1`, `null`, `256`}
	flag := []string{`true`, `false`, `null`}
	code := []string{`"package main\n\nfunc main() {}\n"`, `"a"`, `"\u001b[31mred\u001b[0m"`, `"\t\r\n\u0000\u2028"`, `"العربية 中文 👩‍👩‍👧‍👦 é\u0301\u0301"`}
	language := []string{`"go"`, `"auto"`, `"Python"`, `"nobody-knows"`, `"text"`}
	return map[string]map[string][]string{
		"gradient-generator": {
			"colors":    {`["#ff0000","#0000FF"]`, `["#ff0000","#00FF00"]`, `["#000000","#000000"]`, `["#ff0000","#00ff00","#0000ff"]`, `["#f00","red"]`},
			"type":      {`"linear"`, `"linear"`, `"radial"`, `"radial"`, `"conic"`},
			"angle":     {`90`, `-1e2`, `720.5`, `1e-300`, `null`},
			"positions": {`[0,100]`, `[100,0]`, `[-0,1e2]`, `[33.33333,33.33333]`, `null`, `[0,50,100]`},
		},
		"slug-generator": {
			"text":      {`"Hello, Wörld & friends"`, `"Ærlig ЩУКА 北京 🎉"`, `"\u0000\uFEFF\u200d"`, `"STRAẞE İI don't"`},
			"separator": {`"-"`, `"_"`, `""`, `"@"`, `"é"`},
			"lowercase": flag,
		},
		"log-share": {
			"content": {`"03:00:01 INFO up\n03:00:02 ERROR disk"`, `"{\"level\":\"error\"}\n{}"`, `"[1]"`, `"2026-11-21T10:00:00Z panic: x\n\tat y"`, `"\u001b]8;;x\u0007"`},
			"title":   {`"nightly"`, `"\n"`, `null`}, "expiry": expiry, "format": {`"auto"`, `"auto"`, `"text"`, `"json"`},
			"stats": {`{}`, `{"errors":1e400}`, `{"a":{"b":[null]}}`, `null`},
		},
		"code-snippet-share": {"code": code, "language": language, "title": {`"a"`, `""`}, "expiry": expiry[2:]},
		"code-screenshot": {
			"code": code, "language": language, "theme": {`"dracula"`, `"night-owl"`, `"synthwave"`, `null`},
			"background":  {`"#ff7e5f"`, `"linear-gradient(to right, red, blue 20%, hsl(120deg 50% 50% / .5))"`, `"conic-gradient(from 1turn, red, blue)"`, `"transparent"`, `"rgb(1e99 0 0)"`, `"radial-gradient("`},
			"padding":     number,
			"fontSize":    number,
			"lineNumbers": flag, "windowControls": flag, "shadow": flag,
			"windowTitle": {`"main.go"`, `"\u202e"`}, "borderRadius": number,
		},
	}
}

// text returns a JSON string, or almost one.
func (h hostile) text() string {
	parts := []string{
		"a", "\\n", "\\u0000", "\\ud83d\\ude00", "\\ud800", "\\uDFFF", "é", "👩‍👩‍👧‍👦", "\u202e", "\u0301", "\xff", "\xc0\xaf", "\x01", "\\x", "\\", "'", "<script>", "../", "%00", "{{", "${", "\\/", "\t", "٣", "ﷺ", "İ", "ẞ",
	}
	var b strings.Builder
	b.WriteByte('"')
	for range h.IntN(8) {
		b.WriteString(strings.Repeat(pick(h, parts), 1+h.IntN(3)*h.IntN(40)))
	}
	b.WriteByte('"')
	return b.String()
}

func (h hostile) number() string {
	return pick(h, []string{
		"0", "-0", "1e400", "-1e400", "1e-400", "9007199254740993", "1.7976931348623157e308", "0x10", "01", "+1", ".5", "1.", "NaN", "-Infinity", "1e", "٣",
		strings.Repeat("9", 1+h.IntN(2000)), "0." + strings.Repeat("0", h.IntN(2000)) + "1", "1e" + strings.Repeat("9", 1+h.IntN(30)),
		strconv.FormatFloat(h.NormFloat64()*1e3, 'g', -1, 64), strconv.FormatInt(h.Int64()-h.Int64(), 10),
	})
}

// value returns a JSON value, or almost one, nested at most deep levels.
func (h hostile) value(deep int) string {
	if deep == 0 {
		return pick(h, []string{"null", "true", "tru", "", "[]", "{}"})
	}
	switch h.IntN(8) {
	case 0, 1:
		return h.text()
	case 2, 3:
		return h.number()
	case 4:
		return strings.Repeat("[", h.IntN(40)) + strings.Repeat("]", h.IntN(40))
	case 5:
		var items []string
		for range h.IntN(1 + h.IntN(300)) {
			items = append(items, h.value(deep-1))
		}
		return "[" + strings.Join(items, ",") + "]"
	case 6:
		var members []string
		for range h.IntN(6) {
			members = append(members, h.text()+":"+h.value(deep-1))
		}
		return "{" + strings.Join(members, ",") + "}"
	default:
		return h.value(0)
	}
}

// needed are the fields without which an operation fails at once.
var needed = map[string]bool{"colors": true, "text": true, "content": true, "code": true, "language": true}

// body returns an object with most fields of an operation, some of them wild,
// duplicated or unknown.
func (h hostile) body(fields map[string][]string) []byte {
	var members []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value := pick(h, fields[name])
		if h.oneIn(8) {
			value = h.value(3)
		}
		if h.IntN(3) == 0 && !needed[name] || h.oneIn(8) {
			continue
		}
		if h.oneIn(40) {
			name = pick(h, []string{strings.ToUpper(name), name + "s", name[1:], name + "\\u0000", "__proto__", ""})
		}
		members = append(members, `"`+name+`":`+value)
		if h.oneIn(50) {
			members = append(members, members[h.IntN(len(members))])
		}
	}
	if h.oneIn(10) {
		for range h.IntN(200) {
			members = append(members, h.text()+":"+h.value(1))
		}
	}
	text := []byte("{" + strings.Join(members, pick(h, []string{",", ", ", ",\n\t"})) + "}")
	switch h.IntN(10 * h.temper) {
	case 0:
		return text[:h.IntN(len(text)+1)]
	case 1:
		return append([]byte("\xef\xbb\xbf"), text...)
	case 2:
		return append(text, h.value(1)...)
	case 3:
		text[h.IntN(len(text))] ^= 1 << h.IntN(8)
	case 4:
		return []byte(h.value(3))
	}
	return text
}

// target returns a path with a query.
func (h hostile) target(operation string) string {
	target := "/api/v1/" + operation
	if h.oneIn(10) {
		target = pick(h, []string{
			target + "/", target + "/%2e%2e", target + "/0123456789abcdef", target + "/0123456789abcdef/", "/api//v1/" + operation, "/api/v1/../v1/" + operation,
			"/API/v1/" + operation, "/api/v2/" + operation, target + "%00", target + ";x", "/api", "/api/", "/./api/v1/" + operation, target + "/" + strings.Repeat("a", h.IntN(3000)), target + "/%ff%fe", "/api/v1/%6cog-share",
		})
	}
	if h.oneIn(4) {
		target += "?" + pick(h, []string{"scale=", "scale=1&scale=", "%zz=", "a;b&scale=", "=&=", "%ff="}) +
			pick(h, []string{"1", "4", "1e309", "-1", "NaN", "0x1p-2", "2&x=%zz", "%00", strings.Repeat("9", h.IntN(400)), "+1", "1_0"})
	}
	return target
}

// headers sets the header fields that a client may fill freely.
func (h hostile) headers(to http.Header) {
	wild := map[string][]string{
		"Accept":            {"image/png", "image/svg+xml;q=0.5, */*;q=0.1", "image/png;q=x", ";;;,", "text/html", "*/*", strings.Repeat("image/png,", h.IntN(500))},
		"Content-Type":      {"application/json", "application/json; charset=UTF-8", "application/json; charset=latin1", "text/plain", "application/json;", ";", "application/json; charset=\"utf-8"},
		"Content-Encoding":  {"gzip", "identity", "br, br", "\x7f"},
		"X-Request-Id":      {"trace-7", "", "é", strings.Repeat("a", 65), "a b"},
		"X-Forwarded-For":   {"1.2.3.4", "::1, x", strings.Repeat("1.1.1.1,", h.IntN(500))},
		"X-Forwarded-Host":  {"kiln.example", "a b", "evil/x?"},
		"X-Forwarded-Proto": {"https", "javascript"},
		"Origin":            {"null", "https://kiln.example"},
		"If-None-Match":     {"*", `"x"`, `W/"`},
		"Range":             {"bytes=0-", "bytes=9-1,x"},
		"Expect":            {"100-continue", "x"},
	}
	for _, name := range slices.Sorted(maps.Keys(wild)) {
		if h.oneIn(6) {
			to[name] = []string{pick(h, wild[name])}
		}
		if h.oneIn(40) {
			to[name] = append(to[name], pick(h, wild[name]))
		}
	}
	to.Set("X-Api-Key", staticKey)
	if h.oneIn(25) {
		to.Set("X-Api-Key", pick(h, []string{"", "dk_", "\xff", strings.Repeat("k", 5000), staticKey + " "}))
	}
}

// request returns a request to an operation, and its body.
func (h hostile) request(t *testing.T, operation string) (*http.Request, []byte) {
	body := h.body(wildFields()[operation])
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://kiln.test/", bytes.NewReader(body))
	target := h.target(operation)
	parsed, err := url.ParseRequestURI(target)
	if err != nil {
		parsed, target = r.URL, "/"
	}
	r.URL, r.RequestURI = parsed, target
	if h.oneIn(12) {
		r.Method = pick(h, []string{"GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW", "post"})
	}
	if h.oneIn(30) {
		r.ContentLength = -1
	}
	h.headers(r.Header)
	return r, body
}

// holds checks that the response to a hostile request is not a 5xx and keeps
// every promise of the API. Only a picture is not JSON.
func (h hostile) holds(t *testing.T, handler http.Handler, operation string) error {
	r, body := h.request(t, operation)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	response := w.Result()
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= http.StatusInternalServerError {
		err = fmt.Errorf("it is %s", response.Status)
	} else if !strings.HasPrefix(response.Header.Get("Content-Type"), "image/") && r.Method != http.MethodHead {
		err = promises(r, body, response, text)
	}
	if err != nil {
		return fmt.Errorf("%s %s %q %q: %w: %.500s", r.Method, r.RequestURI, r.Header, body, err, text)
	}
	return nil
}

// FuzzHostile verifies the promises of every operation for any request.
func FuzzHostile(f *testing.F) {
	operations := httpapi.Operations()
	for i := range operations {
		for seed := range 20 {
			f.Add(byte(i), []byte{byte(seed)})
		}
	}
	var handler http.Handler
	played := 0
	f.Fuzz(func(t *testing.T, operation byte, seed []byte) {
		if played%1000 == 0 { // its store grows
			handler = handlerOf(t, options(t, store.NewMemory()))
		}
		played++
		require.NoError(t, newHostile(seed).holds(t, handler, operations[int(operation)%len(operations)].Name))
	})
}
