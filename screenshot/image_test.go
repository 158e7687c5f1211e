package screenshot_test

import (
	"bytes"
	"image"
	"image/draw"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/webp"

	"github.com/devkiln/devkiln/screenshot"
)

// pixelsOf converts a picture to NRGBA.
func pixelsOf(m image.Image) *image.NRGBA {
	out := image.NewNRGBA(m.Bounds())
	draw.Draw(out, out.Rect, m, out.Rect.Min, draw.Src)
	return out
}

func pictureOf(t *testing.T, c screenshot.Config) *screenshot.Picture {
	t.Helper()
	p, err := c.Picture()
	require.NoError(t, err)
	return p
}

// All formats have the same pixels, and a WebP is smaller.
func TestPicture_samePixels(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	code := strings.Repeat("func add(a, b int) int { return a + b } // sum\n", 20)
	for name, background := range map[string]string{"opaque": "", "see-through": "rgb(255 0 0 / 50%)"} {
		config := mustNew(t, code, screenshot.Options{Language: "go", Background: background})
		quick := fileOf(t, config)
		want := pixelsOf(drawPNG(t, config, 1))

		got, err := pictureOf(t, config).Image(t.Context(), 1)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want.Pix, got.Pix), "%s: Image", name)

		var file bytes.Buffer
		require.NoError(t, pictureOf(t, config).WriteWebP(t.Context(), &file, 1))
		assert.Less(t, float64(file.Len()), 0.7*float64(len(quick)), "%s: a WebP", name)
		decoded, err := webp.Decode(&file)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want.Pix, pixelsOf(decoded).Pix), "%s: WebP", name)
	}
}

// A WebP at the defaults has a lower scale where it must, and says so.
func TestPicture_scaleOfWebP(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	picture, err := mustNew(t, strings.Repeat(strings.Repeat("x", 100)+"\n", 40), screenshot.Options{Language: "text"}).Picture()
	require.NoError(t, err)
	const most = 1_600_000
	var file bytes.Buffer
	require.NoError(t, picture.WriteWebP(t.Context(), &file, screenshot.DefaultScale))
	size, err := webp.DecodeConfig(&file)
	require.NoError(t, err)
	assert.LessOrEqual(t, size.Width*size.Height, most)
	assert.Greater(t, size.Width*size.Height, most*95/100)
	assert.Regexp(t, `^The WebP has a scale of 1\.\d+, not 2, so that it has at most 1600000 pixels, and 16383 on a side\.$`, picture.WebPWarning(2))
	assert.Empty(t, picture.WebPWarning(1))
}

// A WebP may have a scale below 1: it is never refused for its size.
func TestPicture_scaleOfLargeWebP(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	for name, code := range map[string]string{"200 lines": strings.Repeat(strings.Repeat("x", 80)+"\n", 200), "5,000 lines": strings.Repeat("x\n", 5000), "a wide line": strings.Repeat("x", 10_000)} {
		picture := pictureOf(t, mustNew(t, code, screenshot.Options{Language: "text"}))
		var file bytes.Buffer
		require.NoError(t, picture.WriteWebP(t.Context(), &file, screenshot.DefaultScale), name)
		size, err := webp.DecodeConfig(&file)
		require.NoError(t, err, name)
		assert.LessOrEqual(t, size.Width*size.Height, 1_600_000, name)
		assert.Regexp(t, `^The WebP has a scale of 0\.\d+, not 2,`, picture.WebPWarning(2), name)
	}
	_, err := pictureOf(t, mustNew(t, "x", screenshot.Options{})).Image(t.Context(), 5)
	assert.Equal(t, []string{"scale out_of_range"}, faultsOf(t, err))
}
