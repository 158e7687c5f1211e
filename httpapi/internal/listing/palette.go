package listing

import (
	"fmt"
	"strings"

	"github.com/lucasb-eyer/go-colorful"

	"github.com/devkiln/devkiln/internal/terminal"
)

// Terminal colours are meant for a black background, but pages are light or
// dark. Foreground colours are blended with the text colour until they are
// legible. Text on a coloured background is black or white.

// readable is the contrast ratio that WCAG 2 requires at level AA, with a
// margin for the tint of lines with errors.
const readable = 4.5 * 1.16

// ansi16 holds the first 16 colours, which differ between terminals.
var ansi16 = strings.Fields("#3b3530 #c42b1c #2b803e #9a6600 #2a62c4 #983aa8 #0f7d8c #b5ab9f #7d7368 #f05a4a #55c06e #e5b03d #66a3ff #d07ce0 #4cc4d2 #f5f0ea")

// hexColor parses a colour constant of this file.
func hexColor(text string) colorful.Color {
	c, _ := colorful.Hex(text) // invalid constants become black, which tests detect
	return c
}

// ansiColor returns a colour of xterm's palette: 16 colours, a 6×6×6 cube and
// 24 greys.
func ansiColor(i int) colorful.Color {
	if i < len(ansi16) {
		return hexColor(ansi16[i])
	}
	r, g, b := terminal.Cube(uint8(i))
	return colorful.Color{R: float64(r) / 255, G: float64(g) / 255, B: float64(b) / 255}
}

// contrast returns the contrast ratio by WCAG 2.
func contrast(a, b colorful.Color) float64 {
	luminance := func(c colorful.Color) float64 {
		red, green, blue := c.LinearRgb()
		return 0.2126*red + 0.7152*green + 0.0722*blue
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// legible blends c with the text colour as little as makes it readable on
// surface.
func legible(c, surface, text colorful.Color) string {
	for step := 0.0; step < 1; step += 0.05 {
		if moved := c.BlendRgb(text, step).Hex(); contrast(hexColor(moved), surface) >= readable {
			return moved
		}
	}
	return text.Hex()
}

// ANSIStyles returns a style sheet with the classes of [styleClass]: f0 to f255
// for the foreground, b0 to b255 for the background.
func ANSIStyles() []byte {
	lightSurface, lightText := hexColor("#ffffff"), hexColor("#1f1b16")
	darkSurface, darkText := hexColor("#1e1b18"), hexColor("#ece6df")
	var b strings.Builder
	for i := range 256 {
		c := ansiColor(i)
		fmt.Fprintf(&b, ".f%d{color:light-dark(%s,%s)}", i, legible(c, lightSurface, lightText), legible(c, darkSurface, darkText))
		on := "#000"
		if contrast(c, colorful.Color{}) < contrast(c, lightSurface) {
			on = "#fff"
		}
		fmt.Fprintf(&b, ".b%d{background:%s;color:%s}", i, c.Hex(), on)
	}
	return []byte(b.String())
}
