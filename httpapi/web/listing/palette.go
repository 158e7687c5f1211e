package listing

import (
	"fmt"
	"math"
	"strings"

	"github.com/devkiln/devkiln/internal/terminal"
)

// The colours of terminals are meant for a black screen. Here they stand on a
// page that may be light or dark: colours of text are moved towards the text
// colour until they can be read, and on a coloured ground text is black or
// white.

type rgb [3]float64

// The surfaces that logs stand on, and what to move colours towards.
var (
	lightSurface, lightText = rgb{255, 255, 255}, rgb{0x1f, 0x1b, 0x16}
	darkSurface, darkText   = rgb{0x1e, 0x1b, 0x18}, rgb{0xec, 0xe6, 0xdf}
)

// readable is the contrast that WCAG 2 asks of text at level AA, and a bit for
// the tint behind lines with an error.
const readable = 4.5 * 1.16

// ansi16 are the first 16 colours; every terminal has its own.
var ansi16 = [16]rgb{
	{0x3b, 0x35, 0x30},
	{0xc4, 0x2b, 0x1c},
	{0x2b, 0x80, 0x3e},
	{0x9a, 0x66, 0x00},
	{0x2a, 0x62, 0xc4},
	{0x98, 0x3a, 0xa8},
	{0x0f, 0x7d, 0x8c},
	{0xb5, 0xab, 0x9f},
	{0x7d, 0x73, 0x68},
	{0xf0, 0x5a, 0x4a},
	{0x55, 0xc0, 0x6e},
	{0xe5, 0xb0, 0x3d},
	{0x66, 0xa3, 0xff},
	{0xd0, 0x7c, 0xe0},
	{0x4c, 0xc4, 0xd2},
	{0xf5, 0xf0, 0xea},
}

// ansiColor returns one of xterm's 256 colours: 16, a cube of 6×6×6, 24 greys.
func ansiColor(i int) rgb {
	if i < 16 {
		return ansi16[i]
	}
	r, g, b := terminal.Cube(uint8(i))
	return rgb{float64(r), float64(g), float64(b)}
}

// luminance is the relative luminance of WCAG 2.
func (c rgb) luminance() float64 {
	linear := func(v float64) float64 {
		v /= 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
}

// contrast is the contrast ratio of WCAG 2.
func contrast(a, b rgb) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// legible returns c, moved towards text as far as it takes to be read on
// surface.
func (c rgb) legible(surface, text rgb) rgb {
	for step := 0.0; step < 1; step += 0.05 {
		var moved rgb
		for i := range c {
			moved[i] = math.Round(c[i] + (text[i]-c[i])*step)
		}
		if contrast(moved, surface) >= readable {
			return moved
		}
	}
	return text
}

func (c rgb) hex() string {
	return fmt.Sprintf("#%02x%02x%02x", int(c[0]), int(c[1]), int(c[2]))
}

// ANSIStyles returns the style sheet of the classes that [styleClass] names:
// f0 to f255 for text, b0 to b255 for what is behind it.
func ANSIStyles() []byte {
	var light, dark, back strings.Builder
	for i := range 256 {
		c := ansiColor(i)
		fmt.Fprintf(&light, ".f%d{color:%s}", i, c.legible(lightSurface, lightText).hex())
		fmt.Fprintf(&dark, ".f%d{color:%s}", i, c.legible(darkSurface, darkText).hex())
		on := "#000"
		if contrast(c, rgb{}) < contrast(c, rgb{255, 255, 255}) {
			on = "#fff"
		}
		fmt.Fprintf(&back, ".b%d{background:%s;color:%s}", i, c.hex(), on)
	}
	return []byte(light.String() + "@media (prefers-color-scheme:dark){" + dark.String() + "}" + back.String())
}
