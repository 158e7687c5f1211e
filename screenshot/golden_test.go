package screenshot_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

var update = flag.Bool("update", false, "write the pictures of testdata/golden instead of comparing with them")

// goldenCase is a case of testdata/golden.json: a picture of some code. Unless
// it is decorated, it has no background, shadow, controls or padding.
type goldenCase struct {
	Name, Code, Language, Title, Watermark, Background string
	Scale                                              float64
	Fonts                                              []string // files of testdata/fonts
	Highlight, Inserted, Deleted                       string   // a range of lines
	Columns                                            int
	Decorated, LineNumbers                             bool
	Window, Ratio, Focus, Input, Theme                 string
	LineHeight                                         float64
	TabWidth, FirstLine                                int
	Lines, Size                                        string
	Tints                                              []screenshot.Tint
	DisableLigatures                                   bool
	Embed, FontFamily                                  string
}

func (c goldenCase) config(t *testing.T) screenshot.Config {
	t.Helper()
	o := screenshot.Options{Language: c.Language, WindowTitle: c.Title, Background: c.Background, HideLineNumbers: !c.LineNumbers}
	if o.Language == "" {
		o.Language = "text"
	}
	if !c.Decorated {
		o.Background, o.Padding, o.BorderRadius = "#000", new(4.0), new(0.0)
		o.HideShadow, o.HideWindowControls = true, true
	}
	o.Watermark, o.Columns, o.Window, o.DisableLigatures = c.Watermark, c.Columns, c.Window, c.DisableLigatures
	o.FirstLine, o.Tints = c.FirstLine, c.Tints
	o.Embed, o.FontFamily = c.Embed, c.FontFamily
	o.Input, o.Theme = c.Input, c.Theme
	o.Ratio, o.Size, o.LineHeight, o.TabWidth = c.Ratio, c.Size, c.LineHeight, c.TabWidth
	for text, ranges := range map[string]*screenshot.LineRanges{c.Highlight: &o.Highlight, c.Inserted: &o.Inserted, c.Deleted: &o.Deleted, c.Focus: &o.Focus} {
		if text != "" {
			require.NoError(t, ranges.UnmarshalText([]byte(text)))
		}
	}
	if c.Lines != "" {
		require.NoError(t, o.Lines.UnmarshalText([]byte(c.Lines)))
	}
	if c.Fonts != nil {
		var paths []string
		for _, name := range c.Fonts {
			paths = append(paths, filepath.Join("testdata", "fonts", name))
		}
		var err error
		o.Fonts, err = screenshot.LoadFonts(paths...)
		require.NoError(t, err)
	}
	return mustNew(t, c.Code, o)
}

func TestGolden(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	for _, c := range readCases[goldenCase](t, "testdata/golden.json") {
		t.Run(c.Name, func(t *testing.T) {
			config := c.config(t)
			if *update && c.Embed != "" {
				var b bytes.Buffer
				require.NoError(t, config.WritePNG(t.Context(), &b, 1))
				require.NoError(t, os.WriteFile(filepath.Join("testdata", "golden", c.Name+".png"), b.Bytes(), 0o600))
			}
			if c.Embed == "" || !*update {
				compareGolden(t, c.Name, drawPNG(t, config, max(c.Scale, 1)))
			}
			drawSVG(t, config)
		})
	}
}

// The picture in docs/pictures.md to open in the studio contains its Config.
func TestGolden_embedded(t *testing.T) {
	file, err := os.ReadFile("testdata/golden/embedded.png")
	require.NoError(t, err)
	config := embeddedConfig(t, file)
	for _, c := range readCases[goldenCase](t, "testdata/golden.json") {
		if c.Embed != "" {
			assert.Equal(t, c.config(t), config)
		}
	}
}

// TestGolden_themes draws one page of code in five languages in each theme.
func TestGolden_themes(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	for _, theme := range highlight.Themes() {
		t.Run(theme, func(t *testing.T) {
			var parts []image.Image
			size := image.Point{}
			for _, lang := range []string{"go", "typescript", "python", "rust", "html"} {
				code, err := os.ReadFile("testdata/page/" + lang + ".txt")
				require.NoError(t, err)
				config := mustNew(t, string(code), screenshot.Options{
					Language: lang, Theme: theme, Background: "#000", Padding: new(0.0), BorderRadius: new(0.0),
					HideShadow: true, HideWindowControls: true,
					Extras: screenshot.Extras{Highlight: []screenshot.LineRange{{From: 2}}},
				})
				part := drawPNG(t, config, 1)
				parts = append(parts, part)
				size = image.Pt(max(size.X, part.Bounds().Dx()), size.Y+part.Bounds().Dy())
			}
			page := image.NewNRGBA(image.Rectangle{Max: size})
			y := 0
			for _, part := range parts {
				draw.Draw(page, part.Bounds().Add(image.Pt(0, y)), part, image.Point{}, draw.Src)
				y += part.Bounds().Dy()
			}
			compareGolden(t, "theme-"+theme, page)
		})
	}
}

