// Package card draws preview pictures of links (og:image): a few lines of code
// or of a log in a window.
package card

import (
	"context"
	"image"
	"image/draw"
	"image/png"
	"io"
	"strings"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/screenshot"
)

// The size of a card in pixels. Chats show an aspect ratio of 1.91:1 uncropped.
const (
	Width  = 1200
	Height = 630
)

// MaxLines is the maximum number of lines on a card.
const MaxLines = 14

const (
	margin     = 48 // minimum around the window, in pixels
	maxColumns = 80 // characters per line
	maxTitle   = 60 // characters
	maxScale   = 2.5

	background = "linear-gradient(135deg, #ffb088, #b03a14)"
)

// Lines returns up to [MaxLines] lines of a text, starting at line from and
// clipped to the width of a card.
func Lines(text string, from int) string {
	var b strings.Builder
	number := 0
	for line := range strings.Lines(text) {
		if number++; number < from {
			continue
		}
		if number >= from+MaxLines {
			break
		}
		b.WriteString(clip(terminal.Text(strings.TrimRight(line, "\r\n")), maxColumns) + "\n")
	}
	return b.String()
}

// Title clips a title to the width of a card.
func Title(title string) string { return clip(title, maxTitle) }

// clip cuts text after most characters and appends an ellipsis.
func clip(text string, most int) string {
	runes := 0
	for i := range text {
		if runes++; runes > most {
			return text[:i] + "…"
		}
	}
	return text
}

// Config returns the configuration of a card's window. lines is a result of
// [Lines].
func Config(lines string, o screenshot.Options) (screenshot.Config, error) {
	o.Background, o.Padding = "transparent", new(0.0)
	o.HideShadow = true
	return screenshot.New(lines, o)
}

// scale returns the factor by which the window is drawn.
func scale(width, height int) float64 {
	fit := min(float64(Width-2*margin)/float64(width), float64(Height-2*margin)/float64(height))
	return min(max(fit, screenshot.MinScale), maxScale)
}

// WritePNG draws a card. It uses about 10 MB of memory and cuts off what does
// not fit.
func WritePNG(ctx context.Context, w io.Writer, c screenshot.Config) error {
	p, err := c.Picture()
	if err != nil {
		return err
	}
	window, err := p.Image(ctx, scale(p.Size()))
	if err != nil {
		return err
	}
	g, err := gradient.Parse(background)
	if err != nil {
		return err
	}
	card, err := g.Image(Width, Height, gradient.ImageOptions{})
	if err != nil {
		return err
	}
	at := image.Pt(max(margin, (Width-window.Rect.Dx())/2), max(margin, (Height-window.Rect.Dy())/2))
	draw.Draw(card, window.Rect.Sub(window.Rect.Min).Add(at), window, window.Rect.Min, draw.Over)
	return (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, card)
}
