package e2e_test

import (
	"fmt"
	"image/color"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

// A filter without hits says so where one looks, with the way back.
func TestFilter_withoutHits(t *testing.T) {
	b := e2e.Launch(t)
	s := newService(t)
	path := s.log(t, levelledLog(3_000), share.LogOptions{})
	for _, v := range everyLook {
		t.Run(v.String(), func(t *testing.T) {
			p := newTab(t, b, s, v)
			p.open(t, path)
			reveal(t, p, 1_500)
			find(t, p, "no such line")
			until(t, p, `document.querySelector('.none').checkVisibility()`)
			assert.True(t, eval[bool](t, p, `() => {
				const box = document.querySelector('.none button').getBoundingClientRect();
				const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
				return at?.textContent === 'Clear filter' && box.bottom < innerHeight * 0.8;
			}`), "the button is in sight and can be clicked")
			_ = eval[any](t, p, `() => document.querySelector('.none button').click()`)
			until(t, p, `!document.querySelector('.none').checkVisibility() && document.querySelector('[name=find]').value === '' && document.querySelector('.matches').textContent === ''`)
			p.clean(t)
		})
	}
}

// A link to a line shows it, below the header and not under it.
func TestAnchors_areNotUnderTheHeader(t *testing.T) {
	b := e2e.Launch(t)
	s := newService(t)
	log := s.log(t, levelledLog(3_000), share.LogOptions{Title: "Payment timeouts after the deploy"})
	code := s.snippet(t, strings.Repeat("x = 1\n", 600), share.SnippetOptions{Language: "python"})
	for _, path := range []string{log, code} {
		for _, v := range append([]view{{width: 390, noScripts: true}, {width: 1440, noScripts: true}, {width: 844, height: 390}}, everyLook...) {
			t.Run(path[:5]+" "+v.String(), func(t *testing.T) {
				p := newTab(t, b, s, v)
				p.open(t, path+"#L300")
				until(t, p, `(() => {
					const box = document.getElementById('L300').getBoundingClientRect();
					return box.top > 0 && box.bottom < innerHeight && document.elementFromPoint(innerWidth / 2, box.top + 2)?.id === 'L300';
				})()`)
				p.clean(t)
			})
		}
	}
}

// Nothing sticks in a window that is not tall.
func TestHeader_lowWindow(t *testing.T) {
	b := e2e.Launch(t)
	s := newService(t)
	path := s.log(t, levelledLog(500), share.LogOptions{})
	for _, c := range []struct {
		view
		sticks bool
	}{{view{width: 1440}, true}, {view{width: 390, height: 844}, true}, {view{width: 1440, zoomed: true}, false}, {view{width: 844, height: 390}, false}} {
		p := newTab(t, b, s, c.view)
		p.open(t, path)
		reveal(t, p, 300)
		assert.Equal(t, c.sticks, eval[bool](t, p, `() => document.querySelector('.share').getBoundingClientRect().bottom > 0`), c.view.String())
		if c.sticks {
			assert.Less(t, eval[float64](t, p, `() => document.querySelector('.tools').getBoundingClientRect().bottom / innerHeight`), 0.25, "the header leaves room")
		}
	}
}

// What is copied is what is shown, as it was shared.
func TestCopy_ofWhatIsShown(t *testing.T) {
	b := e2e.Launch(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.allow(t)
	p.open(t, s.log(t, "INFO a\r\nERROR \x1b[31mb\x1b[0m\r\n\tat c\r\nINFO d\r\nERROR e", share.LogOptions{}))
	tick(t, p, "show-e")
	until(t, p, `document.querySelector('.matches').textContent === '3 of 5'`)
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-copy]"))))
	until(t, p, `document.querySelector('[data-copy]').textContent === 'Copied'`)
	assert.Equal(t, "ERROR \x1b[31mb\x1b[0m\n\tat c\nERROR e", eval[string](t, p, `() => navigator.clipboard.readText()`))
	p.clean(t)
}

// at returns the colour that is painted at the right end of a line.
func at(t *testing.T, p *tab, line int) color.RGBA {
	t.Helper()
	spot := eval[[]float64](t, p, `(n) => { const box = document.getElementById('L' + n).getBoundingClientRect(); return [box.right - 4, box.top + box.height / 2]; }`, line)
	width, height := eval[float64](t, p, `() => innerWidth`), eval[float64](t, p, `() => innerHeight`)
	img, err := p.Screenshot(int(width), int(height))
	require.NoError(t, err)
	r, g, bl, _ := img.At(int(spot[0]), int(spot[1])).RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(bl >> 8), 255}
}

