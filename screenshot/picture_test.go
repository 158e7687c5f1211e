package screenshot_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot"
)

func mustNew(t testing.TB, code string, o screenshot.Options) screenshot.Config {
	t.Helper()
	config, err := screenshot.New(code, o)
	require.NoError(t, err)
	return config
}

func sizeOf(t testing.TB, config screenshot.Config) (width, height int) {
	t.Helper()
	picture, err := config.Picture()
	require.NoError(t, err)
	return picture.Size()
}

// drawPNG draws a picture and checks that its size is that of the config.
func drawPNG(t testing.TB, config screenshot.Config, scale float64) image.Image {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, config.WritePNG(t.Context(), &b, scale))
	picture, err := png.Decode(&b)
	require.NoError(t, err)
	width, height := sizeOf(t, config)
	assert.InDelta(t, float64(width)*scale, picture.Bounds().Dx(), 0.5)
	assert.InDelta(t, float64(height)*scale, picture.Bounds().Dy(), 0.5)
	return picture
}

// drawSVG draws a picture, checks that it is XML of the size of the config,
// and returns the text of each text element.
func drawSVG(t testing.TB, config screenshot.Config) (document string, lines []string) {
	t.Helper()
	picture, err := config.Picture()
	require.NoError(t, err)
	return readSVG(t, picture)
}

// readSVG is drawSVG for a Picture.
func readSVG(t testing.TB, picture *screenshot.Picture) (document string, lines []string) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, picture.WriteSVG(t.Context(), &b))
	document = b.String()
	width, height := picture.Size()
	decoder := xml.NewDecoder(&b)
	inText, first := false, true
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return document, lines
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			assert.NotContains(t, []string{"script", "foreignObject", "a"}, token.Name.Local)
			if first {
				assert.Equal(t, float64(width), attribute(t, token, "width"))
				assert.Equal(t, float64(height), attribute(t, token, "height"))
				first = false
			}
			if token.Name.Local == "text" {
				inText = true
				lines = append(lines, "")
			}
		case xml.EndElement:
			inText = inText && token.Name.Local != "text"
		case xml.CharData:
			if inText {
				lines[len(lines)-1] += string(token)
			}
		}
	}
}

func attribute(t testing.TB, e xml.StartElement, name string) float64 {
	t.Helper()
	for _, a := range e.Attr {
		if a.Name.Local == name {
			var v float64
			require.NoError(t, xml.Unmarshal([]byte("<v>"+a.Value+"</v>"), &v))
			return v
		}
	}
	require.Fail(t, "no attribute "+name)
	return 0
}

func TestSVG_textIsTheCode(t *testing.T) {
	const code = "if a != b && c <= d {\n\n\treturn \"<&>\" // ===>\n}\n"
	config := mustNew(t, code, screenshot.Options{Language: "go", HideLineNumbers: true})
	document, lines := drawSVG(t, config)
	assert.Equal(t, []string{"if a != b && c <= d {", " ", "    return \"<&>\" // ===>", "}"}, lines)
	assert.Contains(t, document, "data:font/woff2;base64,")
	assert.NotContains(t, strings.ReplaceAll(document, "http://www.w3.org/2000/svg", ""), "http", "nothing is loaded")
}

func TestSVG_lineNumbers(t *testing.T) {
	config := mustNew(t, "a\nb\nc\nd", screenshot.Options{Language: "text", Extras: screenshot.Extras{
		FirstLine: 98, Lines: screenshot.LineRange{From: 99, To: 100},
	}})
	_, lines := drawSVG(t, config)
	assert.Equal(t, []string{"99", "100", "b", "c"}, lines)
}

func TestPicture_wrapping(t *testing.T) {
	config := mustNew(t, strings.Repeat("x", 25)+"\ny", screenshot.Options{Language: "text", Extras: screenshot.Extras{Columns: 10}})
	_, lines := drawSVG(t, config)
	assert.Equal(t, []string{"1", "→", "→", "2", "xxxxxxxxxx", "xxxxxxxxxx", "xxxxx", "y"}, lines)

	narrow, _ := sizeOf(t, config)
	config.Code = "x"
	same, _ := sizeOf(t, config)
	assert.Equal(t, narrow, same, "the window is as wide as Columns says")
}

