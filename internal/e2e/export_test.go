package e2e_test

import (
	"encoding/json"
	"image"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/internal/e2e"
)

const exportWidth, exportHeight = 240, 160

// exported lists gradients and the formats that cannot express them.
var exported = []struct {
	css     string
	refused string
}{
	{"linear-gradient(120deg, #ff0000 10%, #00ff00 40%, #0000ff 90%)", ""},
	{"linear-gradient(to top left in oklch, #ff8800, #0044ff)", ""},
	{"linear-gradient(30deg, rgba(255, 0, 0, 0.2), 30%, rgba(255, 0, 0, 0.9))", ""},
	{"linear-gradient(90deg, #ff0000, rgba(0, 0, 255, 0.2))", "swiftui compose flutter android-xml"},
	{"linear-gradient(90deg, color(display-p3 0 1 0), lab(40 50 -60))", ""},
	{"repeating-linear-gradient(45deg, #222222 0%, #eeeeee 23%)", "swiftui json"},
	{"radial-gradient(circle at 30% 40%, #ffcc00, #cc0066 60%, #220044)", ""},
	{"radial-gradient(ellipse in oklab, #ffffff, #113355)", "compose flutter android-xml"},
	{"radial-gradient(20% 60%, #ffffff, #113355)", "swiftui compose flutter android-xml"},
	{"repeating-radial-gradient(circle closest-side, #ffcc00, #cc0066 40%)", "swiftui json"},
	{"conic-gradient(from 30deg at 40% 60%, #ff0000, #ffff00 30%, #0000ff)", ""},
	{"repeating-conic-gradient(from 205deg, #ff0000, #0000ff 30%)", "json"},
}

// Each exported text is painted as its format specifies and compared with
// Chromium's painting of the CSS. The largest error of a format must be exactly
// the documented one.
func TestExport_againstChromium(t *testing.T) {
	t.Parallel()
	canvas := gradientCanvas{t, e2e.Open(t)}
	require.NoError(t, canvas.Transparent())
	worst := make(map[string]int)
	for _, c := range exported {
		g, err := gradient.Parse(c.css)
		require.NoError(t, err)
		truth := canvas.paint(c.css, exportWidth, exportHeight)
		edges := edgesOf(t, g, exportWidth, exportHeight)
		for _, f := range export.Formats() {
			var text strings.Builder
			err := export.Write(&text, g, f.Name, export.Options{Width: exportWidth, Height: exportHeight})
			format := f.Name
			refused := strings.Contains(" "+c.refused+" ", " "+format+" ")
			if !assert.Equal(t, refused, err != nil, "%s of %s: %v", format, c.css, err) || refused {
				continue
			}
			got := paintExport(canvas, format, text.String(), g)
			d, count, at := difference(truth, got, edges, f.Error)
			assert.LessOrEqual(t, d, f.Error, "%s of %s: %d pixels, the first at %v\n%s", format, c.css, count, at, text.String())
			worst[format] = max(worst[format], d)
		}
	}
	for _, f := range export.Formats() {
		assert.Equal(t, f.Error, worst[f.Name], f.Name)
	}
}

func paintExport(canvas gradientCanvas, format, text string, g gradient.Gradient) *image.RGBA {
	switch format {
	case "css":
		return canvas.paint(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), "background: "), ";"), exportWidth, exportHeight)
	case "css-fallback":
		plain, _, _ := strings.Cut(text, "\n@supports")
		lines := strings.Split(strings.TrimSpace(plain), "\n")
		return paintExport(canvas, "css", lines[len(lines)-1], g)
	case "tailwind4":
		class := regexp.MustCompile(`bg-\[(.*)\]`).FindStringSubmatch(text)
		return canvas.paint(strings.ReplaceAll(class[1], "_", " "), exportWidth, exportHeight)
	case "svg":
		return canvas.draw(g, exportWidth, exportHeight)
	case "json":
		return paintToken(canvas, text, g)
	}
	return targetOf(canvas.t, format, text).paint()
}

// paintToken paints the stops of a token in the layout of the gradient, which
// tokens do not specify.
func paintToken(canvas gradientCanvas, text string, g gradient.Gradient) *image.RGBA {
	var tokens map[string]struct {
		Value []struct {
			Color struct {
				Components [3]float64
				Alpha      float64
			}
			Position float64
		} `json:"$value"`
	}
	require.NoError(canvas.t, json.Unmarshal([]byte(text), &tokens))
	plain, err := g.Expand(gradient.ExpandOptions{})
	require.NoError(canvas.t, err)
	css := plain.CSS()
	css = css[:firstColor.FindStringIndex(css)[0]]
	var stops []string
	for _, s := range tokens["gradient"].Value {
		c := gradient.Color{Components: s.Color.Components, Alpha: s.Color.Alpha}
		stops = append(stops, gradient.FormatHex(c.NRGBA())+" "+strconv.FormatFloat(s.Position*100, 'f', -1, 64)+"%")
	}
	return canvas.paint(strings.Replace(css, " in srgb", "", 1)+strings.Join(stops, ", ")+")", exportWidth, exportHeight)
}

// target is a gradient in the model of a toolkit.
type target struct {
	kind       string
	start, end [2]float64 // start is also the centre
	radii      [2]float64
	repeat     bool
	offsets    []float64
	colors     [][4]float64 // 0 to 255, alpha 0 to 1; not premultiplied
}

