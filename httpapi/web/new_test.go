package web_test

import (
	"bytes"
	"context"
	"errors"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/seal"
	"github.com/devkiln/devkiln/store"
)

// formCase is a case of testdata/forms.json: form input, and either the
// resulting share or the messages of the form. A lone surrogate stands for an
// invalid byte.
type formCase struct {
	Name, Kind string
	Fields     map[string]string
	Long       map[string]int // lengths of generated fields, in characters
	File       *string
	FileName   string

	Content, Title, Format, Language string
	Hours                            int // 0 means never

	Says  map[string]string // messages by field
	Keeps []string          // strings that the page contains
}

// body encodes the form as a browser does.
func (c formCase) body(t *testing.T) (body, contentType string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	raw := strings.NewReplacer("�", "\xff", "\ufffe", "\xfe")
	for name, value := range c.Fields {
		require.NoError(t, w.WriteField(name, raw.Replace(value)))
	}
	for name, n := range c.Long {
		require.NoError(t, w.WriteField(name, strings.Repeat("é", n)))
	}
	name, content := "", ""
	if c.File != nil {
		name, content = c.FileName, raw.Replace(*c.File)
	}
	part, err := w.CreateFormFile("file", name)
	require.NoError(t, err)
	_, err = io.WriteString(part, content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String(), w.FormDataContentType()
}

// send posts a body to the form, with pairs of header fields.
func (p *pages) send(t *testing.T, contentType string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", body)
	r.Header.Set("Accept", browser)
	r.Header.Set("Content-Type", contentType)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w
}

func (p *pages) fill(t *testing.T, c formCase, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	body, contentType := c.body(t)
	return p.send(t, contentType, strings.NewReader(body), headers...)
}

// text returns a form with a text and further fields.
func text(s string, more ...string) formCase {
	c := formCase{Fields: map[string]string{"text": s}}
	for i := 0; i < len(more); i += 2 {
		c.Fields[more[i]] = more[i+1]
	}
	return c
}

func signedIn(o *web.Options) {
	o.Sharing.SignedIn = func(*http.Request) (string, error) { return "dashboard", nil }
}

func public(o *web.Options) { o.Sharing.Public = true }

func TestNew_cases(t *testing.T) {
	p := newPages(t, signedIn)
	for _, c := range cases[formCase](t, "forms.json") {
		t.Run(c.Name, func(t *testing.T) {
			w := p.fill(t, c)
			if c.Says != nil {
				assert.Equal(t, http.StatusBadRequest, w.Code)
				c.check(t, w.Body.String())
				return
			}
			require.Equal(t, http.StatusSeeOther, w.Code, w.Body)
			c.shared(t, p, w.Header().Get("Location"))
		})
	}
}

// check checks a refused form.
func (c formCase) check(t *testing.T, page string) {
	t.Helper()
	for field, says := range c.Says {
		_, fault, found := strings.Cut(page, `id="share-`+field+`-fault">`)
		require.True(t, found, field)
		fault, _, _ = strings.Cut(fault, "<")
		assert.Contains(t, html.UnescapeString(fault), says)
		assert.Contains(t, page, `share-`+field+`-fault"`)
	}
	assert.Equal(t, len(c.Says), strings.Count(page, `class="fault"`), "faults")
	for _, kept := range c.Keeps {
		assert.Contains(t, page, kept)
	}
}

// shared checks the created share.
func (c formCase) shared(t *testing.T, p *pages, location string) {
	t.Helper()
	path, _, made := strings.Cut(location, "?shared")
	require.True(t, made, location)
	id, found := strings.CutPrefix(path, "/"+c.Kind+"s/")
	require.True(t, found, location)
	want := c
	for _, n := range c.Long {
		want.Content = strings.Repeat("é", n)
	}
	var got formCase
	var created, expires time.Time
	var owner string
	if c.Kind == "log" {
		log, err := p.shares.Log(t.Context(), id)
		require.NoError(t, err)
		created, expires, owner = log.Created, log.Expires, log.Owner
		got = formCase{Content: log.Content, Title: log.Title, Format: string(log.Format)}
	} else {
		snippet, err := p.shares.Snippet(t.Context(), id)
		require.NoError(t, err)
		created, expires, owner = snippet.Created, snippet.Expires, snippet.Owner
		got = formCase{Content: snippet.Code, Title: snippet.Title, Language: snippet.Language}
	}
	assert.Equal(t, formCase{Content: want.Content, Title: want.Title, Format: want.Format, Language: want.Language}, got)
	assert.Equal(t, "dashboard", owner)
	if c.Hours == 0 {
		assert.True(t, expires.IsZero())
		return
	}
	assert.Equal(t, time.Duration(c.Hours)*time.Hour, expires.Sub(created))
}

// Code too long for a snippet becomes a log.
func TestNew_longCode(t *testing.T) {
	p := newPages(t, public)
	code := "package main\n\n" + strings.Repeat("func f() int { return 42 }\n", 5_000)
	assert.Contains(t, p.fill(t, text(code)).Header().Get("Location"), "/logs/")
	assert.Contains(t, p.fill(t, text(code[:50_000])).Header().Get("Location"), "/snippets/")
}

func TestNew_saysWhatFits(t *testing.T) {
	p := newPages(t, public)
	assert.Contains(t, p.get(t, "/", browser).Body.String(), "Logs up to 32 MB, code up to 100,000 characters.")
}

func TestNew_longLog(t *testing.T) {
	p := newPages(t, signedIn)
	content := strings.Repeat("10:00:00 INFO password=hunter2\n", 30_000)
	for name, c := range map[string]formCase{
		"typed":  text(content, "kind", "auto", "mask", "1"),
		"a file": {Fields: map[string]string{"kind": "log", "mask": "1"}, File: &content, FileName: "app.log"},
	} {
		w := p.fill(t, c)
		require.Equal(t, http.StatusSeeOther, w.Code, name)
		id, _, _ := strings.Cut(strings.TrimPrefix(w.Header().Get("Location"), "/logs/"), "?")
		log, err := p.shares.Log(t.Context(), id)
		require.NoError(t, err)
		require.Greater(t, len(log.Parts), 1, name)
		assert.Equal(t, 30_000, log.Masked.Total(), name)
		for part, err := range p.shares.LogText(t.Context(), log) {
			require.NoError(t, err)
			assert.NotContains(t, part, "hunter2")
		}
	}
}

// A visitor who has just created a share sees its link above the content.
func TestNew_showsTheLink(t *testing.T) {
	base, err := url.Parse("https://kiln.example/tools")
	require.NoError(t, err)
	p := newPages(t, public, func(o *web.Options) { o.BaseURL = base })
	for _, kind := range []string{"log", "snippet"} {
		location := p.fill(t, text("x", "kind", kind, "title", "<i>")).Header().Get("Location")
		path, _, _ := strings.Cut(location, "?shared")
		require.True(t, strings.HasPrefix(path, "/tools/"+kind+"s/"), location)
		page := p.get(t, location, browser).Body.String()
		assert.Contains(t, page, ">https://kiln.example"+path+"</pre>")
		assert.Contains(t, page, "<b>Shared.</b>")
		assert.Contains(t, page, "shared.js")
		assert.NotContains(t, page, "<i>")
		assert.NotContains(t, p.get(t, path, browser).Body.String(), "<b>Shared.</b>", "others see the share alone")
	}
}

// sharing is a server that accepts shares by key, session or anyone, as
// configured.
type sharing struct {
	*pages
	key   string
	keys  *apikey.Keyring
	usage *usage.Counter
}

// issue creates another key.
func (s sharing) issue(t *testing.T, o apikey.Options) string {
	t.Helper()
	key, _, err := s.keys.Issue(t.Context(), "further", time.Now(), o)
	require.NoError(t, err)
	return key
}

func newSharing(t *testing.T, change ...func(*web.Options)) sharing {
	t.Helper()
	backend := store.NewMemory()
	ring, err := apikey.New(backend)
	require.NoError(t, err)
	key, _, err := ring.Issue(t.Context(), "ci", time.Now(), apikey.Options{})
	require.NoError(t, err)
	counter := usage.New(backend)
	limiter, err := ratelimit.New(backend, ratelimit.Limits{PerMinute: 2}, nil)
	require.NoError(t, err)
	p := newPages(t, append([]func(*web.Options){func(o *web.Options) {
		o.Sharing = web.Sharing{
			Keys: ring, Usage: counter, Limiter: limiter,
			SignedIn: func(r *http.Request) (string, error) {
				if cookie, err := r.Cookie("session"); err == nil && cookie.Value == "good" {
					return "dashboard", nil
				}
				return "", nil
			},
		}
	}}, change...)...)
	return sharing{p, key, ring, counter}
}

// owner returns the owner of the share that a response redirects to.
func (s sharing) owner(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	require.Equal(t, http.StatusSeeOther, w.Code, w.Body)
	id, _, _ := strings.Cut(strings.TrimPrefix(w.Header().Get("Location"), "/logs/"), "?shared")
	log, err := s.shares.Log(t.Context(), id)
	require.NoError(t, err)
	owner, _, _ := strings.Cut(log.Owner, "/")
	return owner
}

func TestNew_whoMayShare(t *testing.T) {
	for name, c := range map[string]struct {
		public bool
		key    string
		cookie string
		owner  string // "" if refused
		says   string
	}{
		"nobody":                    {says: "Key is needed. Ask your administrator for one."},
		"a wrong key":               {key: "dk_wrong", says: "Key is unknown, revoked or expired."},
		"a wrong key in a session":  {key: "dk_wrong", cookie: "good", says: "Key is unknown, revoked or expired."},
		"a key that may only read":  {key: "reading", says: "Key may not share: it lacks the scope share."},
		"an old session":            {cookie: "old", says: "Key is needed."},
		"a key":                     {key: "right", owner: "key"},
		"a session":                 {cookie: "good", owner: "dashboard"},
		"a key goes before":         {key: "right", cookie: "good", owner: "key"},
		"everybody":                 {public: true, owner: "public"},
		"everybody with a key":      {public: true, key: "right", owner: "key"},
		"everybody with a bad key":  {public: true, key: "dk_wrong", says: "Key is unknown"},
		"everybody with a session":  {public: true, cookie: "good", owner: "dashboard"},
		"everybody, an old session": {public: true, cookie: "old", owner: "public"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSharing(t, func(o *web.Options) { o.Sharing.Public = c.public })
			key := c.key
			switch key {
			case "right":
				key = s.key
			case "reading":
				key = s.issue(t, apikey.Options{Scopes: []apikey.Scope{apikey.ScopeRead}})
			}
			w := s.fill(t, text("kept as typed", "kind", "log", "key", key), "Cookie", "session="+c.cookie)
			if c.owner == "" {
				assert.Equal(t, http.StatusForbidden, w.Code)
				assert.Contains(t, w.Body.String(), c.says)
				assert.Contains(t, w.Body.String(), "kept as typed</textarea>")
				assert.NotContains(t, w.Body.String(), "dk_wrong", "a key is not shown again")
				return
			}
			want := c.owner
			if want == "key" {
				want = s.keyID(t)
			}
			assert.Equal(t, want, s.owner(t, w))
		})
	}
}

