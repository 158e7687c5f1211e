package dashboard_test

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// formCase is a case of testdata/forms.json: what somebody fills in, and either
// the share that comes of it or what the form says then. Half a surrogate pair
// stands for a byte that is no UTF-8.
type formCase struct {
	Name, Kind string
	Fields     map[string]string
	Long       map[string]int // fields of so many characters
	File       *string
	FileName   string

	Content, Title, Format, Stats, Language string
	Hours                                   int // 0: for ever

	Says  map[string]string // of fields
	Keeps []string          // what the page holds
}

func formCases(t *testing.T) []formCase {
	t.Helper()
	data, err := os.ReadFile("testdata/forms.json")
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var cases []formCase
	require.NoError(t, d.Decode(&cases))
	return cases
}

// body is the form as a browser sends it.
func (c formCase) body(t *testing.T) (body, contentType string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	raw := strings.NewReplacer("�", "\xff")
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

// send sends a body to the form of a kind.
func (p *panel) send(t *testing.T, kind, contentType string, body io.Reader) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/dashboard/share/"+kind, body)
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Content-Type", contentType)
	for _, c := range p.cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w
}

func (p *panel) fill(t *testing.T, c formCase) *httptest.ResponseRecorder {
	t.Helper()
	body, contentType := c.body(t)
	return p.send(t, c.Kind, contentType, strings.NewReader(body))
}

func TestShareForm(t *testing.T) {
	p := newPanel(t)
	p.signIn(t)
	for _, c := range formCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			w := p.fill(t, c)
			if c.Says != nil {
				assert.Equal(t, http.StatusBadRequest, w.Code)
				c.check(t, w.Body.String())
				return
			}
			require.Equal(t, http.StatusSeeOther, w.Code, w.Body)
			location, made := strings.CutSuffix(w.Header().Get("Location"), "?made")
			require.True(t, made)
			c.shared(t, p, strings.TrimPrefix(location, "/dashboard/shares/"+c.Kind+"/"))
		})
	}
}

// check looks at the form that came back.
func (c formCase) check(t *testing.T, page string) {
	t.Helper()
	for field, says := range c.Says {
		_, problem, found := strings.Cut(page, `id="share-`+field+`-problem">`)
		require.True(t, found, field)
		problem, _, _ = strings.Cut(problem, "<")
		assert.Contains(t, html.UnescapeString(problem), says)
		assert.Contains(t, page, `share-`+field+`-problem"`)
	}
	assert.Equal(t, len(c.Says), strings.Count(page, `class="problem"`), "problems")
	for _, kept := range c.Keeps {
		assert.Contains(t, page, kept)
	}
}

// shared looks at what was made.
func (c formCase) shared(t *testing.T, p *panel, id string) {
	t.Helper()
	want := c
	for _, n := range c.Long {
		want.Content = strings.Repeat("é", n)
	}
	got := formCase{Title: want.Title}
	var created, expires time.Time
	var owner string
	if c.Kind == "log" {
		log, err := p.shares.Log(t.Context(), id)
		require.NoError(t, err)
		created, expires, owner = log.Created, log.Expires, log.Owner
		got = formCase{Content: log.Content, Title: log.Title, Format: string(log.Format)}
		if c.Stats != "" {
			got.Stats = string(log.Stats)
		}
	} else {
		snippet, err := p.shares.Snippet(t.Context(), id)
		require.NoError(t, err)
		created, expires, owner = snippet.Created, snippet.Expires, snippet.Owner
		got = formCase{Content: snippet.Code, Title: snippet.Title, Language: snippet.Language}
	}
	assert.Equal(t, formCase{Content: want.Content, Title: want.Title, Format: want.Format, Stats: want.Stats, Language: want.Language}, got)
	assert.Equal(t, "dashboard", owner)
	if c.Hours == 0 {
		assert.True(t, expires.IsZero())
		return
	}
	assert.Equal(t, time.Duration(c.Hours)*time.Hour, expires.Sub(created))
}

