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

		got, err := config.Image(t.Context(), 1)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want.Pix, got.Pix), "%s: Image", name)

		var file bytes.Buffer
		require.NoError(t, config.WriteWebP(t.Context(), &file, 1))
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
	var file bytes.Buffer
	require.NoError(t, picture.WriteWebP(t.Context(), &file, screenshot.DefaultScale))
	size, err := webp.DecodeConfig(&file)
	require.NoError(t, err)
	assert.LessOrEqual(t, size.Width*size.Height, screenshot.MaxWebP)
	assert.Greater(t, size.Width*size.Height, screenshot.MaxWebP*95/100)
	assert.Regexp(t, `^The WebP has a scale of 1\.\d+, not 2, so that it has at most 2097152 pixels\.$`, picture.WebPWarning(2))
	assert.Empty(t, picture.WebPWarning(1))
}

func TestPicture_refusesLargeWebP(t *testing.T) {
	config := mustNew(t, strings.Repeat("x\n", 5000), screenshot.Options{Language: "text", Padding: new(256.0), FontSize: new(20.0)})
	var file bytes.Buffer
	assert.Equal(t, []string{"scale out_of_range"}, faultsOf(t, config.WriteWebP(t.Context(), &file, 4)))
	assert.Zero(t, file.Len())
	_, err := config.Image(t.Context(), 5)
	assert.Equal(t, []string{"scale out_of_range"}, faultsOf(t, err))
}

// A description is cut after 1,000 bytes, between characters, even within the
// first line.
func TestPicture_Description(t *testing.T) {
	for code, want := range map[string]string{
		"a\tb\r\nc\n":                  "a    b\nc",
		strings.Repeat("é", 500):       strings.Repeat("é", 500),
		strings.Repeat("é", 501):       strings.Repeat("é", 500) + "…",
		"x" + strings.Repeat("é", 600): "x" + strings.Repeat("é", 499) + "…",
		strings.Repeat("ab\n", 400):    strings.Repeat("ab\n", 333) + "a…",
	} {
		picture, err := mustNew(t, code, screenshot.Options{Language: "text"}).Picture()
		require.NoError(t, err)
		assert.Equal(t, want, picture.Description())
	}
}

// The longest emoji of Unicode has ten characters, and so has a letter with
// nine marks. More are not drawn.
func TestPicture_longestCluster(t *testing.T) {
	var file bytes.Buffer
	config := mustNew(t, "x"+strings.Repeat("\u0323", 20), screenshot.Options{Language: "text", HideLineNumbers: true})
	require.NoError(t, config.WriteSVG(t.Context(), &file))
	require.Equal(t, 10, strings.Count(file.String(), "<use "))
}
