package screenshot

import (
	"context"
	"io"
	"time"

	"github.com/HugoSmits86/nativewebp"

	"github.com/devkiln/devkiln/internal/invalid"
)

// MaxWebP is the maximum number of pixels of a WebP: its encoder holds the
// whole picture, at about 30 bytes per pixel.
const MaxWebP = 2 << 20

// WriteWebP writes the picture as a lossless WebP of scale pixels per CSS
// pixel, 1 to 4: about half as large as the PNG, for about fifty times the
// work. Its errors are those of [Picture.WritePNG], and an option error for the
// scale if the picture has more than [MaxWebP] pixels.
func (p *Picture) WriteWebP(ctx context.Context, w io.Writer, scale float64) error {
	width, height, err := p.pixels(scale)
	if err != nil {
		return err
	}
	if width*height > MaxWebP {
		return &invalid.Input{Field: "scale", Reason: "out_of_range", Message: "is too large for WebP, which supports at most 2097152 pixels: use PNG"}
	}
	image, err := p.Image(ctx, scale)
	if err != nil {
		return err
	}
	return nativewebp.Encode(w, image, nil)
}

// WriteWebP lays the Config out and writes it as [Picture.WriteWebP] does.
func (c Config) WriteWebP(ctx context.Context, w io.Writer, scale float64) error {
	p, err := c.Picture()
	if err != nil {
		return err
	}
	return p.WriteWebP(ctx, w, scale)
}

// webpWork is the processor time per pixel of a WebP.
const webpWork = 500 * time.Nanosecond

// WebP returns the cost of writing a WebP instead of a PNG.
func (c Cost) WebP() Cost {
	pixels := min(c.Pixels, MaxWebP)
	c.Work += time.Duration(pixels) * webpWork
	c.Memory += 30 * int64(pixels)
	return c
}