// What was shared has a page with its link, is on the list, and counts.
func TestShareForm_showsTheLink(t *testing.T) {
	p := newPanel(t)
	p.signIn(t)
	for _, kind := range []string{"log", "snippet"} {
		assert.Equal(t, http.StatusOK, p.get(t, "/dashboard/share/"+kind).Code)
		w := p.fill(t, formCase{Kind: kind, Fields: map[string]string{"content": "x", "code": "x", "title": "<i>", "expiry": "7d"}})
		location := w.Header().Get("Location")
		id := strings.TrimSuffix(location[strings.LastIndexByte(location, '/')+1:], "?made")
		page := p.get(t, location).Body.String()
		assert.Contains(t, page, ">http://example.com/"+kind+"s/"+id+"<")
		assert.Contains(t, page, " shared</h2>")
		assert.Contains(t, page, "7 days")
		assert.NotContains(t, page, "<i>")
		assert.NotContains(t, p.get(t, strings.TrimSuffix(location, "?made")).Body.String(), " shared</h2>", "later")
		list := p.get(t, "/dashboard/shares").Body.String()
		assert.Contains(t, list, `href="/`+kind+`s/`+id+`"`)
		assert.Contains(t, list, `class="owner">Dashboard</td>`)
	}
	p.fill(t, formCase{Kind: "log"})
	require.NoError(t, p.usage.Flush(t.Context()))
	counts, err := p.usage.OfDay(t.Context(), usage.Day(time.Now()))
	require.NoError(t, err)
	day := usage.Day(time.Now())
	assert.Equal(t, []usage.Count{
		{Day: day, Key: "dashboard", Operation: "code-snippet-share", Outcome: usage.OK, N: 1},
		{Day: day, Key: "dashboard", Operation: "log-share", Outcome: usage.OK, N: 1},
		{Day: day, Key: "dashboard", Operation: "log-share", Outcome: usage.Refused, N: 1},
	}, counts)
	for _, nowhere := range []string{"/dashboard/share", "/dashboard/share/key", "/dashboard/shares/log/0123456789abcdef", "/dashboard/shares/key/0123456789abcdef"} {
		assert.Equal(t, http.StatusNotFound, p.get(t, nowhere).Code, nowhere)
	}
}

func TestShareForm_longestLife(t *testing.T) {
	p := newPanel(t, func(o *dashboard.Options) {
		o.Shares = newShares(t, o.Backend, share.Options{List: true, MaxExpiry: time.Hour})
	})
	p.signIn(t)
	w := p.fill(t, formCase{Kind: "log", Fields: map[string]string{"content": "x", "expiry": "never"}})
	assert.Contains(t, p.get(t, w.Header().Get("Location")).Body.String(), "60 minutes")
}

// unread fails a test that reads it.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}

func TestShareForm_uploadsAreBounded(t *testing.T) {
	p := newPanel(t)
	p.setPassword(t)
	stranger := p.send(t, "log", "multipart/form-data; boundary=x", unread{t})
	assert.Equal(t, "/dashboard/sign-in?next=%2Fdashboard%2Fshare%2Flog", stranger.Header().Get("Location"))

	p.post(t, "/dashboard/sign-in", "password", password)
	var parts strings.Builder
	for range 17 {
		parts.WriteString("--x\r\nContent-Disposition: form-data; name=\"content\"\r\n\r\ny\r\n")
	}
	for body, contentType := range map[string]string{
		"content=x":              "application/x-www-form-urlencoded",
		"x":                      "multipart/form-data",
		"--x\r\nContent":         "multipart/form-data; boundary=x",
		parts.String() + "--x--": "multipart/form-data; boundary=x",
	} {
		w := p.send(t, "log", contentType, strings.NewReader(body))
		assert.Equal(t, http.StatusBadRequest, w.Code, body)
		assert.Contains(t, w.Body.String(), "This form cannot be read")
	}
	head := "--x\r\nContent-Disposition: form-data; name=\"content\"\r\n\r\n"
	w := p.send(t, "log", "multipart/form-data; boundary=x", io.MultiReader(strings.NewReader(head), endless('y')))
	assert.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
	found, err := p.shares.Find(t.Context(), share.Query{})
	require.NoError(t, err)
	assert.Empty(t, found.Shares)
}

