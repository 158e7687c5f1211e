package dashboard_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/seal"
)

// The sign-in leads to the requested page.
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
		w = p.post(t, prefix+"/dashboard/sign-in", "password", "wrong", "next", "/dashboard/keys")
		require.Contains(t, w.Body.String(), `value="/dashboard/keys"`, "the second try leads back as well")
		w = p.post(t, prefix+"/dashboard/sign-in", "password", password, "next", "/dashboard/keys")
		assert.Equal(t, prefix+"/dashboard/keys", w.Header().Get("Location"))
		w = p.post(t, prefix+"/dashboard/sign-in", "password", password, "next", "//evil.example")
		assert.Equal(t, prefix+"/dashboard", w.Header().Get("Location"))
	}
}

// The sign-in leads only to pages of the dashboard.
func TestSignIn_leadsToOwnPagesOnly(t *testing.T) {
	p := newPanel(t)
	p.signIn(t)
	for next, want := range map[string]string{
		"/dashboard/keys":           "/dashboard/keys",
		"/dashboard/shares?after=x": "/dashboard/shares?after=x",
		"":                          "/dashboard", "/": "/dashboard", "x": "/dashboard", "%zz": "/dashboard",
		"https://evil.example/dashboard/keys": "/dashboard", "//evil.example/dashboard/keys": "/dashboard", `/\evil.example`: "/dashboard",
		`\/evil.example`: "/dashboard", "/dashboard//evil.example": "/dashboard", "/dashboard/../../evil": "/dashboard", "/dashboard/%2e%2e/evil": "/dashboard",
		"javascript:alert(1)": "/dashboard", "/dashboard\r\nLocation: /evil": "/dashboard", "@evil.example/dashboard/keys": "/dashboard",
		"/dashboard/sign-in": "/dashboard", "/dashboard/sign-out": "/dashboard", "/nowhere": "/dashboard", "/logs/0123456789abcdef": "/dashboard",
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
	assert.Contains(t, p.get(t, "/dashboard/shares?kind=snippet").Body.String(), `Snippet <span class="muted">Text</span>`, "as the page of the snippet says")
	assert.Equal(t, http.StatusNotFound, p.get(t, "/dashboard/shares?kind=key").Code)
}

// The list tells what is encrypted, and what the next click deletes.
func TestShareList_encryptedAndOnce(t *testing.T) {
	p := newPanel(t)
	p.signIn(t)
	sealed, _, err := seal.Seal(seal.Share{Kind: "log", Content: "x"})
	require.NoError(t, err)
	for _, o := range []share.LogOptions{{Burn: true}, {Encrypted: true}, {Encrypted: true, Burn: true}, {}} {
		content := "x"
		if o.Encrypted {
			content = sealed
		}
		_, err := p.shares.CreateLog(t.Context(), content, o)
		require.NoError(t, err)
	}
	_, err = p.shares.CreateSnippet(t.Context(), sealed, share.SnippetOptions{Encrypted: true})
	require.NoError(t, err)
	var types []string
	for _, cell := range regexp.MustCompile(`<td data-label="Type">(\w+) <span class="muted">([^<]*)</span>`).FindAllStringSubmatch(p.get(t, "/dashboard/shares").Body.String(), -1) {
		types = append(types, cell[1]+" "+cell[2])
	}
	assert.ElementsMatch(t, []string{"Snippet encrypted", "Log ", "Log encrypted, once", "Log encrypted", "Log once"}, types)
}

// The next page of a search continues the search.
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
