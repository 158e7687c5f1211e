// Package contract plays test cases of the HTTP API that are stored as data.
// [Start] starts a server for a case, which uses the real clock: play a case in a
// synctest bubble.
//
// A case is a server and a conversation with it. Cases are in JSON files, each
// of which is an array; a new case needs no Go. Its fields are:
//
//	name      what the case shows; unique in its file
//	server    settings that differ from the default, see Server
//	steps     the conversation, in order, see Step
//
// In requests, {"$repeat": ["text", 3]} stands for "texttexttext". In expected
// responses, a string that starts with $ is a pattern: "$id", "$requestId",
// "$re <pattern>", and "$any", which matches every value. ${name} in any string
// is the value that an earlier step saved under that name; ${operations} is the
// list of operations in the response to an unknown path.
package contract

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/devkiln/devkiln/httpapi"
)

// Case is one conversation.
type Case struct {
	File   string `json:"-"`
	Name   string `json:"name"`
	Server Server `json:"server"`
	Steps  []Step `json:"steps"`
}

// Server is the settings of a server that a case may choose.
type Server struct {
	PerMinute      *int     `json:"perMinute"` // default 100; 0 is off
	PerDay         *int     `json:"perDay"`    // default 10,000; 0 is off
	BaseURL        string   `json:"baseUrl"`
	TrustedProxies []string `json:"trustedProxies"`
	CORSOrigins    []string `json:"corsOrigins"`
	Broken         string   `json:"broken"` // how creating and getting fail: "store" is unavailable, "unforeseen" any other error, "panic" a panic
	State          string   `json:"state"`  // draining or stopping; default is serving
}

// Step is one request and its expected response.
type Step struct {
	After   Duration          `json:"after"`   // time that passes before the request
	Times   int               `json:"times"`   // number of requests; default 1
	Method  string            `json:"method"`  // default POST
	Path    string            `json:"path"`    // including the query
	Key     string            `json:"key"`     // default alice; bob; carol, carol's laptop and dave belong to users; sharing, reading and tools have only that scope; narrow has 2 requests a minute and shares for 2h; static, expired, revoked, unknown, none; or = and the key itself
	Headers map[string]string `json:"headers"` // Content-Type defaults to application/json; "" omits a field
	Body    json.RawMessage   `json:"body"`    // the body, as JSON
	Raw     *string           `json:"raw"`     // or the body verbatim
	Base64  *[]byte           `json:"base64"`  // or the body in base64, for what JSON cannot hold
	PadTo   int               `json:"padTo"`   // pads the body with spaces to this length

	Status      int               `json:"status"`
	WantHeaders map[string]string `json:"wantHeaders"` // "" means must be absent
	Want        json.RawMessage   `json:"want"`        // the whole response; may contain $repeat
	WantText    *string           `json:"wantText"`    // or the whole response, if it is not JSON
	Save        []string          `json:"save"`        // fields of the response to save
}

// Duration is a time.Duration that is written "90s" in JSON.
type Duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	*d = Duration(parsed)
	return err
}

// Load reads all cases of the files in a folder. An unknown field, a duplicate
// name and a step that expects nothing are errors.
func Load(dir string) ([]Case, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []Case
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		cases, err := decode(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for i := range cases {
			cases[i].File = strings.TrimSuffix(filepath.Base(file), ".json")
		}
		all = append(all, cases...)
	}
	return all, nil
}

// decode decodes the cases of a file.
func decode(data []byte) ([]Case, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var cases []Case
	if err := d.Decode(&cases); err != nil {
		return nil, err
	}
	names := make(map[string]bool)
	for i, c := range cases {
		if c.Name == "" || names[c.Name] || len(c.Steps) == 0 {
			return nil, fmt.Errorf("case %d, %q, needs a name of its own and steps", i, c.Name)
		}
		names[c.Name] = true
		for j, s := range c.Steps {
			if s.Status == 0 || (s.Want == nil) == (s.WantText == nil) {
				return nil, fmt.Errorf("case %q, step %d, needs a status and one of want and wantText", c.Name, j)
			}
		}
	}
	return cases, nil
}

var repetition = regexp.MustCompile(`\{"\$repeat": \["((?:[^"\\]|\\.)*)", (\d+)\]\}`)

// expand replaces every {"$repeat": ["text", 3]} in a JSON text.
func expand(text []byte) ([]byte, error) {
	text = repetition.ReplaceAllFunc(text, func(match []byte) []byte {
		groups := repetition.FindSubmatch(match)
		count, _ := strconv.Atoi(string(groups[2])) // it is digits
		return fmt.Appendf(nil, `"%s"`, bytes.Repeat(groups[1], count))
	})
	if bytes.Contains(text, []byte(`"$repeat"`)) {
		return nil, fmt.Errorf("$repeat takes a text and a number: %.2000s", text)
	}
	return text, nil
}

// parse parses JSON and keeps all digits of numbers.
func parse(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	err := d.Decode(&value)
	return value, err
}

// Player plays cases against one server.
type Player struct {
	Handler http.Handler
	// Keys are the keys by their names in steps: alice, bob, expired, revoked,
	// unknown.
	Keys map[string]string
	// Observe, if set, receives every request and response after its check.
	Observe func(*http.Request, []byte, *http.Response, []byte) error

	saved map[string]string
}