// endless is a letter for ever.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestShareForm_rateLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPanel(t, func(o *dashboard.Options) {
			o.Limiter = ratelimit.NewLocal(o.Backend, ratelimit.Limits{PerMinute: 2})
		})
		p.signIn(t)
		form := formCase{Kind: "log", Fields: map[string]string{"content": "kept as typed"}}
		for range 2 {
			assert.Equal(t, http.StatusSeeOther, p.fill(t, form).Code)
		}
		wait(20 * time.Second)
		w := p.fill(t, form)
		assert.Equal(t, http.StatusTooManyRequests, w.Code)
		assert.Equal(t, "40", w.Header().Get("Retry-After"))
		assert.Contains(t, w.Body.String(), "Send it again in 40 seconds.")
		assert.Contains(t, w.Body.String(), "kept as typed</textarea>")
		require.NoError(t, p.usage.Flush(t.Context()))
		assert.Contains(t, p.get(t, "/dashboard").Body.String(), "Rate limited (429)</dt><dd>1<")
		wait(40 * time.Second)
		assert.Equal(t, http.StatusSeeOther, p.fill(t, form).Code)
	})
}

// full is a store without room.
type full struct{ store.Store }

func (full) Create(context.Context, string, []byte, time.Time) error { return store.ErrUnavailable }

func TestShareForm_fullStoreKeepsTheText(t *testing.T) {
	p := newPanel(t, func(o *dashboard.Options) { o.Shares = newShares(t, full{o.Backend}, share.Options{}) })
	p.signIn(t)
	w := p.fill(t, formCase{Kind: "snippet", Fields: map[string]string{"code": "kept as typed"}})
	assert.Equal(t, http.StatusServiceUnavailable, w.Code)
	assert.Equal(t, "30", w.Header().Get("Retry-After"))
	assert.Contains(t, w.Body.String(), "kept as typed</textarea>")
	assert.Contains(t, w.Body.String(), "Nothing was shared; try again in half a minute.")
}

// Whoever signs in arrives at what was asked for.
func TestSignIn_leadsBack(t *testing.T) {
	base, err := url.Parse("http://example.com/tools/")
	require.NoError(t, err)
	for prefix, base := range map[string]*url.URL{"": nil, "/tools": base} {
		p := newPanel(t, func(o *dashboard.Options) { o.BaseURL = base })
		p.mount(t, base)
		p.setPassword(t)
		w := p.get(t, prefix+"/dashboard/shares?after=x&y=%22%2F")
		door := prefix + "/dashboard/sign-in?next=%2Fdashboard%2Fshares%3Fafter%3Dx%26y%3D%2522%252F"
		require.Equal(t, door, w.Header().Get("Location"))
		assert.Contains(t, p.get(t, door).Body.String(), `name="next" value="/dashboard/shares?after=x&amp;y=%22%2F"`)
		w = p.post(t, prefix+"/dashboard/sign-in", "password", "wrong", "next", "/dashboard/share/log")
		require.Contains(t, w.Body.String(), `value="/dashboard/share/log"`, "the second try leads back as well")
		w = p.post(t, prefix+"/dashboard/sign-in", "password", password, "next", "/dashboard/share/log")
		assert.Equal(t, prefix+"/dashboard/share/log", w.Header().Get("Location"))
		w = p.post(t, prefix+"/dashboard/sign-in", "password", password, "next", "//evil.example")
		assert.Equal(t, prefix+"/dashboard", w.Header().Get("Location"))
	}
}

