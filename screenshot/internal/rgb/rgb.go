// Package rgb parses, formats and mixes the colours of themes.
package rgb

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"
)

// Parse parses #rgb, #rgba, #rrggbb and #rrggbbaa.
func Parse(s string) (color.NRGBA, error) {
	digits, ok := strings.CutPrefix(s, "#")
	if len(digits) == 3 || len(digits) == 4 {
		for i := len(digits) - 1; i >= 0; i-- { // each twice
			digits = digits[:i+1] + digits[i:]
		}
	}
	if len(digits) == 6 {
		digits += "ff"
	}
	v, err := strconv.ParseUint(digits, 16, 32)
	if !ok || len(digits) != 8 || err != nil {
		return color.NRGBA{}, fmt.Errorf("colour %q is not #rgb, #rgba, #rrggbb or #rrggbbaa", s)
	}
	return color.NRGBA{R: uint8(v >> 24), G: uint8(v >> 16), B: uint8(v >> 8), A: uint8(v)}, nil
}

// Hex formats a colour as #rrggbb, without its alpha.
func Hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Mix returns the opaque colour of over with the given alpha out of 255 on
// under.
func Mix(under, over color.NRGBA, alpha uint8) color.NRGBA {
	blend := func(u, o uint8) uint8 {
		return uint8((int(u)*(255-int(alpha)) + int(o)*int(alpha) + 127) / 255)
	}
	return color.NRGBA{R: blend(under.R, over.R), G: blend(under.G, over.G), B: blend(under.B, over.B), A: 255}
}
