package screenshot

import (
	"context"
	"image"
	"image/draw"
	"math"

	"github.com/devkiln/devkiln/screenshot/internal/raster"
)

// Rows paints the picture at scale pixels per CSS pixel, 1 to 4, a few rows at
// a time from the top, for programs that encode pictures themselves. The bounds
// of the rows say where they are; yield must not retain them. Rows stops early
// with the error of yield or of ctx; otherwise its errors are those of
// [Picture.WritePNG].
func (p *Picture) Rows(ctx context.Context, scale float64, yield func(rows *image.NRGBA) error) error {
	width, height, err := p.pixels(scale)
	if err != nil {
		return err
	}
	painter := raster.NewPainter(p.scene, scale, width, height, 4)
	step := min(rowsOfStrip(width), height)
	rows := image.NewNRGBA(image.Rect(0, 0, width, step))
	for y := 0; y < height; y += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		bounds := image.Rect(0, y, width, min(y+step, height))
		painter.Paint(rows.Pix, rows.Stride, bounds.Min.Y, bounds.Max.Y)
		if err := yield(&image.NRGBA{Pix: rows.Pix[:rows.Stride*bounds.Dy()], Stride: rows.Stride, Rect: bounds}); err != nil {
			return err
		}
	}
	return nil
}

// Image paints the whole picture, at 4 bytes per pixel. Its errors are those of
// [Picture.WritePNG].
func (p *Picture) Image(ctx context.Context, scale float64) (*image.NRGBA, error) {
	width, height, err := p.pixels(scale)
	if err != nil {
		return nil, err
	}
	whole := image.NewNRGBA(image.Rect(0, 0, width, height))
	err = p.Rows(ctx, scale, func(rows *image.NRGBA) error {
		draw.Draw(whole, rows.Rect, rows, rows.Rect.Min, draw.Src)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return whole, nil
}

// Image lays the Config out and paints it as [Picture.Image] does.
func (c Config) Image(ctx context.Context, scale float64) (*image.NRGBA, error) {
	p, err := c.Picture()
	if err != nil {
		return nil, err
	}
	return p.Image(ctx, scale)
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