// A wrong key is told together with what else is wrong.
func TestNew_wrongKeyAndFields(t *testing.T) {
	s := newSharing(t)
	w := s.fill(t, text("", "kind", "log", "key", "dk_wrong"))
	assert.Equal(t, http.StatusForbidden, w.Code)
	formCase{Says: map[string]string{"key": "unknown, revoked or expired", "text": "must not be empty"}}.check(t, w.Body.String())
}

// The limits of a key apply here too.
func TestNew_limitsOfAKey(t *testing.T) {
	s := newSharing(t)
	key := s.issue(t, apikey.Options{PerMinute: 1, MaxExpiry: time.Hour})
	w := s.fill(t, text("x", "kind", "log", "expiry", "never", "key", key))
	id := strings.TrimSuffix(strings.TrimPrefix(w.Header().Get("Location"), "/logs/"), "?shared")
	log, err := s.shares.Log(t.Context(), id)
	require.NoError(t, err)
	assert.Equal(t, log.Created.Add(time.Hour), log.Expires)
	assert.Equal(t, http.StatusTooManyRequests, s.fill(t, text("x", "kind", "log", "key", key)).Code)
}

// keyID returns the id of the key.
func (s sharing) keyID(t *testing.T) string {
	t.Helper()
	require.NoError(t, s.usage.Flush(t.Context()))
	counts, err := s.usage.OfDays(t.Context(), "", time.Now(), 1)
	require.NoError(t, err)
	require.Len(t, counts, 1)
	return counts[0].Key
}

