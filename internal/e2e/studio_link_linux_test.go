package e2e_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
)

// bombLink is the address of a studio whose settings are n bytes.
func bombLink(t *testing.T, n int) string {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	require.NoError(t, err)
	_, err = w.Write([]byte(`{"code":"`))
	require.NoError(t, err)
	_, err = w.Write(bytes.Repeat([]byte("a"), n))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return "/screenshot#" + base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// peakMemory is the most memory that the largest process of pages has had, in
// bytes.
func peakMemory(t *testing.T, b *e2e.Browser) (most int) {
	t.Helper()
	info, err := chromedp.CallBrowser(b.Context, systeminfo.GetProcessInfo, cdp.Empty{})
	require.NoError(t, err)
	for _, p := range info.ProcessInfo {
		if p.Type != "renderer" {
			continue
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.ID))
		require.NoError(t, err)
		found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
		require.NotNil(t, found)
		kB, err := strconv.Atoi(string(found[1]))
		require.NoError(t, err)
		most = max(most, kB<<10)
	}
	return most
}

// A link that would become half a gigabyte is refused before it does.
func TestStudioLink_bombStaysSmall(t *testing.T) {
	b := e2e.Launch(t)
	s := newService(t)
	link := bombLink(t, 540_000_000)
	require.Less(t, len(link), 1<<20, "the studio does not look at longer ones")
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, "/screenshot")
	before := peakMemory(t, b)
	p.open(t, "/slug")
	p.open(t, link)
	until(t, p, `document.querySelector('[data-problems]').textContent.startsWith('This link is damaged')`)
	assert.Less(t, peakMemory(t, b)-before, 64<<20)
	p.clean(t)
}
