package e2e_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
)

// Chromium's painting of the SVG matches the PNG. Blocks of pixels are compared
// because the edges of letters are smoothed differently.
func TestPicture_svgAsPainted(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	const code = "func main() {\n\tfmt.Println(\"hello\") // => 漢字\n}\n"
	for name, c := range map[string]struct {
		code, query string
		options     screenshot.Options
	}{
		"plain":      {code, "", screenshot.Options{WindowTitle: "main.go"}},
		"underlines": {"\x1b[4munderlined 漢字 => ok\x1b[m\n\x1b[9mstruck 漢字\x1b[m \x1b[4;9;31mboth\x1b[m\n", "input=ansi", screenshot.Options{}},
		"corners":    {code, "highlight=1&inserted=3", screenshot.Options{BorderRadius: new(64.0), HideWindowControls: true}},
		"no window":  {code, "window=none&highlight=1&inserted=2&deleted=3", screenshot.Options{Padding: new(20.0)}},
		"title":      {code, "window=windows", screenshot.Options{BorderRadius: new(64.0), WindowTitle: strings.Repeat("مرحبا بالعالم ", 5)}},
		"focus":      {code, "focus=2&highlight=1-2&deleted=3&wrap=20", screenshot.Options{}},
		"boxes":      {"╭──┬──╮ ╔═╗ ⎯\n│  │  │ ║ ║ ⏐\n╰──┴──╯ ╚═╝\n███▌▁▂▃▄▅▆▇ ▖▗▘▙\n", "lineHeight=2", screenshot.Options{}},
		"watermark":  {code, "watermark=devkiln", screenshot.Options{Background: "white"}},
	} {
		t.Run(name, func(t *testing.T) {
			fonts, err := screenshot.LoadFonts("../../screenshot/testdata/fonts")
			require.NoError(t, err)
			values, err := url.ParseQuery(c.query)
			require.NoError(t, err)
			c.options.Fonts = fonts
			require.NoError(t, option.Of[screenshot.Options]().InQuery().SetStrict(&c.options, values))
			config, err := screenshot.New(c.code, c.options)
			require.NoError(t, err)
			const scale = 2
			picture, err := config.Picture()
			require.NoError(t, err)
			ours, err := picture.Image(t.Context(), scale)
			require.NoError(t, err)
			var svg bytes.Buffer
			require.NoError(t, config.WriteSVG(t.Context(), &svg))
			width, height := ours.Rect.Dx(), ours.Rect.Dy()
			require.NoError(t, b.Show(fmt.Sprintf(`<img style="display:block" width="%d" height="%d" src="data:image/svg+xml;base64,%s">`,
				width, height, base64.StdEncoding.EncodeToString(svg.Bytes()))))
			_, err = e2e.Call[any](b, `() => document.querySelector('img').decode()`)
			require.NoError(t, err)
			painted, err := b.Screenshot(width, height)
			require.NoError(t, err)
			worst, at := blockDifference(premultiplied(ours), premultiplied(painted))
			assert.Less(t, worst, 24, "at %v", at)
		})
	}
}

// In an SVG shown smaller, letters have the same positions as in the PNG.
func TestPicture_svgMadeSmaller(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	const width, height = 450, 180
	shown := func(kind string, file []byte) *image.RGBA {
		require.NoError(t, b.Show(fmt.Sprintf(`<img style="display:block" width="%d" src="data:image/%s;base64,%s">`, width, kind, base64.StdEncoding.EncodeToString(file))))
		_, err := e2e.Call[any](b, `() => document.querySelector('img').decode()`)
		require.NoError(t, err)
		painted, err := b.Screenshot(width, height)
		require.NoError(t, err)
		return premultiplied(painted)
	}
	config, err := screenshot.New("// "+strings.Repeat("letter ", 10)+"|\n", screenshot.Options{Language: "go", Background: "black"})
	require.NoError(t, err)
	var svg, png bytes.Buffer
	require.NoError(t, config.WriteSVG(t.Context(), &svg))
	require.NoError(t, config.WritePNG(t.Context(), &png, 2))
	worst, at := blockDifference(shown("png", png.Bytes()), shown("svg+xml", svg.Bytes()))
	assert.Less(t, worst, 10, "at %v", at)

	marks := screenshot.Extras{Window: "none", Highlight: []screenshot.LineRange{{From: 1, To: 4}}}
	config, err = screenshot.New("\n\n\n"+strings.Repeat("x", 80), screenshot.Options{Background: "white", Padding: new(10.0), HideLineNumbers: true, Extras: marks})
	require.NoError(t, err)
	svg.Reset()
	require.NoError(t, config.WriteSVG(t.Context(), &svg))
	painted := shown("svg+xml", svg.Bytes())
	for y := 10; y < 58; y++ { // four lines of 13.6 pixels each
		require.Equal(t, painted.RGBAAt(2, 10), painted.RGBAAt(2, y), "lines that are set off together, at %d", y)
	}
}

// blockDifference returns the largest difference of a channel between the block
// means of two images, and its position.
func blockDifference(a, b *image.RGBA) (worst int, at image.Point) {
	const width, height = 24, 6
	for y := 0; y+height <= a.Rect.Dy(); y += height {
		for x := 0; x+width <= a.Rect.Dx(); x += width {
			for channel := range 3 {
				sum := 0
				for i := range width * height {
					at := a.PixOffset(x+i%width, y+i/width) + channel
					sum += int(a.Pix[at]) - int(b.Pix[at])
				}
				if d := max(sum, -sum) / (width * height); d > worst {
					worst, at = d, image.Pt(x, y)
				}
			}
		}
	}
	return worst, at
}