// operations returns the list of operations, which many cases expect.
func operations() string {
	var names []string
	for _, o := range httpapi.Operations() {
		names = append(names, o.Name)
	}
	return "POST /api/v1/" + english.WordSeries(names, "and")
}

// Play plays all steps of a case and returns the first difference. Time passes
// by sleeping: call it in a synctest bubble.
func (p *Player) Play(ctx context.Context, c Case) error {
	p.saved = map[string]string{"operations": operations()}
	for i, s := range c.Steps {
		for range max(1, s.Times) {
			time.Sleep(time.Duration(s.After))
			if err := p.step(ctx, s); err != nil {
				return fmt.Errorf("step %d: %w", i+1, err)
			}
		}
	}
	return nil
}

func (p *Player) step(ctx context.Context, s Step) error {
	r, sent, err := p.request(ctx, s)
	if err != nil {
		return err
	}
	recorder := httptest.NewRecorder()
	p.Handler.ServeHTTP(recorder, r)
	response := recorder.Result()
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if err := p.check(s, response, got); err != nil {
		return fmt.Errorf("%s %s: %w\nresponse: %d %.2000s", r.Method, s.Path, err, response.StatusCode, got)
	}
	if p.Observe != nil {
		return p.Observe(r, sent, response, got)
	}
	return nil
}

func (p *Player) request(ctx context.Context, s Step) (*http.Request, []byte, error) {
	body, err := p.body(s)
	if err != nil {
		return nil, nil, err
	}
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	r := httptest.NewRequestWithContext(ctx, cmp.Or(s.Method, http.MethodPost), "http://kiln.test/", reader)
	r.RequestURI = p.fill(s.Path)
	if r.URL, err = url.ParseRequestURI(r.RequestURI); err != nil {
		return nil, nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	key, isLiteral := strings.CutPrefix(s.Key, "=")
	if !isLiteral {
		key = p.Keys[cmp.Or(s.Key, "alice")]
	}
	if key != "" {
		r.Header.Set("X-API-Key", key)
	}
	for name, value := range s.Headers {
		if value == "" {
			r.Header.Del(name)
			continue
		}
		r.Header.Set(name, p.fill(value))
	}
	return r, body, nil
}

func (p *Player) body(s Step) ([]byte, error) {
	var body []byte
	switch {
	case s.Raw != nil:
		body = []byte(p.fill(*s.Raw))
	case s.Base64 != nil:
		body = *s.Base64
	case s.Body != nil:
		expanded, err := expand(s.Body)
		if err != nil {
			return nil, err
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, expanded); err != nil {
			return nil, err
		}
		body = []byte(p.fill(compact.String()))
	}
	return append(body, bytes.Repeat([]byte(" "), max(0, s.PadTo-len(body)))...), nil
}

func (p *Player) check(s Step, response *http.Response, got []byte) error {
	if response.StatusCode != s.Status {
		return fmt.Errorf("status must be %d", s.Status)
	}
	for name, want := range s.WantHeaders {
		if have := response.Header.Get(name); p.resolve(want, have) != have {
			return fmt.Errorf("header %s must be %q, is %q", name, p.fill(want), have)
		}
	}
	if s.WantText != nil {
		if p.resolve(*s.WantText, string(got)) != string(got) {
			return fmt.Errorf("must be %.2000q, is %.2000q", p.fill(*s.WantText), got)
		}
		return nil
	}
	expanded, err := expand(s.Want)
	if err != nil {
		return err
	}
	want, err := parse(expanded)
	if err != nil {
		return err
	}
	have, err := parse(got)
	if err != nil {
		return fmt.Errorf("response is not JSON: %w", err)
	}
	if want = p.resolve(want, have); !reflect.DeepEqual(want, have) {
		text, err := json.Marshal(want)
		return errors.Join(fmt.Errorf("response must be %.2000s", text), err)
	}
	return p.save(s.Save, have)
}

func (p *Player) save(names []string, response any) error {
	object, _ := response.(map[string]any)
	for _, name := range names {
		text, ok := object[name].(string)
		if !ok {
			return fmt.Errorf("nothing to save under %q", name)
		}
		p.saved[name] = text
	}
	return nil
}

// resolve returns want with every pattern that matches replaced by what it
// matches in have.
func (p *Player) resolve(want, have any) any {
	switch w := want.(type) {
	case map[string]any:
		object, _ := have.(map[string]any)
		for name, value := range w {
			w[name] = p.resolve(value, object[name])
		}
	case []any:
		array, _ := have.([]any)
		for i := range min(len(w), len(array)) {
			w[i] = p.resolve(w[i], array[i])
		}
	case string:
		text, isText := have.(string)
		if w == "$any" || isText && matches(w, text) {
			return have
		}
		return p.fill(w)
	}
	return want
}

var kinds = map[string]*regexp.Regexp{
	"$id":        regexp.MustCompile(`^[0-9a-hjkmnp-tv-z]{16}$`),
	"$requestId": regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`),
}

// matches reports whether want is a pattern that matches text.
func matches(want, text string) bool {
	pattern := kinds[want]
	if expression, ok := strings.CutPrefix(want, "$re "); ok {
		pattern = regexp.MustCompile("^(?s:" + expression + ")$")
	}
	return pattern != nil && pattern.MatchString(text)
}

// fill replaces the names of saved values.
func (p *Player) fill(text string) string {
	for name, value := range p.saved {
		text = strings.ReplaceAll(text, "${"+name+"}", value)
	}
	return text
}
