package screenshot

import "math"

// shapes are the aspect ratios of a picture, width to height.
var shapes = [...]struct {
	name          string
	width, height float64
}{{"16:9", 16, 9}, {"4:3", 4, 3}, {"3:2", 3, 2}, {"1:1", 1, 1}, {"4:5", 4, 5}, {"9:16", 9, 16}, {"og", 1200, 630}}

func ratios() []string {
	names := make([]string, len(shapes))
	for i, s := range shapes {
		names[i] = s.name
	}
	return names
}

// widen returns the smallest size, in whole pixels, that has the ratio and
// contains a picture. Without a ratio it returns the size unchanged.
func widen(ratio string, width, height float64) (float64, float64) {
	for _, s := range shapes {
		if s.name == ratio {
			return max(width, math.Round(height*s.width/s.height)), max(height, math.Round(width*s.height/s.width))
		}
	}
	return width, height
}
