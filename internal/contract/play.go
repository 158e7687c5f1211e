package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"time"
)

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

// values are the texts that many cases expect.
var values = map[string]string{
	"operations": "POST /api/v1/gradient-generator, slug-generator, log-share, code-snippet-share and code-screenshot",
}

// Play plays all steps of a case and returns the first difference. Time passes
// by sleeping: call it in a synctest bubble.
func (p *Player) Play(ctx context.Context, c Case) error {
	p.saved = maps.Clone(values)
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
		return fmt.Errorf("%s %s: %w\nresponse: %d %s", r.Method, s.Path, err, response.StatusCode, clip(got))
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
	method := s.Method
	if method == "" {
		method = http.MethodPost
	}
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	r := httptest.NewRequestWithContext(ctx, method, "http://kiln.test/", reader)
	r.RequestURI = p.fill(s.Path)
	if r.URL, err = url.ParseRequestURI(r.RequestURI); err != nil {
		return nil, nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if key := p.key(s.Key); key != "" {
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

func (p *Player) key(name string) string {
	if literal, ok := strings.CutPrefix(name, "="); ok {
		return literal
	}
	if name == "" {
		name = "alice"
	}
	return p.Keys[name]
}

func (p *Player) body(s Step) ([]byte, error) {
	var body []byte
	switch {
	case s.Raw != nil:
		body = []byte(p.fill(*s.Raw))
	case s.Base64 != nil:
		body = *s.Base64
	case s.Body != nil:
		value, err := parse(s.Body)
		if err != nil {
			return nil, err
		}
		if value, err = expand(value); err != nil {
			return nil, err
		}
		if body, err = json.Marshal(value); err != nil {
			return nil, err
		}
		body = []byte(p.fill(string(body)))
	}
	if missing := s.PadTo - len(body); missing > 0 {
		body = append(body, bytes.Repeat([]byte(" "), missing)...)
	}
	return body, nil
}

func (p *Player) check(s Step, response *http.Response, got []byte) error {
	if response.StatusCode != s.Status {
		return fmt.Errorf("status must be %d", s.Status)
	}
	for name, want := range s.WantHeaders {
		if err := p.match(want, response.Header.Get(name)); err != nil {
			return fmt.Errorf("header %s: %w", name, err)
		}
	}
	if s.WantText != nil {
		return p.match(*s.WantText, string(got))
	}
	want, err := parse(s.Want)
	if err != nil {
		return err
	}
	if want, err = expand(want); err != nil {
		return err
	}
	have, err := parse(got)
	if err != nil {
		return fmt.Errorf("response is not JSON: %w", err)
	}
	if err := p.compare("", want, have); err != nil {
		return err
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

// compare returns the first difference between two JSON values.
func (p *Player) compare(path string, want, have any) error {
	switch w := want.(type) {
	case map[string]any:
		return p.compareObject(path, w, have)
	case []any:
		return p.compareArray(path, w, have)
	case string:
		if w == "$any" {
			return nil
		}
		h, ok := have.(string)
		if !ok {
			return fmt.Errorf("%s must be a string, is %v", path, have)
		}
		if err := p.match(w, h); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	default:
		if want != have {
			return fmt.Errorf("%s must be %v, is %v", path, want, have)
		}
	}
	return nil
}

func (p *Player) compareObject(path string, want map[string]any, have any) error {
	object, ok := have.(map[string]any)
	if !ok {
		return fmt.Errorf("%s must be an object, is %v", path, have)
	}
	for name, value := range want {
		field, ok := object[name]
		if !ok {
			return fmt.Errorf("%s.%s is missing", path, name)
		}
		if err := p.compare(path+"."+name, value, field); err != nil {
			return err
		}
	}
	for name := range object {
		if _, ok := want[name]; !ok {
			return fmt.Errorf("%s.%s is too much", path, name)
		}
	}
	return nil
}

func (p *Player) compareArray(path string, want []any, have any) error {
	array, ok := have.([]any)
	if !ok || len(array) != len(want) {
		return fmt.Errorf("%s must have %d elements, is %v", path, len(want), have)
	}
	for i := range want {
		if err := p.compare(fmt.Sprintf("%s[%d]", path, i), want[i], array[i]); err != nil {
			return err
		}
	}
	return nil
}

var kinds = map[string]*regexp.Regexp{
	"$id":        regexp.MustCompile(`^[0-9a-hjkmnp-tv-z]{16}$`),
	"$requestId": regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`),
	"$any":       regexp.MustCompile(``),
}

// match compares a string with the expected string or pattern.
func (p *Player) match(want, have string) error {
	if pattern, ok := kinds[want]; ok {
		if !pattern.MatchString(have) {
			return fmt.Errorf("%q must be like %s", clip([]byte(have)), want)
		}
		return nil
	}
	if expression, ok := strings.CutPrefix(want, "$re "); ok {
		pattern, err := regexp.Compile("^(?s:" + expression + ")$")
		if err != nil {
			return err
		}
		if !pattern.MatchString(have) {
			return fmt.Errorf("%q must match %s", clip([]byte(have)), expression)
		}
		return nil
	}
	if want = p.fill(want); want != have {
		return fmt.Errorf("must be %q, is %q", clip([]byte(want)), clip([]byte(have)))
	}
	return nil
}

// fill replaces the names of saved values.
func (p *Player) fill(text string) string {
	for name, value := range p.saved {
		text = strings.ReplaceAll(text, "${"+name+"}", value)
	}
	return text
}

func clip(text []byte) string {
	const longest = 2000
	if len(text) > longest {
		return string(text[:longest]) + "…"
	}
	return string(text)
}