// patterns find the values in each format: the kind, the points and, for each
// stop, its offset and colour.
var patterns = map[string]struct{ kind, start, end, radius, offset, color, repeat string }{
	"swiftui": {
		`= (\w+)Gradient`, `(?:startPoint|center): UnitPoint\(x: (\S+), y: (\S+)\)`, `endPoint: UnitPoint\(x: (\S+), y: (\S+)\)`, `endRadius(?:Fraction)?: (\S+)`,
		`location: ([\d.]+)`, `red: (\S+), green: (\S+), blue: (\S+), opacity: ([\d.]+)`, `nothing`,
	},
	"compose":     {`Brush\.(\w+)Gradient`, `(?:start|center) = Offset\((\S+)f, (\S+)f\)`, `end = Offset\((\S+)f, (\S+)f\)`, `radius = (\S+)f,`, `(\S+)f to`, `Color\(0x(\w+)\)`, `TileMode\.Repeated`},
	"flutter":     {`= (\w+)Gradient`, `(?:begin|center): Alignment\((\S+), (\S+)\)`, `end: Alignment\((\S+), (\S+)\)`, `radius: (\S+),`, ``, `Color\(0x(\w+)\)`, `TileMode\.repeated`},
	"android-xml": {`android:type="(\w+)"`, `(?:start|center)X="(\S+)" android:(?:start|center)Y="([^"]+)"`, `endX="(\S+)" android:endY="([^"]+)"`, `gradientRadius="([^"]+)"`, `offset="(\S+)"`, `color="#(\w+)"`, `tileMode="repeat"`},
}

func targetOf(t *testing.T, format, text string) (g target) {
	t.Helper()
	p := patterns[format]
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err, text)
		return v
	}
	// SwiftUI's points are fractions of the box, Flutter's are -1 to 1, others
	// pixels.
	place := func(pattern string) (at [2]float64) {
		m := regexp.MustCompile(pattern).FindStringSubmatch(text)
		for i, size := range []float64{exportWidth, exportHeight} {
			if m == nil {
				return at
			}
			at[i] = number(m[i+1])
			switch format {
			case "swiftui":
				at[i] *= size
			case "flutter":
				at[i] = (at[i] + 1) / 2 * size
			}
		}
		return at
	}
	g.kind = strings.ToLower(regexp.MustCompile(p.kind).FindStringSubmatch(text)[1])
	g.start, g.end = place(p.start), place(p.end)
	if m := regexp.MustCompile(p.radius).FindStringSubmatch(text); m != nil {
		r := number(m[1])
		g.radii = [2]float64{r, r}
		switch {
		case format == "flutter":
			g.radii = [2]float64{r * exportHeight, r * exportHeight} // the shorter side
		case g.kind == "elliptical":
			g.radii = [2]float64{r * exportWidth, r * exportHeight}
		}
	}
	g.repeat = regexp.MustCompile(p.repeat).MatchString(text)
	for _, m := range regexp.MustCompile(p.color).FindAllStringSubmatch(text, -1) {
		if format == "swiftui" {
			g.colors = append(g.colors, [4]float64{255 * number(m[1]), 255 * number(m[2]), 255 * number(m[3]), number(m[4])})
			continue
		}
		v, err := strconv.ParseUint(m[1], 16, 32)
		require.NoError(t, err)
		g.colors = append(g.colors, [4]float64{float64(v >> 16 & 255), float64(v >> 8 & 255), float64(v & 255), float64(v>>24) / 255})
	}
	if format == "flutter" {
		list := regexp.MustCompile(`stops: \[(.*)\]`).FindStringSubmatch(text)[1]
		for s := range strings.SplitSeq(list, ", ") {
			g.offsets = append(g.offsets, number(s))
		}
	} else {
		for _, m := range regexp.MustCompile(p.offset).FindAllStringSubmatch(text, -1) {
			g.offsets = append(g.offsets, number(m[1]))
		}
	}
	require.Len(t, g.offsets, len(g.colors), text)
	return g
}

func (g target) paint() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, exportWidth, exportHeight))
	for i := 0; i < len(img.Pix); i += 4 {
		c := g.at(g.place(float64(i/4%exportWidth)+0.5, float64(i/4/exportWidth)+0.5))
		for k := range 3 {
			img.Pix[i+k] = uint8(c[k]*c[3] + 0.5)
		}
		img.Pix[i+3] = uint8(c[3]*255 + 0.5)
	}
	return img
}

func (g target) place(x, y float64) float64 {
	x, y = x-g.start[0], y-g.start[1]
	t := 0.0
	switch g.kind {
	case "radial", "elliptical":
		t = math.Hypot(x/g.radii[0], y/g.radii[1])
	case "sweep", "angular":
		t = math.Atan2(y, x) / (2 * math.Pi)
		t -= math.Floor(t)
	default:
		dx, dy := g.end[0]-g.start[0], g.end[1]-g.start[1]
		t = (x*dx + y*dy) / (dx*dx + dy*dy)
	}
	if g.repeat {
		t -= math.Floor(t)
	}
	return t
}

func (g target) at(t float64) (c [4]float64) {
	last := len(g.offsets) - 1
	switch {
	case t < g.offsets[0]:
		return g.colors[0]
	case t >= g.offsets[last]:
		return g.colors[last]
	}
	i := 0
	for t >= g.offsets[i+1] {
		i++
	}
	f := (t - g.offsets[i]) / (g.offsets[i+1] - g.offsets[i])
	for k := range c {
		c[k] = g.colors[i][k] + (g.colors[i+1][k]-g.colors[i][k])*f
	}
	return c
}
