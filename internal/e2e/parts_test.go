package e2e_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

// largeLog returns a log of lines of 100 bytes, every thousandth an error.
func largeLog(lines int) string {
	var b strings.Builder
	start := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	for i := 1; i <= lines; i++ {
		level := "INFO "
		if i%1000 == 0 {
			level = "ERROR"
		}
		fmt.Fprintf(&b, "%s %s request %07d of the nightly build was served in %04d ms by worker %02d\n",
			start.Add(time.Duration(i)*100*time.Millisecond).Format("2006-01-02T15:04:05.000Z"), level, i, i%1777, i%24)
	}
	return b.String()
}

// large shares a log of any size and returns the path of its page.
func (s *service) large(tb testing.TB, content string) string {
	tb.Helper()
	log, err := s.shares.CreateLogFrom(context.Background(), strings.NewReader(content), share.LogOptions{Title: "nightly"})
	require.NoError(tb, err)
	return "/logs/" + log.ID
}

// TestParts_ofALog navigates a log of 4.6 MB by links, line number and search,
// with and without scripts.
func TestParts_ofALog(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	path := s.large(t, largeLog(45_000))
	for _, v := range []view{{width: 1440}, {width: 390}, {width: 1440, noScripts: true}, {width: 390, dark: true}} {
		t.Run(v.String(), func(t *testing.T) {
			p := newTab(t, b, s, v)
			search := func(query string) { // again, if the machine was too busy for it
				for range 20 {
					if p.open(t, path+query); !strings.Contains(p.shown(t), "the search stopped") {
						return
					}
				}
			}
			p.open(t, path)
			assert.Equal(t, "1", paintedNumbers(t, p)["L1"])
			assert.Contains(t, p.shown(t), "Part 1 of ")
			assert.Contains(t, p.shown(t), "45,000 lines")
			assert.Contains(t, p.shown(t), "Error\n45\n", "the whole is counted")
			next := eval[string](t, p, `() => document.querySelector('[rel=next]').search`)
			p.open(t, path+next)
			first := eval[string](t, p, `() => document.querySelector('.lines p').id`)
			if !v.noScripts { // a newly visible block is painted a frame later
				_ = eval[any](t, p, `() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`)
			}
			assert.Equal(t, first[1:], paintedNumbers(t, p)[first])
			assert.NotEqual(t, "L1", first)

			p.open(t, path+"?line=23456#L23456")
			assert.Equal(t, "23456", paintedNumbers(t, p)["L23456"])
			assert.Contains(t, eval[string](t, p, `() => document.getElementById('L23456').textContent`), "request 0023456 ")
			if !v.noScripts {
				p.open(t, path+"#L20000")
				until(t, p, `document.getElementById('L20000')?.hasAttribute('data-on')`)
			}

			search("?q=%22request+0019%22&level=e")
			assert.Equal(t, "⋯ 18,999 lines 19000 ⋯ 26,000 lines", strings.TrimSuffix(rowsInSight(t, p), " "))
			assert.Contains(t, p.shown(t), "1 of 45,000")
			p.open(t, path+eval[string](t, p, `() => { const a = document.querySelector('.gap a'); return a.search + a.hash; }`))
			assert.Equal(t, "1", paintedNumbers(t, p)["L1"])
			search("?level=e&level=i")
			assert.Contains(t, p.shown(t), "45,000 of 45,000 lines, here the first 1,000")
			search("?q=nowhere")
			assert.Contains(t, p.shown(t), "No line matches.")
			p.clean(t)
		})
	}
}

// The next error may be in another part. The button and the keys go there, and
// wrap around at the end, with and without scripts.
func TestParts_nextError(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	up := strings.Repeat("10:00:00 INFO  the nightly build is up and running\n", 21_000)
	failed := "10:00:01 ERROR disk is full\n"
	path := s.large(t, up+failed+up+failed+failed+up)
	for _, v := range []view{{width: 1440}, {width: 390, noScripts: true}} {
		t.Run(v.String(), func(t *testing.T) {
			p := newTab(t, b, s, v)
			p.open(t, path)
			for _, line := range []int{21_001, 42_002, 42_003, 21_001} {
				if v.noScripts {
					p.open(t, path+eval[string](t, p, `() => document.querySelector('[data-next-error]').search`))
				} else {
					require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("e")))
				}
				at := fmt.Sprintf("L%d", line)
				until(t, p, fmt.Sprintf("document.readyState === 'complete' && location.hash === '#%s' && document.getElementById('%s') !== null", at, at))
				assert.Equal(t, at[1:], paintedNumbers(t, p)[at])
			}
			if !v.noScripts {
				for _, line := range []string{"L42003", "L42002", "L21001"} {
					require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("E")))
					until(t, p, "document.readyState === 'complete' && location.hash === '#"+line+"' && document.getElementById('"+line+"')?.hasAttribute('data-on')")
				}
			}
			p.clean(t)
		})
	}
}

// BenchmarkParts opens a log of 32 MiB. It measures the time to the first paint
// and the memory of the tab's process.
func BenchmarkParts(bench *testing.B) {
	b := e2e.Launch(bench)
	s := newService(bench)
	text := largeLog(1)
	path := s.large(bench, largeLog(32<<20/len(text)-1))
	for name, path := range map[string]string{
		"a log of 500 KB": s.log(bench, largeLog(4_000), share.LogOptions{}),
		"part":            path + "?part=30", "search": path + "?q=worker+07", "errors": path + "?level=e",
	} {
		bench.Run(name, func(bench *testing.B) {
			var paint, megabytes float64
			for bench.Loop() {
				p := newTab(bench, b, s, view{width: 1440})
				p.open(bench, path)
				paint += eval[float64](bench, p, `async () => {
					for (;;) {
						const [paint] = performance.getEntriesByName('first-contentful-paint');
						if (paint) return paint.startTime;
						await new Promise((done) => requestAnimationFrame(done));
					}
				}`)
				megabytes = max(megabytes, memoryOf(bench))
				require.NoError(bench, chromedp.Cancel(p.Context))
			}
			bench.ReportMetric(paint/float64(bench.N), "ms/paint")
			bench.ReportMetric(megabytes, "MB/tab")
		})
	}
}

// memoryOf returns the largest resident memory of any renderer on the machine,
// in megabytes.
func memoryOf(tb testing.TB) float64 {
	tb.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(tb, err)
	var most float64
	for _, file := range lines {
		line, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(line), "--type=renderer") {
			continue
		}
		status, err := os.ReadFile(filepath.Join(filepath.Dir(file), "status"))
		if err != nil {
			continue // the process has exited
		}
		_, rest, _ := strings.Cut(string(status), "VmRSS:")
		var kilobytes float64
		_, err = fmt.Sscan(rest, &kilobytes)
		require.NoError(tb, err)
		most = max(most, kilobytes/1024)
	}
	return most
}
