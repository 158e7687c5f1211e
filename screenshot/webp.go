package screenshot

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/HugoSmits86/nativewebp"

	"github.com/devkiln/devkiln/internal/invalid"
)

// MaxWebP is the maximum number of pixels of a WebP: its encoder holds the
// whole picture, at about 30 bytes per pixel.
const MaxWebP = 2 << 20

// WriteWebP writes the picture as a lossless WebP of scale pixels per CSS
// pixel, 1 to 4, or of the [Picture.WebPScale] if that is less. It is about half
// as large as the PNG, for about fifty times the work. Its errors are those of
// [Picture.WritePNG], and an option error for the scale if the picture has more
// than [MaxWebP] pixels at a scale of 1.
func (p *Picture) WriteWebP(ctx context.Context, w io.Writer, scale float64) error {
	if err := checkScale(scale); err != nil {
		return err
	}
	if scale = p.WebPScale(scale); scale < MinScale {
		return &invalid.Input{Field: "scale", Reason: "out_of_range", Message: fmt.Sprintf("is too large for WebP, which has at most %d pixels: use PNG", MaxWebP)}
	}
	image, err := p.Image(ctx, scale)
	if err != nil {
		return err
	}
	return nativewebp.Encode(w, image, nil)
}

// WebPScale returns the scale of the file that [Picture.WriteWebP] writes if
// this one is asked for: the largest with at most [MaxWebP] pixels.
func (p *Picture) WebPScale(scale float64) float64 {
	largest := math.Sqrt(MaxWebP / ((p.scene.Width + 1) * (p.scene.Height + 1)))
	return min(scale, math.Floor(largest*100)/100)
}

// WebPWarning says that a WebP has less than the scale that was asked for; it is
// "" if it has that scale.
func (p *Picture) WebPWarning(scale float64) string {
	if s := p.WebPScale(scale); s < scale {
		return fmt.Sprintf("The WebP has a scale of %v, not %v, so that it has at most %d pixels.", s, scale, MaxWebP)
	}
	return ""
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
