package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/seal"
)

// The first test vector of package seal, with its key as in links.
const (
	sealedSample = "devkiln1.CSn_DHDM1fSdV5OW24Vd77jFRTxRbEpXwllSlP0GeCmdlDoVA5d27jT_6qEJuMfTXFs9sN_-9WCApC2N0nbvlXRgnb_dCUuR6eA2W8kHqKPrNx3k7hIrH8vrPULH3lsS93ho"
	sampleKey    = "#5Il8EZOc_7VjCUPCfO48IlJmMyew47sE__7lQBzwBkk"
)

func public(o *web.Options) { o.Sharing.Public = true }

// importSeal imports the encryption module of a page that has it.
const importSeal = `const { open, seal } = await import(document.querySelector('script[src$="/new.js"]').src.replace('new.js', 'seal.js'));`

// The script opens what package seal seals, refuses what the package refuses,
// and the package opens what the script seals.
func TestSeal_vectors(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	p := newTab(t, b, newService(t, public), view{width: 1440})
	p.open(t, "/")
	data, err := os.ReadFile("../../share/seal/testdata/vectors.json")
	require.NoError(t, err)
	var vectors []struct {
		Name, Kind, Key, Sealed, Title, Language, Content string
		Fails                                             bool
	}
	require.NoError(t, json.Unmarshal(data, &vectors))
	require.GreaterOrEqual(t, len(vectors), 12)
	for _, v := range vectors {
		got := eval[map[string]string](t, p, `async (kind, sealed, key) => { `+importSeal+` return open(kind, sealed, key).catch(() => ({ failed: 'true' })); }`, v.Kind, v.Sealed, v.Key)
		want := map[string]string{"kind": v.Kind, "title": v.Title, "language": v.Language, "content": v.Content}
		if v.Fails {
			want = map[string]string{"failed": "true"}
			assert.Equal(t, want, got, v.Name)
			continue
		}
		assert.Equal(t, want, got, v.Name)
		made := eval[map[string]string](t, p, `async (share) => { `+importSeal+` return seal(share); }`, want)
		opened, err := seal.Open(v.Kind, made["sealed"], made["key"])
		assert.NoError(t, err, v.Name)
		assert.Equal(t, seal.Share{Kind: v.Kind, Title: v.Title, Language: v.Language, Content: v.Content}, opened, v.Name)
	}
	p.clean(t)
}

// shown returns the visible text of a page.
func (t *tab) shown(tb testing.TB) string {
	tb.Helper()
	return eval[string](tb, t, `() => document.querySelector('main').innerText`)
}

// shows waits for a text, since lines are painted a frame after the page loads.
func (t *tab) shows(tb testing.TB, text string) {
	tb.Helper()
	until(tb, t, fmt.Sprintf(`document.querySelector('main')?.innerText.includes(%q)`, text))
}

func TestEncrypted_withoutScripts(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for path, want := range map[string]string{
		s.log(t, sealedSample, share.LogOptions{Encrypted: true}) + sampleKey:             "This page needs it to decrypt",
		s.log(t, sealedSample, share.LogOptions{Encrypted: true, Burn: true}) + sampleKey: "so it is not read either",
	} {
		p := newTab(t, e2e.Open(t), s, view{width: 390, noScripts: true})
		p.open(t, path)
		p.shows(t, want)
		assert.NotContains(t, p.shown(t), "Read and delete")
	}
}

func TestReadOnce_buttonReads(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	axe := axeSource(t)
	s := newService(t)
	for _, v := range usualLooks {
		t.Run(v.String(), func(t *testing.T) {
			path := s.log(t, sampleLog, share.LogOptions{Burn: true, Title: "Nightly build"})
			p := newTab(t, b, s, v)
			p.open(t, path)
			assert.NotContains(t, p.shown(t), "it broke")
			_ = eval[any](t, p, `() => { window.leaving = true; document.querySelector('[data-read] button').focus(); }`)
			require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("\r")))
			until(t, p, `!window.leaving && document.readyState === 'complete'`)
			p.shows(t, "ERROR it broke")
			p.shows(t, "It was deleted when you opened it")
			assert.True(t, eval[bool](t, p, `() => document.querySelector('[data-save]').checkVisibility()`), "what is nowhere else can be saved")
			assert.Empty(t, violations(t, p, axe))
			p.paint(t, "read "+v.String())
			p.open(t, path)
			p.shows(t, "expired or never existed")
			p.clean(t)
		})
	}
}

// Text encrypted on the page is readable through its link. Neither the text nor
// its key is in any request or in the store.
func TestEncrypted_fromFormToReader(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t, public)
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, "/")
	require.NoError(t, chromedp.Do(p.Context,
		chromedp.SendKeys(chromedp.CSS("#share-text"), "hunter2 <b>\nsecond line"), chromedp.SendKeys(chromedp.CSS("#share-title"), "A title"),
		chromedp.SetValue(chromedp.CSS("[data-protection]"), "encrypt once"),
	))
	follow(t, p, ".sharing .first")
	until(t, p, `document.querySelector('.shared pre')?.textContent.includes('#')`)
	link := eval[string](t, p, `() => document.querySelector('.shared pre').textContent`)
	p.shows(t, "The first who opens this link")
	path, key, _ := strings.Cut(strings.TrimPrefix(link, s.URL), "#")
	require.Len(t, key, 43)
	log, err := s.shares.Log(t.Context(), strings.TrimPrefix(path, "/logs/"))
	assert.ErrorIs(t, err, share.ErrReadOnce)
	assert.True(t, log.Encrypted)

	p.open(t, path)
	p.shows(t, "The key is missing")
	assert.NotContains(t, p.shown(t), "Read and delete", "a link without its key reads nothing")
	p.open(t, "/slug")
	p.open(t, path+"#"+key)
	follow(t, p, "[data-read] button")
	until(t, p, `document.querySelector('h1').textContent === 'A title'`)
	p.shows(t, "hunter2 <b>")
	p.clean(t)

	kept := s.log(t, sealedSample, share.LogOptions{Encrypted: true})
	p.open(t, kept+"#"+strings.Repeat("A", 43))
	until(t, p, `!document.querySelector('[data-fault]').hidden`)
	p.shows(t, "does not open this")
	p.open(t, "/slug")
	p.open(t, kept+sampleKey)
	until(t, p, `document.querySelector('h1').textContent === 'nightly build'`)
	p.shows(t, "ERROR disk is full")
	p.clean(t)
}
