package screenshot

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/HugoSmits86/nativewebp"
)

// maxWebP is the maximum number of pixels of a WebP: its encoder holds the
// whole picture, at about 30 bytes per pixel.
const maxWebP = 1_600_000

const maxWebPSide = 16_383 // pixels, of the format

// WriteWebP writes the picture as a lossless WebP of scale pixels per CSS
// pixel, 1 to 4, or less, also than 1, if it has more than 1,600,000 pixels or
// 16,383 on a side. It is about half as large as the PNG, for about fifty times
// the work. Its errors are those of [Picture.WritePNG].
func (p *Picture) WriteWebP(ctx context.Context, w io.Writer, scale float64) error {
	if err := checkScale(scale); err != nil {
		return err
	}
	image, err := p.paint(ctx, p.webPScale(scale))
	if err != nil {
		return err
	}
	return nativewebp.Encode(w, image, nil)
}

// webPScale returns the scale of the file that [Picture.WriteWebP] writes if
// this one is asked for: the largest within the limits.
func (p *Picture) webPScale(scale float64) float64 {
	width, height := p.scene.Width*p.scene.Zoom, p.scene.Height*p.scene.Zoom
	largest := min(math.Sqrt(maxWebP/((width+1)*(height+1))), maxWebPSide/max(width, height))
	return min(p.scale(scale), math.Floor(largest*1000)/1000)
}

// WebPWarning says that a WebP has less than the scale that was asked for; it is
// "" if it has that scale.
func (p *Picture) WebPWarning(scale float64) string {
	if s := p.webPScale(scale); s < p.scale(scale) {
		return fmt.Sprintf("The WebP has a scale of %v, not %v, so that it has at most %d pixels, and %d on a side.", s, p.scale(scale), maxWebP, maxWebPSide)
	}
	return ""
}

// webpWork is the processor time per pixel of a WebP.
const webpWork = 500 * time.Nanosecond

// WebP returns the cost of writing a WebP instead of a PNG.
func (c Cost) WebP() Cost {
	pixels := min(c.Pixels, maxWebP)
	c.Work += time.Duration(pixels) * webpWork
	c.Memory += 30 * int64(pixels)
	return c
}