// Public shares always expire.
func TestNew_publicSharesExpire(t *testing.T) {
	s := newSharing(t, public)
	w := s.fill(t, text("x", "expiry", "never"))
	assert.Equal(t, http.StatusBadRequest, w.Code)
	assert.Contains(t, w.Body.String(), "Expiry must be 30 days at most without a key.")
	long := s.fill(t, text(strings.Repeat("x", share.MaxLogContent+1), "kind", "log", "expiry", "never", "title", strings.Repeat("t", share.MaxLogTitle+1), "format", "json")).Body.String()
	assert.Contains(t, long, "Expiry must be 30 days at most without a key.")
	assert.Contains(t, long, "Title has 1001 characters")
	assert.Equal(t, 2, strings.Count(long, `class="fault"`), "a long log may be shared")
	assert.Equal(t, http.StatusSeeOther, s.fill(t, text("x", "expiry", "never", "key", s.key)).Code)
	alone := newPages(t, public)
	assert.NotContains(t, alone.get(t, "/", browser).Body.String(), "Never", "where nobody may, it is no choice")
}

func TestNew_limits(t *testing.T) {
	// The clock of the expressions of languages outlives its first use by a second,
	// so the examples of the start page are drawn outside the bubble, and each
	// share says that it is a log.
	newPages(t, public).get(t, "/", browser)
	synctest.Test(t, func(t *testing.T) {
		s := newSharing(t, public, func(o *web.Options) {
			o.Now, o.TrustedProxies = time.Now, []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}
		})
		for range 2 {
			assert.Equal(t, http.StatusSeeOther, s.fill(t, text("x", "kind", "log"), "X-Forwarded-For", "2001:db8::1").Code)
			assert.Equal(t, http.StatusSeeOther, s.fill(t, text("x", "kind", "log", "key", s.key), "X-Forwarded-For", "2001:db8::1").Code)
		}
		<-time.After(20 * time.Second)
		w := s.fill(t, text("kept as typed", "kind", "log"), "X-Forwarded-For", "2001:db8::ffff")
		assert.Equal(t, http.StatusTooManyRequests, w.Code, "a /64 is one visitor")
		assert.Equal(t, "40", w.Header().Get("Retry-After"))
		assert.Contains(t, w.Body.String(), `Send it again in <span data-wait="40">under a minute</span>.`)
		assert.Contains(t, w.Body.String(), "kept as typed</textarea>")
		assert.Equal(t, http.StatusTooManyRequests, s.fill(t, text("x", "kind", "log", "key", s.key), "X-Forwarded-For", "192.0.2.1").Code)
		assert.Equal(t, http.StatusSeeOther, s.fill(t, text("x", "kind", "log"), "X-Forwarded-For", "192.0.2.1").Code)

		require.NoError(t, s.usage.Flush(t.Context()))
		counts, err := s.usage.OfDays(t.Context(), "", time.Now(), 1)
		require.NoError(t, err)
		byOwner := make(map[string]int64)
		for _, c := range counts {
			assert.Equal(t, "log-share", c.Operation)
			byOwner[c.Key] += c.N
		}
		assert.Len(t, byOwner, 2)
		assert.Equal(t, int64(4), byOwner["public"])
	})
}