func TestPicture_diffSigns(t *testing.T) {
	config := mustNew(t, "a\nb\nc", screenshot.Options{Language: "text", HideLineNumbers: true, Extras: screenshot.Extras{
		Deleted: []screenshot.LineRange{{From: 1}}, Inserted: []screenshot.LineRange{{From: 2, To: 3}},
	}})
	_, lines := drawSVG(t, config)
	assert.Equal(t, []string{"-", "+", "+", "a", "b", "c"}, lines)
}

func TestPicture_colours(t *testing.T) {
	config := mustNew(t, "x", screenshot.Options{
		Language: "text", Background: "#102030", Theme: "ocean", Padding: new(40.0), HideShadow: true,
		Extras: screenshot.Extras{Highlight: []screenshot.LineRange{{From: 1}}},
	})
	for _, scale := range []float64{1, 1.5, 2, 3, 4} {
		picture := drawPNG(t, config, scale)
		at := func(x, y float64) color.NRGBA {
			return color.NRGBAModel.Convert(picture.At(int(x*scale), int(y*scale))).(color.NRGBA)
		}
		assert.Equal(t, color.NRGBA{0x10, 0x20, 0x30, 255}, at(5, 5), "background at %v", scale)
		assert.Equal(t, color.NRGBA{0x10, 0x20, 0x30, 255}, at(40.6, 40.6), "outside the corner at %v", scale)
		assert.Equal(t, color.NRGBA{0x2b, 0x30, 0x3b, 255}, at(140, 45), "window at %v", scale)
		assert.Equal(t, color.NRGBA{0xff, 0x5f, 0x57, 255}, at(62, 60), "control at %v", scale)
		assert.Equal(t, color.NRGBA{0x4f, 0x5b, 0x66, 255}, at(220, 95), "highlighted line at %v", scale)
	}
}

func TestPicture_transparency(t *testing.T) {
	for background, corner := range map[string]color.NRGBA{
		"transparent":         {},
		"rgb(255 0 0 / 50%)":  {255, 0, 0, 128},
		"rgb(255 0 0 / 100%)": {255, 0, 0, 255},
	} {
		config := mustNew(t, "x", screenshot.Options{Background: background, HideShadow: true})
		picture := drawPNG(t, config, 1)
		got := color.NRGBAModel.Convert(picture.At(3, 3)).(color.NRGBA)
		assert.Equal(t, corner, got, background)
		assert.Equal(t, uint8(255), color.NRGBAModel.Convert(picture.At(100, 100)).(color.NRGBA).A, "the window is opaque")
	}
	config := mustNew(t, "x", screenshot.Options{Background: "transparent"})
	shade := color.NRGBAModel.Convert(drawPNG(t, config, 1).At(100, 60)).(color.NRGBA)
	assert.Zero(t, max(shade.R, shade.G, shade.B), "the shadow is black")
	assert.NotZero(t, shade.A)
}

func TestPicture_sameWithWorkers(t *testing.T) {
	scales := []float64{1, 2}
	if testing.Short() {
		scales = scales[:1]
	}
	for name, code := range map[string]string{"short": "FAIL example.com/kiln", "long": strings.Repeat("func main() { return a != b } // ok\n", 60)} {
		for _, scale := range scales {
			config := mustNew(t, code, screenshot.Options{Language: "go", WindowTitle: "main.go"})
			var one, many bytes.Buffer
			require.NoError(t, config.WritePNG(t.Context(), &one, scale))
			for config.Workers = range 6 {
				many.Reset()
				require.NoError(t, config.WritePNG(t.Context(), &many, scale))
				assert.True(t, bytes.Equal(one.Bytes(), many.Bytes()), "%s at scale %v with %d workers", name, scale, config.Workers)
			}
		}
	}
}

