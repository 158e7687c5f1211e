package screenshot

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/devkiln/devkiln/screenshot/internal/raster"
	"github.com/devkiln/devkiln/screenshot/internal/stripng"
	"github.com/devkiln/devkiln/screenshot/internal/svg"
)

// The limits of the scale of a PNG, in pixels per CSS pixel.
const (
	MinScale = 1
	MaxScale = 4
)

// stripRows is how many rows of a PNG exist at a time.
const stripRows = 48

// WritePNG draws the picture as a PNG of scale pixels per CSS pixel, 1 to 4,
// and writes it to w while it is being drawn. A picture whose background is
// transparent has an alpha channel. The file tells its scale, so that viewers
// that care show it in the size of the SVG.
//
// The error joins an [OptionError] for each setting that cannot be drawn, among
// them code of too many lines, or columns, or pixels at this scale: 5,000,
// 10,000 and 268 million. Else it is that of w or of ctx.
func (c Config) WritePNG(ctx context.Context, w io.Writer, scale float64) error {
	var f faults
	if f.number("scale", scale, MinScale, MaxScale); f != nil {
		return f.err()
	}
	l, err := newScene(ctx, c)
	if err != nil {
		return err
	}
	width, height := int(math.Round(l.Width*scale)), int(math.Round(l.Height*scale))
	if width*height > maxPixels {
		return &OptionError{"code", "out_of_range", fmt.Sprintf(
			"makes a picture of %d by %d pixels at scale %v, must have at most %d pixels", width, height, scale, maxPixels)}
	}
	const inchesPerMetre = 1 / 0.0254
	return stripng.Write(ctx, w, stripng.Picture{
		Width: width, Height: height, Channels: raster.Channels(l), Rows: stripRows,
		PixelsPerMetre: int(math.Round(96 * scale * inchesPerMetre)),
		Painter:        func() stripng.Painter { return raster.NewPainter(l, scale, width, height) },
	}, max(1, c.Workers))
}

// WriteSVG draws the picture as an SVG document. It stands alone: the glyphs it
// needs of the embedded font are inside as a font, so that its text is text,
// and those of other fonts as outlines or pictures, with the text invisible
// above them. What no font has is left to the viewer's fonts. There is no
// script, and any code makes valid XML: characters that XML cannot hold are
// shown as their symbols.
//
// Its errors are those of [Config.WritePNG].
func (c Config) WriteSVG(ctx context.Context, w io.Writer) error {
	l, err := newScene(ctx, c)
	if err != nil {
		return err
	}
	return svg.Write(ctx, w, l)
}
