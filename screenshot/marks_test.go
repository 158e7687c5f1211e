package screenshot_test

import (
	"image"
	"image/color"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot"
)

// paintedWith draws code with parameters at scale 1.
func paintedWith(t *testing.T, code, query string, o screenshot.Options) image.Image {
	t.Helper()
	values, err := url.ParseQuery(query)
	require.NoError(t, err)
	config, err := newWith(code, o, values)
	require.NoError(t, err)
	return drawPNG(t, config, 1)
}

// brightness returns the brightness of a pixel, out of 255.
func brightness(c color.Color) int { return int(color.GrayModel.Convert(c).(color.Gray).Y) }

// Nothing is painted outside the rounded corners of a window, whatever their
// radius.
func TestPicture_staysWithinItsCorners(t *testing.T) {
	const radius = 64
	blue := color.NRGBA{0, 0, 255, 255}
	for name, query := range map[string]string{
		"buttons": "", "signs": "window=windows", "marks": "highlight=1-9&inserted=10", "watermark": "watermark=in+the+corner",
	} {
		picture := paintedWith(t, strings.Repeat("x\n", 9)+"x", query, screenshot.Options{
			Language: "text", Background: "#00f", Padding: new(0.0), BorderRadius: new(float64(radius)), HideShadow: true,
		})
		b := picture.Bounds()
		for y := range b.Max.Y {
			for x := range b.Max.X {
				dx, dy := max(radius-x, x+1-(b.Max.X-radius), 0), max(radius-y, y+1-(b.Max.Y-radius), 0)
				if dx*dx+dy*dy > (radius+2)*(radius+2) {
					require.Equal(t, blue, color.NRGBAModel.Convert(picture.At(x, y)), "%s at %d, %d", name, x, y)
				}
			}
		}
	}
}

func TestPicture_marksWithoutAWindow(t *testing.T) {
	for _, padding := range []float64{0, 30} {
		picture := paintedWith(t, "a\nb\nc\nd\ne", "window=none&highlight=1&inserted=2&deleted=3", screenshot.Options{Language: "text", Background: "#00f", Padding: &padding})
		const line = 21 // at 14 pixels
		seen := make(map[color.Color]bool)
		for row := range 5 {
			seen[picture.At(picture.Bounds().Max.X-int(padding)-1, int(padding)+row*line+3)] = true
		}
		assert.Len(t, seen, 4, "three marks, and none, with a padding of %v", padding)
	}
}

// Lines out of focus are dimmed together with their marks.
func TestPicture_focusDimsMarks(t *testing.T) {
	picture := paintedWith(t, "a\na\nb", "highlight=1-2&focus=2", screenshot.Options{Language: "go", HideLineNumbers: true, HideWindowControls: true, Padding: new(0.0), BorderRadius: new(0.0)})
	const top, line = 18, 21
	at := func(row int) int { return brightness(picture.At(2, top+row*line+2)) }
	assert.Greater(t, at(1), at(0))
	assert.Greater(t, at(0), at(2))
}

func TestPicture_watermarkIsSeen(t *testing.T) {
	for background, under := range map[string]int{
		"white": 255, "#ffd": 250, "linear-gradient(135deg, #000, #fff)": 230, "black": 0, "linear-gradient(135deg, #fff, #000)": 20,
	} {
		picture := paintedWith(t, "x", "watermark=MMMMMM", screenshot.Options{Background: background, HideShadow: true})
		b := picture.Bounds()
		most := 0
		for y := b.Max.Y - 22; y < b.Max.Y-6; y++ {
			for x := b.Max.X - 60; x < b.Max.X-14; x++ {
				most = max(most, brightness(picture.At(x, y))-under, under-brightness(picture.At(x, y)))
			}
		}
		assert.Greater(t, most, 100, background)
	}
	glass := paintedWith(t, "x", "watermark=MMMMMM", screenshot.Options{Background: "transparent", HideShadow: true})
	grey := false
	for x := range glass.Bounds().Max.X {
		c := color.NRGBAModel.Convert(glass.At(x, glass.Bounds().Max.Y-14)).(color.NRGBA)
		grey = grey || c.A > 200 && brightness(c) > 90 && brightness(c) < 170
	}
	assert.True(t, grey, "seen on white and on black")
}

// A truncated title keeps its beginning, in both directions of text.
func TestPicture_longTitle(t *testing.T) {
	fonts, err := screenshot.LoadFonts("testdata/fonts/arabic.ttf", "testdata/fonts/cjk.ttf")
	require.NoError(t, err)
	for _, title := range []string{"a title that is longer than its window can ever be", strings.Repeat("مرحبا ", 20), strings.Repeat("漢", 60)} {
		document, _ := drawSVG(t, mustNew(t, "x", screenshot.Options{WindowTitle: title, Extras: screenshot.Extras{Fonts: fonts}}))
		rows := seen(t, document)
		row := rows[len(rows)-1]
		assert.Equal(t, strings.HasPrefix(title, "م"), strings.HasPrefix(row.placed, "…"), "the ellipsis is where reading ends")
		cut, found := strings.CutSuffix(row.read, "…")
		assert.True(t, found, title)
		assert.True(t, strings.HasPrefix(title, cut), cut)
		assert.Greater(t, len(cut), 30, title)
	}
}