// A link to the sign-in leads nowhere but to the dashboard's own pages.
func TestSignIn_leadsToOwnPagesOnly(t *testing.T) {
	p := newPanel(t)
	p.signIn(t)
	for next, want := range map[string]string{
		"/dashboard/share/log":      "/dashboard/share/log",
		"/dashboard/shares?after=x": "/dashboard/shares?after=x",
		"":                          "/dashboard", "/": "/dashboard", "x": "/dashboard", "%zz": "/dashboard",
		"https://evil.example/dashboard/keys": "/dashboard", "//evil.example/dashboard/keys": "/dashboard", `/\evil.example`: "/dashboard",
		`\/evil.example`: "/dashboard", "/dashboard//evil.example": "/dashboard", "/dashboard/../../evil": "/dashboard", "/dashboard/%2e%2e/evil": "/dashboard",
		"javascript:alert(1)": "/dashboard", "/dashboard\r\nLocation: /evil": "/dashboard", "@evil.example/dashboard/keys": "/dashboard",
		"/dashboard/sign-in": "/dashboard", "/dashboard/sign-out": "/dashboard", "/dashboard/nowhere": "/dashboard", "/logs/0123456789abcdef": "/dashboard",
	} {
		w := p.get(t, "/dashboard/sign-in?"+url.Values{"next": {next}}.Encode())
		assert.Equal(t, want, w.Header().Get("Location"), next)
	}
}

func TestShareList_search(t *testing.T) {
	p := newPanel(t)
	p.signIn(t)
	for _, title := range []string{"nightly build", "deploy <b>", "BUILD 7"} {
		_, err := p.shares.CreateLog(t.Context(), "x", share.LogOptions{Title: title})
		require.NoError(t, err)
	}
	_, err := p.shares.CreateSnippet(t.Context(), "x", share.SnippetOptions{Title: "build.go", Language: "text"})
	require.NoError(t, err)
	for query, want := range map[string][]string{
		"":                    {"BUILD 7", "build.go", "deploy &lt;b&gt;", "nightly build"},
		"?q=+build+":          {"BUILD 7", "build.go", "nightly build"},
		"?q=build&kind=log":   {"BUILD 7", "nightly build"},
		"?kind=snippet":       {"build.go"},
		"?q=%3Cb%3E":          {"deploy &lt;b&gt;"},
		"?q=nothing+like+it":  nil,
		"?q=build&kind=&x=10": {"BUILD 7", "build.go", "nightly build"},
	} {
		w := p.get(t, "/dashboard/shares"+query)
		require.Equal(t, http.StatusOK, w.Code, query)
		var got []string
		for _, row := range regexp.MustCompile(`<th scope="row"><a href="[^"]+">([^<]+)</a>`).FindAllStringSubmatch(w.Body.String(), -1) {
			got = append(got, row[1])
		}
		assert.ElementsMatch(t, want, got, query)
		assert.Equal(t, len(want) == 0, strings.Contains(w.Body.String(), "No share matches."), query)
	}
	assert.Equal(t, http.StatusNotFound, p.get(t, "/dashboard/shares?kind=key").Code)
}

// The next page of what was searched for is searched too.
func TestShareList_searchGoesOn(t *testing.T) {
	p := newPanel(t)
	p.signIn(t)
	for i := range 120 {
		_, err := p.shares.CreateLog(t.Context(), "x", share.LogOptions{Title: []string{"even & so", "odd"}[i%2]})
		require.NoError(t, err)
	}
	first := p.get(t, "/dashboard/shares?q=even+%26&kind=log").Body.String()
	next := regexp.MustCompile(`href="(/dashboard/shares\?after=[^"]+)">Older`).FindStringSubmatch(first)
	require.NotNil(t, next)
	second := p.get(t, html.UnescapeString(next[1])).Body.String()
	assert.Equal(t, 10, strings.Count(second, "even &amp; so</a>"))
	assert.NotContains(t, second, "odd</a>")
	assert.Contains(t, second, `value="even &amp;"`)
}
