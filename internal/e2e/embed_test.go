package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// sites returns two sites that show the same page, set later. One is addressed
// by name and one by IP address, so their origins differ.
func sites(t *testing.T, page *string) (named, other string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, *page)
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", e2e.Named, 1), server.URL
}

// same counts the pixels of two images that are nearly equal.
func same(a, b image.Image) (count int) {
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			ar, ag, ab, _ := a.At(x, y).RGBA()
			br, bg, bb, _ := b.At(x, y).RGBA()
			if max(ar, br)-min(ar, br) < 0x400 && max(ag, bg)-min(ag, bg) < 0x400 && max(ab, bb)-min(ab, bb) < 0x400 {
				count++
			}
		}
	}
	return count
}

// A snippet looks in a frame of a permitted site as it does alone, and does not
// load in other sites.
func TestEmbed_inPagesOfOtherSites(t *testing.T) {
	t.Parallel()
	var page string
	allowed, other := sites(t, &page)
	shares, err := share.New(store.NewMemory(), share.Options{})
	require.NoError(t, err)
	pages, err := web.New(web.Options{Shares: shares, EmbedOrigins: []string{allowed}})
	require.NoError(t, err)
	server := httptest.NewServer(pages)
	t.Cleanup(server.Close)
	snippet, err := shares.CreateSnippet(context.Background(), "package main\n\n// A kiln.\nfunc main() { println(12) }\n", share.SnippetOptions{Language: "go", Title: "kiln.go"})
	require.NoError(t, err)
	const width, height = 720, 90 // of the lines; what is below them stays at the bottom of the frame
	page = "<!doctype html><style>body { margin: 0 } iframe { border: 0; display: block }</style>" +
		fmt.Sprintf(`<iframe src="%s/snippets/%s/embed" width="%d" height="200" title="kiln.go" sandbox="allow-popups allow-same-origin"></iframe>`, server.URL, snippet.ID, width)

	b := e2e.Open(t)
	show := func(address string) (image.Image, error) {
		if err := b.Load(chromedp.Navigate(address)); err != nil {
			return nil, err
		}
		return b.Screenshot(width, height)
	}
	alone, all := server.URL+"/snippets/"+snippet.ID+"/embed", width*height
	first, err := show(alone)
	require.NoError(t, err)
	copied := `async () => {
		document.querySelector('[data-copy]').click();
		await new Promise((done) => setTimeout(done, 500));
		return document.querySelector('[data-copy]').textContent;
	}`
	said, err := e2e.Call[string](b, copied)
	require.NoError(t, err)
	assert.Contains(t, said, "opied", "the button is there, and says what it did")
	elsewhere, err := show(other)
	require.NoError(t, err)
	assert.Less(t, same(first, elsewhere), all*98/100, "in another")
	// Fonts that arrive late are those of the next page, and the time at which a frame is painted is not known.
	require.Eventually(t, func() bool {
		page, err := show(alone)
		frame, err2 := show(allowed)
		return errors.Join(err, err2) == nil && same(page, frame) > all*999/1000
	}, time.Minute, 100*time.Millisecond, "in the site that is allowed")
}
