package screenshot

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/screenshot/internal/raster"
	"github.com/devkiln/devkiln/screenshot/internal/scene"
	"github.com/devkiln/devkiln/screenshot/internal/stripng"
	"github.com/devkiln/devkiln/screenshot/internal/svg"
)

// The limits of the scale of a PNG, in pixels per CSS pixel, and the default
// scale of the API.
const (
	MinScale     = 1
	MaxScale     = 4
	DefaultScale = 2
)

// A picture is painted in strips of stripRows rows, or fewer if those exceed
// maxStrip bytes.
const (
	stripRows = 64
	maxStrip  = 4 << 20
)

// rowsOfStrip returns the number of rows of a strip.
func rowsOfStrip(width int) int {
	return max(1, min(stripRows, maxStrip/(4*width)))
}

// A Picture is a [Config] that has been highlighted and laid out, so that it
// can be written more than once. Several goroutines may write it at once. Make
// one with [Config.Picture]: the methods of the zero Picture panic.
type Picture struct {
	config  Config
	scene   *scene.Scene
	missing []rune
	plain   bool
}

// Picture lays the Config out. The error joins an option error for each invalid
// setting, among them code of more than 5,000 lines or 10,000 columns.
func (c Config) Picture() (*Picture, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	l, err := newLayout(c)
	if err != nil {
		return nil, err
	}
	return &Picture{config: c, scene: &l.Scene, missing: l.faces.Missing(), plain: l.plain}, nil
}

// Size returns the size of the picture in CSS pixels: the size of the SVG, and
// of the PNG at a scale of 1.
func (p *Picture) Size() (width, height int) {
	width, height, _ = p.size(MinScale)
	return width, height
}

// scale returns the scale for which one is asked: a picture with [Extras].Size
// has no larger one than 1.
func (p *Picture) scale(asked float64) float64 {
	if p.config.Size != "" {
		return min(asked, 1)
	}
	return asked
}

// size returns the size of the picture at a scale, in pixels, and the pixels of
// a unit of the scene.
func (p *Picture) size(scale float64) (width, height int, zoom float64) {
	zoom = p.scale(scale) * p.scene.Zoom
	return int(math.Round(p.scene.Width * zoom)), int(math.Round(p.scene.Height * zoom)), zoom
}

// Description returns the text that the picture shows, as an alternative to it,
// cut after about 1,000 characters. It is the description of an SVG.
func (p *Picture) Description() string { return p.scene.Description }

// Missing returns the characters that no font has, in Unicode order. A PNG
// shows a box for each; an SVG leaves them to the fonts of its viewer.
func (p *Picture) Missing() []rune { return slices.Clone(p.missing) }

// maxNamed is the most missing characters that a warning names.
const maxNamed = 8

// Warnings describes for people, one sentence each, what the picture does not
// show correctly; nil if there is nothing.
func (p *Picture) Warnings() []string {
	var all []string
	if n := len(p.missing); n > 0 {
		named := strings.Trim(fmt.Sprintf("%U", p.missing[:min(n, maxNamed)]), "[]")
		more := ""
		if n > maxNamed {
			more = fmt.Sprintf(" and %d more", n-maxNamed)
		}
		all = append(all, "No font has "+strings.ReplaceAll(named, " ", ", ")+more+".")
	}
	if p.plain {
		all = append(all, "The code has no colours: highlighting it would take too long.")
	}
	return all
}

// WritePNG writes the picture as a PNG of scale pixels per CSS pixel, 1 to 4,
// while it is being painted. A picture with a transparent background has an
// alpha channel. The file states its resolution, so that viewers that support
// it show the picture at the size of the SVG.
//
// The error is an option error for a scale that is out of range or gives more
// than 268 million pixels; else that of w or of ctx.
func (p *Picture) WritePNG(ctx context.Context, w io.Writer, scale float64) error {
	width, height, zoom, err := p.pixels(scale)
	if err != nil {
		return err
	}
	texts, err := p.texts()
	if err != nil {
		return err
	}
	channels := 4 // of a pixel
	if p.scene.Background.Opaque() {
		channels = 3
	}
	const inchesPerMetre = 1 / 0.0254
	return stripng.Write(ctx, w, stripng.Picture{
		Width: width, Height: height, Channels: channels, Rows: rowsOfStrip(width),
		PixelsPerMetre: int(math.Round(96 * p.scale(scale) * inchesPerMetre)), Texts: texts,
		Painter: func() stripng.Painter { return raster.NewPainter(p.scene, zoom, width, height, channels) },
	}, max(1, p.config.Workers))
}

// WriteSVG writes the picture as a self-contained SVG document. It embeds the
// glyphs that it needs from the embedded font as a font, so that its text is
// text, and those of other fonts as outlines or images, with invisible text
// above them. Characters that no font has are left to the viewer's fonts. The
// document has no script, and is valid XML for any code: characters that XML
// does not allow are shown as symbols.
//
// The error is that of w or of ctx.
func (p *Picture) WriteSVG(ctx context.Context, w io.Writer) error {
	return svg.Write(ctx, w, p.scene)
}

// WritePNG lays the Config out and writes it as a PNG of scale pixels per CSS
// pixel, 1 to 4, as [Picture.WritePNG] does.
func (c Config) WritePNG(ctx context.Context, w io.Writer, scale float64) error {
	p, err := c.Picture()
	if err != nil {
		return err
	}
	return p.WritePNG(ctx, w, scale)
}

// WriteSVG lays the Config out and writes it as [Picture.WriteSVG] does.
func (c Config) WriteSVG(ctx context.Context, w io.Writer) error {
	p, err := c.Picture()
	if err != nil {
		return err
	}
	return p.WriteSVG(ctx, w)
}