// A form from another site creates no share, whoever is signed in.
func TestNew_formsOfOtherSites(t *testing.T) {
	p := newPages(t, signedIn)
	for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"}} {
		w := p.fill(t, text("x"), headers...)
		assert.Equal(t, http.StatusForbidden, w.Code)
		assert.Contains(t, w.Body.String(), "came from somewhere else")
	}
	assert.Equal(t, http.StatusSeeOther, p.fill(t, text("x"), "Origin", "http://example.com").Code)
	assert.Equal(t, "strict-origin", p.get(t, "/", browser).Header().Get("Referrer-Policy"), "its forms name where they come from")
}

func TestNew_uploadsAreBounded(t *testing.T) {
	p := newPages(t, public)
	var parts strings.Builder
	for range 17 {
		parts.WriteString("--x\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\ny\r\n")
	}
	for body, contentType := range map[string]string{
		"text=x":                 "application/x-www-form-urlencoded",
		"x":                      "multipart/form-data",
		"--x\r\nContent":         "multipart/form-data; boundary=x",
		parts.String() + "--x--": "multipart/form-data; boundary=x",
	} {
		w := p.send(t, contentType, strings.NewReader(body))
		assert.Equal(t, http.StatusBadRequest, w.Code, body)
		assert.Contains(t, w.Body.String(), "This form cannot be read")
	}
	head := "--x\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\n"
	w := p.send(t, "multipart/form-data; boundary=x", io.MultiReader(strings.NewReader(head), endless('y')))
	assert.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
}