// A selection and each level have a ground of their own, as painted.
func TestGrounds_asPainted(t *testing.T) {
	b := e2e.Launch(t)
	s := newService(t)
	path := s.log(t, "INFO a\nWARN b\nERROR c\nINFO d\nERROR e\n", share.LogOptions{})
	for v, want := range map[view][3]color.RGBA{
		{width: 1440}:             {{0xfb, 0xf3, 0xdf, 255}, {0xfd, 0xec, 0xeb, 255}, {0xff, 0xf4, 0xc2, 255}},
		{width: 1440, dark: true}: {{0x33, 0x29, 0x0f, 255}, {0x3d, 0x1d, 0x1b, 255}, {0x3a, 0x32, 0x12, 255}},
	} {
		p := newTab(t, b, s, v)
		p.open(t, path+"#L5")
		until(t, p, `document.querySelectorAll('[data-on]').length === 1`)
		assert.Equal(t, want, [3]color.RGBA{at(t, p, 2), at(t, p, 3), at(t, p, 5)}, v.String())
	}
	p := newTab(t, b, s, view{width: 1440, forced: true})
	p.open(t, path+"#L4")
	until(t, p, `document.querySelectorAll('[data-on]').length === 1`)
	assert.NotEqual(t, at(t, p, 1), at(t, p, 4), "in forced colours a selection can be seen")
}

// Brand and navigation are one row on a phone, and the current page changes no
// link's place.
func TestNavigation_isOneRow(t *testing.T) {
	b := e2e.Launch(t)
	s := newService(t)
	const places = `() => [...document.querySelectorAll('.site a')].map((a) => { const box = a.getBoundingClientRect(); return [Math.round(box.left), Math.round(box.right), Math.round(box.top)]; })`
	for _, width := range []int64{1440, 390, 360, 320} {
		var first [][]float64
		for _, path := range []string{"/", "/slug", "/gradient"} {
			p := newTab(t, b, s, view{width: width})
			p.open(t, path)
			until(t, p, `document.fonts.status === 'loaded'`)
			now := eval[[][]float64](t, p, places)
			if first == nil {
				first = now
			}
			assert.Equal(t, first, now, "%s at %d", path, width)
			if width < 480 {
				assert.LessOrEqual(t, eval[float64](t, p, `() => document.querySelector('.site').offsetHeight`), 48.0)
				last := now[len(now)-1]
				assert.LessOrEqual(t, last[1], float64(width), "the last link is in sight")
			}
		}
	}
}

// traffic sums what a page loads.
type traffic struct {
	mu    sync.Mutex
	bytes float64
	fonts []string
}

func (c *traffic) note(event any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := event.(type) {
	case *network.EventLoadingFinished:
		c.bytes += e.EncodedDataLength
	case *network.EventRequestWillBeSent:
		if strings.HasSuffix(e.Request.URL, ".woff2") {
			c.fonts = append(c.fonts, e.Request.URL[strings.LastIndexByte(e.Request.URL, '/')+1:])
		}
	}
}

// A page that was never visited takes at most 90 KB, fonts and all.
func TestPages_coldTransfer(t *testing.T) {
	b := e2e.Launch(t)
	s := newService(t)
	for name, path := range samplePages(t, s) {
		if name == "log-plain" || name == "log-long" {
			continue // they are large by what is in them
		}
		t.Run(name, func(t *testing.T) {
			p := newTab(t, b, s, view{width: 1440})
			c := &traffic{}
			require.NoError(t, chromedp.Listen(p.Context, c.note))
			_, err := chromedp.Call(p.Context, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
			require.NoError(t, err)
			p.open(t, path)
			until(t, p, `document.readyState === 'complete' && document.fonts.status === 'loaded'`)
			c.mu.Lock()
			defer c.mu.Unlock()
			t.Logf("%-15s %6.0f bytes, fonts %v", name, c.bytes, c.fonts)
			assert.LessOrEqual(t, c.bytes, 90_000.0)
			assert.Contains(t, fmt.Sprint(c.fonts), "sans.woff2")
		})
	}
}
