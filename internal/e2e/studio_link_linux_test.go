package e2e_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
)

// peakMemory returns the peak memory of the largest renderer process, in bytes.
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

// A link that would expand to half a gigabyte is refused early. Uncollected
// garbage in the renderer varies by tens of megabytes.
func TestStudioLink_bombStaysSmall(t *testing.T) {
	b := e2e.Launch(t)
	s := newService(t)
	link := studioLink(t, `{"code":"`, strings.Repeat("a", 540_000_000))
	require.Less(t, len(link), 1<<20, "the studio does not look at longer ones")
	p := newTab(t, b, s, view{width: 1440})
	for _, honest := range []string{studioLink(t, `{"code":"`, "a"), "/slug", studioLink(t, `{"code":"`, strings.Repeat("a\n", 10_000)), "/slug"} {
		p.open(t, honest)
	}
	before := peakMemory(t, b)
	p.open(t, link)
	until(t, p, `document.querySelector('[data-faults]').textContent.startsWith('This link is damaged')`)
	assert.Less(t, peakMemory(t, b)-before, 160<<20)
	p.clean(t)
}
