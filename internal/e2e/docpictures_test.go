package e2e_test

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

var updatePictures = flag.Bool("update", false, "take the pictures in docs/logs.md again")

// The pictures at the beginning of docs/logs.md are of pages: what their
// alternative texts say is in the part of the page that a picture shows.
// With -update, the pictures are taken again.
func TestLogsDocument_pictures(t *testing.T) {
	document, err := os.ReadFile("../../docs/logs.md")
	require.NoError(t, err)
	said := map[string]string{}
	for _, picture := range regexp.MustCompile(`!\[(.*)\]\((logs-\w+\.png)\)`).FindAllStringSubmatch(string(document), -1) {
		said[picture[2]] = picture[1]
	}
	s := newService(t)
	failed := testLog("expected 200, actual 500", true)
	passed, broken := s.log(t, testLog("", false), share.LogOptions{Title: "Build 811"}), s.log(t, failed, share.LogOptions{Title: "Build 812"})
	b := e2e.Open(t)
	for name, page := range map[string]struct {
		path   string
		from   string // the selector of the element at the top of the picture
		height int
	}{
		"logs-failed.png":  {broken, "main", 284},
		"logs-steps.png":   {broken, ".steps", 350},
		"logs-compare.png": {"/compare" + strings.TrimPrefix(passed, "/logs") + strings.TrimPrefix(broken, "/logs"), "main", 310},
	} {
		const width = 800
		p := newTab(t, b, s, view{width: width})
		p.open(t, page.path)
		top := eval[int](t, p, `(from) => Math.round(document.querySelector(from).getBoundingClientRect().top + scrollY)`, page.from)
		shown := eval[string](t, p, `(top, bottom) => [...document.querySelectorAll('main *')].filter((e) => {
			const box = e.getBoundingClientRect();
			return e.checkVisibility() && box.top + scrollY >= top && box.top + scrollY < bottom;
		}).map((e) => e.textContent).join(' ')`, top, top+page.height)
		require.NotEmpty(t, said[name], "%s is not in the document", name)
		for part := range strings.SplitSeq(said[name], ", ") {
			assert.Contains(t, shown, part, name)
		}
		if *updatePictures {
			img, err := p.Screenshot(width, top+page.height)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile("../../docs/"+name, fewColours(t, img, image.Rect(0, top, width, top+page.height)), 0o644))
		}
		data, err := os.ReadFile("../../docs/" + name)
		require.NoError(t, err)
		taken, err := png.DecodeConfig(bytes.NewReader(data))
		require.NoError(t, err)
		assert.Equal(t, [2]int{width, page.height}, [2]int{taken.Width, taken.Height}, name)
		assert.LessOrEqual(t, len(data), 60_000, name)
		p.clean(t)
	}
}

// testLog is the log of a CI job with three steps.
func testLog(reason string, fails bool) string {
	at := func(second string) string { return "2026-01-02T03:04:" + second + ".0000000Z " }
	log := at("01") + "##[group]Run actions/checkout@v5\n" + at("01") + "with: fetch-depth 1\n" + at("02") + "##[endgroup]\n" + at("03") + "HEAD is now at 7f3c2a1 Round prices\n" +
		at("04") + "##[group]Run go build ./...\n" + at("04") + "go build ./...\n" + at("04") + "##[endgroup]\n" + at("17") + "go: downloading example.org/money v1.4.0\n" +
		at("18") + "##[group]Run go test ./...\n" + at("18") + "go test ./...\n" + at("18") + "##[endgroup]\n" + at("19") + "--- PASS: TestCart (0.00s)\n" + at("19") + "ok  \texample.org/shop/cart\t0.012s\n"
	if !fails {
		return log + at("20") + "--- PASS: TestCheckout (0.02s)\n" + at("20") + "ok  \texample.org/shop/checkout\t0.024s\n"
	}
	return log + at("20") + "--- FAIL: TestCheckout (0.02s)\n" + at("20") + "    checkout_test.go:41: " + reason + "\n" + at("20") + "FAIL\texample.org/shop/checkout\t0.024s\n" +
		at("20") + "FAIL\n" + at("21") + "##[error]Process completed with exit code 1.\n"
}

// fewColours encodes a part of a picture with its 256 most frequent colours.
func fewColours(tb testing.TB, img image.Image, part image.Rectangle) []byte {
	tb.Helper()
	count := map[color.RGBA]int{}
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			count[color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)]++
		}
	}
	frequent := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(uint32(a.R)<<16|uint32(a.G)<<8|uint32(a.B), uint32(b.R)<<16|uint32(b.G)<<8|uint32(b.B)))
	})
	var palette color.Palette
	for _, c := range frequent[:min(len(frequent), 256)] {
		palette = append(palette, c)
	}
	reduced := image.NewPaletted(image.Rect(0, 0, part.Dx(), part.Dy()), palette)
	for y := range part.Dy() {
		for x := range part.Dx() {
			reduced.Set(x, y, img.At(part.Min.X+x, part.Min.Y+y))
		}
	}
	var b bytes.Buffer
	require.NoError(tb, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, reduced))
	return b.Bytes()
}