// Files are compared with those of image/png at its fastest: for ordinary code,
// and for wide pictures with large letters, whose rows repeat.
func TestPicture_fileSize(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	sample, err := os.ReadFile("testdata/sample.go.txt")
	require.NoError(t, err)
	lines := strings.SplitAfter(string(sample), "\n")
	large := screenshot.Options{Language: "text", FontSize: new(72.0), Padding: new(256.0), Background: "linear-gradient(#f00, #00f)"}
	for name, c := range map[string]struct {
		code    string
		options screenshot.Options
		scale   float64
		most    float64 // times the size from image/png
	}{
		"30 lines":      {strings.Join(lines[:30], ""), screenshot.Options{Language: "go"}, 1, 1.1},
		"200 lines":     {strings.Join(lines[:200], ""), screenshot.Options{Language: "go"}, 1, 1.1},
		"large letters": {strings.Repeat("W", 74), large, 2, 1},
	} {
		config := mustNew(t, c.code, c.options)
		var own, peer counter
		require.NoError(t, config.WritePNG(t.Context(), &own, c.scale))
		painted, err := pictureOf(t, config).Image(t.Context(), c.scale)
		require.NoError(t, err)
		require.NoError(t, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&peer, painted))
		assert.Less(t, float64(own), c.most*float64(peer), name)
	}
}

// TestPicture_stripsAreIndependent paints corners over backgrounds that are
// painted only where they show, with buffers that hold other rows from before.
func TestPicture_stripsAreIndependent(t *testing.T) {
	if testing.Short() {
		t.Skip("draws large pictures, or starts every lexer")
	}
	for name, o := range map[string]screenshot.Options{
		"color":         {Background: "#f00", BorderRadius: new(64.0)},
		"tall gradient": {BorderRadius: new(64.0), FontSize: new(72.0)},
		"transparent":   {Background: "transparent", BorderRadius: new(40.0), HideShadow: true},
	} {
		o.Language = "text"
		lines := 40
		if name == "tall gradient" {
			lines = 620 // taller than the limit of a gradient
		}
		config := mustNew(t, strings.Repeat("x\n", lines), o)
		var one, many bytes.Buffer
		require.NoError(t, config.WritePNG(t.Context(), &one, 1))
		config.Workers = 7
		require.NoError(t, config.WritePNG(t.Context(), &many, 1))
		assert.True(t, bytes.Equal(one.Bytes(), many.Bytes()), name)
	}
}

func TestPicture_limits(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	for name, c := range map[string]struct {
		code    string
		options screenshot.Options
		scale   float64
		fault   string
		says    string
	}{
		"lines":        {strings.Repeat("\n", 5000) + "x", screenshot.Options{}, 1, "code out_of_range", "5001 lines"},
		"wrapped rows": {strings.Repeat("x", 50_000), screenshot.Options{Extras: screenshot.Extras{Columns: 10}}, 1, "", ""},
		"columns":      {strings.Repeat("x", 10_001), screenshot.Options{}, 1, "code out_of_range", "10001 columns"},
		"pixels": {
			strings.Repeat(strings.Repeat("x", 9)+"\n", 5000), screenshot.Options{FontSize: new(72.0)}, 4, "code out_of_range", "at most 268435456 pixels",
		},
		"scale below": {"x", screenshot.Options{}, 0.99, "scale out_of_range", "1 to 4"},
		"scale above": {"x", screenshot.Options{}, 4.01, "scale out_of_range", "1 to 4"},
		"no line": {
			"a\nb", screenshot.Options{Extras: screenshot.Extras{Lines: screenshot.LineRange{From: 3}}}, 1, "lines out_of_range", "lines 1 to 2",
		},
	} {
		c.options.Language = "text"
		config := mustNew(t, c.code, c.options)
		err := config.WritePNG(t.Context(), io.Discard, c.scale)
		if c.fault == "" {
			require.NoError(t, err, name)
			continue
		}
		assert.Equal(t, []string{c.fault}, faultsOf(t, err), name)
		assert.ErrorContains(t, err, c.says, name)
	}
}

