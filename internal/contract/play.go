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
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/devkiln/devkiln/httpapi"
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
			return fmt.Errorf("must be %q, is %q", clip([]byte(p.fill(*s.WantText))), clip(got))
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
		return errors.Join(fmt.Errorf("response must be %s", clip(text)), err)
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

func clip(text []byte) string {
	const longest = 2000
	if len(text) > longest {
		return string(text[:longest]) + "…"
	}
	return string(text)
}
