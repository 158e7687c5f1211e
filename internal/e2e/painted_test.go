package e2e_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/domsnapshot"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

// everyLook lists the views that pages must support.
var everyLook = []view{{width: 1440}, {width: 390}, {width: 1440, dark: true}, {width: 1440, forced: true}, {width: 1440, zoomed: true}}

// textAt returns a string of a snapshot, or "" if i is negative.
func textAt[I ~int64](all []string, i I) string {
	if i < 0 {
		return ""
	}
	return all[i]
}

// paintedNumbers returns the text painted in front of the lines of a listing,
// by line id. It comes from the browser's layout because computed styles do not
// show what is painted.
func paintedNumbers(t *testing.T, p *tab) map[string]string {
	t.Helper()
	snapshot, err := chromedp.Call(p.Context, domsnapshot.CaptureSnapshot, domsnapshot.CaptureSnapshotParams{ComputedStyles: []string{"visibility"}})
	require.NoError(t, err)
	doc := snapshot.Documents[0]
	all := snapshot.Strings
	pseudo := make(map[int64]bool)
	for i, node := range doc.Nodes.PseudoType.Index {
		pseudo[node] = textAt(all, doc.Nodes.PseudoType.Value[i]) == "before"
	}
	numbers := make(map[string]string)
	for i, node := range doc.Layout.NodeIndex {
		visible := len(doc.Layout.Styles[i]) > 0 && textAt(all, doc.Layout.Styles[i][0]) == "visible"
		if !pseudo[node] || !visible || textAt(all, doc.Layout.Text[i]) == "" || doc.Layout.Bounds[i][3] == 0 {
			continue
		}
		attributes := doc.Nodes.Attributes[doc.Nodes.ParentIndex[node]]
		for k := 0; k+1 < len(attributes); k += 2 {
			if textAt(all, attributes[k]) == "id" {
				numbers[textAt(all, attributes[k+1])] += textAt(all, doc.Layout.Text[i])
			}
		}
	}
	return numbers
}

// reveal scrolls a line into view and waits until it is painted.
func reveal(t *testing.T, p *tab, n int) {
	t.Helper()
	_ = eval[any](t, p, `async (n) => {
		document.getElementById('L' + n).scrollIntoView({ block: 'center' });
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	}`, n)
}

// Each line shows the number in its anchor.
func TestLineNumbers_asPainted(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	looks := append(slices.Clone(everyLook), view{width: 1440, noScripts: true})
	for _, c := range []struct {
		path  string
		last  int
		looks []view
	}{
		{s.log(t, strings.Repeat("INFO a line of log\n", 25_000), share.LogOptions{}), 25_000, []view{{width: 1440}}},
		{s.log(t, strings.Repeat("a\n", 350)+"b", share.LogOptions{}), 351, looks},
		{s.snippet(t, strings.Repeat("x = 1\n", 234), share.SnippetOptions{Language: "python"}), 234, looks},
		{s.snippet(t, "only = 1", share.SnippetOptions{Language: "python"}), 1, []view{{width: 1440}}},
	} {
		for _, v := range c.looks {
			t.Run(fmt.Sprintf("%d lines, %s", c.last, v), func(t *testing.T) {
				p := newTab(t, b, s, v)
				p.open(t, c.path)
				for _, n := range []int{1, min(101, c.last), min(200, c.last), c.last} {
					reveal(t, p, n)
					numbers := paintedNumbers(t, p)
					require.Contains(t, numbers, fmt.Sprintf("L%d", n), "no number is painted")
					for id, number := range numbers {
						assert.Equal(t, id, "L"+number)
					}
				}
				p.clean(t)
			})
		}
	}
}

// Lines selected by a filter keep their numbers.
func TestLineNumbers_filtered(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	path := s.log(t, strings.Repeat("INFO a\n", 250)+levelledLog(50)+strings.Repeat("INFO b\n", 99)+"ERROR last\n", share.LogOptions{})
	for _, v := range append(slices.Clone(everyLook), view{width: 1440, noScripts: true}) {
		t.Run(v.String(), func(t *testing.T) {
			p := newTab(t, b, s, v)
			if v.noScripts {
				p.open(t, path+"?level=e")
			} else {
				p.open(t, path)
				tick(t, p, "show-e")
			}
			until(t, p, `!document.getElementById('L1').checkVisibility()`)
			reveal(t, p, 298)
			numbers := paintedNumbers(t, p)
			for _, n := range []int{253, 298, 400} {
				assert.Equal(t, strconv.Itoa(n), numbers[fmt.Sprintf("L%d", n)])
			}
			assert.Len(t, numbers, 11, "and no others")
			if v.noScripts {
				return
			}
			tick(t, p, "show-e")
			until(t, p, `document.getElementById('L1').checkVisibility()`)
			reveal(t, p, 253)
			for id, number := range paintedNumbers(t, p) {
				assert.Equal(t, id, "L"+number)
			}
			p.clean(t)
		})
	}
}

// Copying a selection omits the line numbers.
func TestLineNumbers_areNotCopied(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, s.log(t, strings.Repeat("a line\n", 120), share.LogOptions{}))
	reveal(t, p, 100)
	assert.Equal(t, "a line a line a line", eval[string](t, p, `() => {
		getSelection().setBaseAndExtent(document.getElementById('L99').firstChild, 0, document.getElementById('L101').firstChild, 6);
		return getSelection().toString().split(/\n+/).join(' ');
	}`))
}