func TestPicture_atTheLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("draws large pictures, or starts every lexer")
	}
	for name, code := range map[string]string{
		"5,000 lines":    strings.Repeat("\n", 4999) + "x",
		"10,000 columns": strings.Repeat("x", 10_000),
	} {
		config := mustNew(t, code, screenshot.Options{Language: "text", Padding: new(0.0)})
		require.NoError(t, config.WritePNG(t.Context(), io.Discard, 1), name)
		require.NoError(t, config.WriteSVG(t.Context(), io.Discard), name)
	}
}

func TestConfig_byHandIsChecked(t *testing.T) {
	for _, draw := range []func(screenshot.Config) error{
		func(c screenshot.Config) error { return c.WritePNG(t.Context(), io.Discard, 1) },
		func(c screenshot.Config) error { return c.WriteSVG(t.Context(), io.Discard) },
		func(c screenshot.Config) error { _, err := c.Picture(); return err },
	} {
		assert.Equal(t, []string{
			"code too_short", "theme not_one_of", "background invalid_format", "fontSize out_of_range",
		}, faultsOf(t, draw(screenshot.Config{})))
	}
}

func TestPicture_cancelled(t *testing.T) {
	config := mustNew(t, strings.Repeat("x := 1\n", 500), screenshot.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	w := writerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil })
	require.ErrorIs(t, config.WritePNG(ctx, w, 2), context.Canceled)
	require.ErrorIs(t, config.WriteSVG(ctx, io.Discard), context.Canceled)
}

func TestPicture_writerFails(t *testing.T) {
	full := errors.New("full")
	config := mustNew(t, strings.Repeat("x := 1\n", 500), screenshot.Options{})
	w := writerFunc(func([]byte) (int, error) { return 0, full })
	require.ErrorIs(t, config.WritePNG(t.Context(), w, 2), full)
	require.ErrorIs(t, config.WriteSVG(t.Context(), w), full)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A picture with a size has it at every scale and in every format: the code is
// drawn larger or smaller, at most four times as large.
func TestPicture_sizes(t *testing.T) {
	if testing.Short() {
		t.Skip("draws large pictures, as TestPicture_sameWithWorkers does under the race detector")
	}
	for _, c := range []struct {
		size, ratio   string
		code          string
		width, height int
	}{
		{"1200x675", "", "x", 1200, 675},
		{"1080x1350", "", strings.Repeat("a long line of code ", 20), 1080, 1350},
		{"120x4096", "", "x", 120, 4096},
		{"4096", "16:9", "x", 4096, 2304},
		{"830", "1:1", strings.Repeat("x\n", 90), 830, 830},
	} {
		config := mustNew(t, c.code, screenshot.Options{Language: "text", HideShadow: true, Extras: screenshot.Extras{Size: c.size, Ratio: c.ratio}})
		want := image.Pt(c.width, c.height)
		picture, err := config.Picture()
		require.NoError(t, err)
		document, _ := readSVG(t, picture)
		assert.Contains(t, document, fmt.Sprintf(`width="%d" height="%d"`, c.width, c.height))
		var files [2]bytes.Buffer
		for i, scale := range []float64{1, 4} {
			require.NoError(t, picture.WritePNG(t.Context(), &files[i], scale))
			assert.LessOrEqual(t, c.width*c.height, config.Cost(scale).Pixels)
		}
		assert.True(t, bytes.Equal(files[0].Bytes(), files[1].Bytes()), c.size)
		drawn, err := png.Decode(&files[0])
		require.NoError(t, err)
		assert.Equal(t, want, drawn.Bounds().Max, c.size)
		whole, err := picture.Image(t.Context(), 2)
		require.NoError(t, err)
		assert.Equal(t, want, whole.Bounds().Max, c.size)
	}
	for _, size := range []string{"200x", "x200", "4097", "99x200", "2x2x2", "200 x 200", "-200"} {
		_, err := screenshot.New("x", screenshot.Options{Extras: screenshot.Extras{Size: size}})
		assert.Equal(t, []string{"size invalid_format"}, faultsOf(t, err), size)
	}
	_, err := screenshot.New("x", screenshot.Options{Extras: screenshot.Extras{Size: "200x200", Ratio: "1:1"}})
	assert.Equal(t, []string{"ratio not_one_of"}, faultsOf(t, err))
}
