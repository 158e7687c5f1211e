package screenshot

import (
	"context"
	"image"
	"math"

	"github.com/devkiln/devkiln/screenshot/internal/raster"
)

// Image paints the whole picture, at 4 bytes per pixel. Its errors are those of
// [Picture.WritePNG].
func (p *Picture) Image(ctx context.Context, scale float64) (*image.NRGBA, error) {
	if _, _, err := p.pixels(scale); err != nil {
		return nil, err
	}
	return p.paint(ctx, scale)
}

// paint paints the whole picture at any scale.
func (p *Picture) paint(ctx context.Context, scale float64) (*image.NRGBA, error) {
	width, height := int(math.Round(p.scene.Width*scale)), int(math.Round(p.scene.Height*scale))
	whole := image.NewNRGBA(image.Rect(0, 0, width, height))
	painter := raster.NewPainter(p.scene, scale, width, height, 4)
	for y := 0; y < height; y += stripRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		painter.Paint(whole.Pix[y*whole.Stride:], whole.Stride, y, min(y+stripRows, height))
	}
	return whole, nil
}

// pixels returns the size of the picture at a scale, in pixels.
func (p *Picture) pixels(scale float64) (width, height int, err error) {
	if err := checkScale(scale); err != nil {
		return 0, 0, err
	}
	width, height = int(math.Round(p.scene.Width*scale)), int(math.Round(p.scene.Height*scale))
	var f faults
	if width*height > maxPixels {
		f.Addf("code", "out_of_range", "makes a picture of %d by %d pixels at scale %v, must have at most %d pixels", width, height, scale, maxPixels)
	}
	return width, height, f.Err()
}