// endless reads as an endless sequence of one byte.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// faulty is a store in which Create fails.
type faulty struct {
	store.Store
	err error
}

func (f faulty) Create(context.Context, string, []byte, time.Time) error { return f.err }

func TestNew_storeWithoutRoomKeepsTheText(t *testing.T) {
	p := newPages(t, public, func(o *web.Options) {
		o.Shares = newShares(t, faulty{store.NewMemory(), store.ErrUnavailable}, share.Options{})
	})
	w := p.fill(t, text("kept as typed"))
	assert.Equal(t, http.StatusServiceUnavailable, w.Code)
	assert.Equal(t, "30", w.Header().Get("Retry-After"))
	assert.Contains(t, w.Body.String(), "kept as typed</textarea>")
	assert.Contains(t, w.Body.String(), "Nothing was shared.")
}

func TestNew_unforeseen(t *testing.T) {
	p := newPages(t, func(o *web.Options) {
		o.Sharing.SignedIn = func(*http.Request) (string, error) { return "", errors.New("a secret detail") }
	})
	w := p.fill(t, text("x"))
	assert.Equal(t, http.StatusInternalServerError, w.Code)
	assert.NotContains(t, w.Body.String(), "secret detail")
	assert.Contains(t, p.log.String(), "secret detail")
}

// Without permission to share, the start page has no form.
func TestNew_whereNobodyMay(t *testing.T) {
	p := newPages(t)
	assert.Equal(t, http.StatusNotFound, p.get(t, "/new", browser).Code)
	assert.Equal(t, http.StatusNotFound, p.fill(t, text("x")).Code)
	assert.NotContains(t, p.get(t, "/", browser).Body.String(), "<form")
	open := newPages(t, public)
	assert.NotContains(t, open.get(t, "/", browser).Body.String(), `name="key"`, "there are none")
	assert.Contains(t, open.get(t, "/?kind=snippet", browser).Body.String(), `<option value="snippet" selected>`)
}

func TestNew_burnsAndEncrypts(t *testing.T) {
	p := newPages(t, public)
	w := p.fill(t, text("secret", "burn", "1", "kind", "log"))
	require.Equal(t, http.StatusSeeOther, w.Code)
	path, _, _ := strings.Cut(w.Header().Get("Location"), "?")
	_, err := p.shares.Log(t.Context(), strings.TrimPrefix(path, "/logs/"))
	assert.ErrorIs(t, err, share.ErrReadOnce)
	assert.Contains(t, p.get(t, path+"?shared", browser).Body.String(), "The first who opens this link can read it")

	sealed, _, err := seal.Seal(seal.Share{Kind: "snippet", Content: "x"})
	require.NoError(t, err)
	w = p.fill(t, text(sealed, "encrypted", "1", "kind", "snippet", "mask", "1"))
	require.Equal(t, http.StatusSeeOther, w.Code)
	path, _, _ = strings.Cut(w.Header().Get("Location"), "?")
	snippet, err := p.shares.Snippet(t.Context(), strings.TrimPrefix(path, "/snippets/"))
	require.NoError(t, err)
	assert.Equal(t, sealed, snippet.Code)
	assert.True(t, snippet.Encrypted)
}

