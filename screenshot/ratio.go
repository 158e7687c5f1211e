package screenshot

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// The limits of the sides of [Extras].Size, in pixels.
const minSide, maxSide = 100, 4096

// ratios are the aspect ratios of a picture.
var ratios = []string{"16:9", "4:3", "3:2", "1:1", "4:5", "9:16", "og"}

// sizes are the sizes of a picture that are offered.
var sizes = []string{"1200x675", "1080x1080", "1080x1350", "1920x1080", "1660", "1200x630"}

// labels say what ratios and sizes are for.
var labels = map[string]string{
	"1200x675": "Post, 1200 × 675", "1080x1080": "Post, 1080 × 1080", "1080x1350": "Post, 1080 × 1350", "1920x1080": "Slide, 1920 × 1080",
	"1660": "README, 1660 wide", "1200x630": "Link preview, 1200 × 630", "og": "Link preview, 1.91:1",
}

// sides returns the width and the height in a text such as 16:9, 0 for one that
// is missing.
func sides(text, separator string) (width, height float64) {
	before, after, _ := strings.Cut(text, separator)
	w, _ := strconv.Atoi(before)
	h, _ := strconv.Atoi(after)
	return float64(w), float64(h)
}

// widen returns the smallest size, in whole pixels, that has the ratio and
// contains a picture. Without a ratio it returns the size unchanged.
func widen(ratio string, width, height float64) (float64, float64) {
	if ratio == "og" {
		ratio = "1200:630"
	}
	if across, down := sides(ratio, ":"); down > 0 {
		return max(width, math.Round(height*across/down)), max(height, math.Round(width*down/across))
	}
	return width, height
}

// size refuses a size that cannot be, or that the ratio contradicts.
func (f *faults) size(size, ratio string) {
	width, height := sides(size, "x")
	inRange := func(n float64) bool { return n >= minSide && n <= maxSide }
	if size != "" && !(inRange(width) && (inRange(height) || size == decimal(width))) {
		f.Addf("size", "invalid_format", "must be a width and a height such as 1200x675, or a width alone, of %d to %d pixels", minSide, maxSide)
	} else if height > 0 && ratio != "" {
		f.Add("ratio", "not_one_of", "must not be set if size has a height")
	}
}

// extend returns the size of a picture extended to the ratio and the size that
// c asks for, and how many times as large it is drawn, at most [MaxScale].
func (c Config) extend(width, height float64) (w, h, zoom float64) {
	width, height = widen(c.Ratio, width, height)
	if w, h = sides(c.Size, "x"); w == 0 {
		return width, height, 1
	}
	zoom = min(MaxScale, w/width, cmp.Or(h/height, MaxScale))
	if h == 0 {
		_, h = widen(c.Ratio, w, height*zoom)
	}
	return w / zoom, h / zoom, zoom
}
