package screenshot

import (
	"context"
	"image"

	"github.com/devkiln/devkiln/screenshot/internal/raster"
)

// Image paints the whole picture, at 4 bytes per pixel. Its errors are those of
// [Picture.WritePNG].
func (p *Picture) Image(ctx context.Context, scale float64) (*image.NRGBA, error) {
	if _, _, _, err := p.pixels(scale); err != nil {
		return nil, err
	}
	return p.paint(ctx, scale)
}

// paint paints the whole picture at any scale.
func (p *Picture) paint(ctx context.Context, scale float64) (*image.NRGBA, error) {
	width, height, zoom := p.size(scale)
	whole := image.NewNRGBA(image.Rect(0, 0, width, height))
	painter := raster.NewPainter(p.scene, zoom, width, height, 4)
	for y := 0; y < height; y += stripRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		painter.Paint(whole.Pix[y*whole.Stride:], whole.Stride, y, min(y+stripRows, height))
	}
	return whole, nil
}

// pixels returns [Picture.size] if a picture can be that large.
func (p *Picture) pixels(scale float64) (width, height int, zoom float64, err error) {
	if err := checkScale(scale); err != nil {
		return 0, 0, 0, err
	}
	width, height, zoom = p.size(scale)
	var f faults
	if width*height > maxPixels {
		f.Addf("code", "out_of_range", "makes a picture of %d by %d pixels at scale %v, must have at most %d pixels", width, height, scale, maxPixels)
	}
	return width, height, zoom, f.Err()
}