func TestNew_fromSnippet(t *testing.T) {
	p := newPages(t, public)
	id := p.newSnippet(t, "\n<b>\n", share.SnippetOptions{Title: "a.html", Language: "html"})
	page := p.get(t, "/?from="+id, browser).Body.String()
	for _, want := range []string{">\n\n&lt;b&gt;\n</textarea>", `value="a.html"`, `value="html"`, `<option value="snippet" selected>`} {
		assert.Contains(t, page, want)
	}
	assert.Equal(t, http.StatusNotFound, p.get(t, "/?from=0123456789abcdef", browser).Code)
	assert.Equal(t, http.StatusConflict, p.get(t, "/?from="+p.newSnippet(t, "x", share.SnippetOptions{Burn: true}), browser).Code)
}

// The former address of the form leads to the start page, with what it asks for.
func TestNew_formerAddress(t *testing.T) {
	p := newPages(t, public)
	for from, to := range map[string]string{"/new": "/", "/new?kind=log": "/?kind=log", "/new?from=4gyvm6pt90hk4r7z": "/?from=4gyvm6pt90hk4r7z"} {
		w := p.get(t, from, browser)
		assert.Equal(t, http.StatusSeeOther, w.Code, from)
		assert.Equal(t, to, w.Header().Get("Location"), from)
	}
	assert.Contains(t, p.get(t, "/?example=log", browser).Body.String(), "SocketTimeoutException: Read timed out\n")
}

// Visitors delete what they shared with the link that they got, and nobody
// without it.
func TestDelete_byItsVisitor(t *testing.T) {
	p := newPages(t, public)
	for _, c := range []formCase{text("x", "kind", "log"), text("x", "kind", "snippet"), text("x", "kind", "log", "burn", "1")} {
		location := p.fill(t, c).Header().Get("Location")
		path, token, _ := strings.Cut(location, "?shared=")
		require.Len(t, token, 26)
		page := p.get(t, location, browser).Body.String()
		assert.Contains(t, page, `href="http://example.com`+path+"/delete?token="+token+`"`)
		assert.NotContains(t, p.get(t, path, browser).Body.String(), token)
		asked := p.get(t, path+"/delete?token="+token, browser).Body.String()
		assert.Contains(t, asked, `<form method="post" action="?token=`+token+`">`)
		assert.Contains(t, asked, `<code>`+path+`</code>`, "which share it is")
		for _, wrong := range []string{"", "?token=A" + token[1:] + "A"} {
			w := p.get(t, path+"/delete"+wrong, browser)
			assert.Equal(t, http.StatusForbidden, w.Code, "who cannot delete it is not asked")
			assert.Contains(t, w.Body.String(), `<h1>You cannot delete this share</h1>`)
			assert.Contains(t, w.Body.String(), `<a class="button" href="`+path+`">`)
			assert.NotContains(t, w.Body.String(), `<form method="post" action="?token`)
		}

		remove := func(token string, headers ...string) int {
			return p.press(t, path+"/delete?token="+token, browser, headers...).Code
		}
		assert.Equal(t, http.StatusForbidden, remove("A"+token[1:]+"A"))
		assert.Equal(t, http.StatusForbidden, remove(""))
		assert.Equal(t, http.StatusForbidden, remove(token, "Origin", "https://evil.example"))
		assert.Equal(t, http.StatusOK, remove(token))
		assert.Equal(t, http.StatusNotFound, remove(token))
		assert.Equal(t, http.StatusNotFound, p.get(t, path, browser).Code)
		assert.Equal(t, http.StatusNotFound, p.get(t, path+"/delete?token="+token, browser).Code)
	}
	owned := newPages(t, signedIn)
	location := owned.fill(t, text("x", "kind", "log")).Header().Get("Location")
	assert.True(t, strings.HasSuffix(location, "?shared"), "an owner has a dashboard")
	assert.NotContains(t, owned.get(t, location, browser).Body.String(), "/delete?")
}