// TestGolden_allThemes draws a few lines in each theme.
func TestGolden_allThemes(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	const columns = 4 // columns of pictures that are equally wide, whatever the title
	var page *image.NRGBA
	for i, name := range highlight.AllThemes() {
		theme, ok := highlight.LookupTheme(name)
		require.True(t, ok)
		part := drawPNG(t, mustNew(t, "// Fire heats the kiln.\nfunc (k *Kiln) Fire() int {\n\treturn k.Degrees + 120\n}", screenshot.Options{
			Language: "go", WindowTitle: name, Background: "#808080", Padding: new(8.0), FontSize: new(11.0), HideShadow: true, HideLineNumbers: true, Theme: theme.Name, Extras: screenshot.Extras{Themes: []highlight.Theme{theme}, Columns: 44},
		}), 1)
		size := part.Bounds().Size()
		if page == nil {
			page = image.NewNRGBA(image.Rect(0, 0, columns*size.X, size.Y*((len(highlight.AllThemes())-1)/columns+1)))
		}
		draw.Draw(page, part.Bounds().Add(image.Pt(i%columns*size.X, i/columns*size.Y)), part, image.Point{}, draw.Src)
	}
	compareGolden(t, "all-themes", page)
}

// The document shows each parameter that changes a picture with a picture that
// the tests compare.
func TestGolden_documented(t *testing.T) {
	page, err := os.ReadFile("../docs/pictures.md")
	require.NoError(t, err)
	compared := []string{"all-themes"}
	for _, c := range readCases[goldenCase](t, "testdata/golden.json") {
		compared = append(compared, c.Name)
	}
	pictures := regexp.MustCompile(`!\[[^\]]+\]\(\.\./screenshot/testdata/golden/([^)]+)\.png\)`).FindAllSubmatch(page, -1)
	require.NotEmpty(t, pictures)
	for _, picture := range pictures {
		assert.Contains(t, compared, string(picture[1]))
	}
	for _, p := range option.Of[screenshot.Options]().InQuery() {
		shown := regexp.MustCompile("`([^`\n]*&)?" + p.Name + "(=[^`\n]*)?`[^\n]*:\n\n!\\[").Match(page)
		assert.True(t, shown, p.Name)
	}
}

// compareGolden compares a picture with a reviewed one. Processors with fused
// multiply-add differ in the last bit of a product that is added to, so that a
// few pixels at the edges of letters may differ slightly.
func compareGolden(t *testing.T, name string, got image.Image) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".png")
	if *update {
		var b bytes.Buffer
		encoder := png.Encoder{CompressionLevel: png.BestCompression}
		require.NoError(t, encoder.Encode(&b, got))
		require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
		return
	}
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	want, err := png.Decode(bytes.NewReader(file))
	require.NoError(t, err)
	require.Equal(t, want.Bounds().Size(), got.Bounds().Size())
	sum, largest := 0, 0
	size := got.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			r0, g0, b0, a0 := want.At(x, y).RGBA()
			r1, g1, b1, a1 := got.At(x, y).RGBA()
			for _, pair := range [...][2]uint32{{r0, r1}, {g0, g1}, {b0, b1}, {a0, a1}} {
				d := max(int(pair[0]>>8)-int(pair[1]>>8), int(pair[1]>>8)-int(pair[0]>>8))
				sum += d
				largest = max(largest, d)
			}
		}
	}
	assert.LessOrEqual(t, largest, 20, "the largest difference of a pixel")
	assert.Less(t, float64(sum)/float64(size.X*size.Y), 0.02, "the mean difference")
}

func TestGolden_fonts(t *testing.T) {
	readme, err := os.ReadFile("testdata/fonts/README.md")
	require.NoError(t, err)
	files, err := filepath.Glob("testdata/fonts/*.ttf")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		sum := sha256.Sum256(data)
		assert.Contains(t, string(readme), hex.EncodeToString(sum[:]), file)
	}
}
