package gradient

import (
	"image/color"
	"math"
	"math/rand/v2"

	"github.com/lucasb-eyer/go-colorful"
)

// Random returns a pleasing opaque linear gradient of two or three colours: in
// OKLCH its hue turns by 40 to 110 degrees, its lightness rises or falls
// monotonically, and its colours are vivid but within sRGB. A given state of
// rng always gives the same gradient, in later versions too. rng must not be
// nil.
func Random(rng *rand.Rand) Gradient {
	n := 2 + rng.IntN(2)
	hue := 360 * rng.Float64()
	turn := 40 + 70*rng.Float64()
	if rng.IntN(2) == 0 {
		turn = -turn
	}
	from := 0.6 + 0.12*rng.Float64()
	to := from + 0.08 + 0.12*rng.Float64()
	if rng.IntN(2) == 0 {
		from, to = to, from
	}
	vivid := 0.75 + 0.2*rng.Float64()
	g := Gradient{kind: Linear, angle: float64(15 * rng.IntN(24)), center: middle, stops: make([]Stop, n)}
	for i := range g.stops {
		f := float64(i) / float64(n-1)
		h := math.Mod(hue+turn*f+360, 360)
		l := min(from+(to-from)*f+yellowLift(h), 0.92)
		c := colorful.OkLch(l, vivid*maxChroma(l, h), h)
		g.stops[i] = Stop{Color: color.NRGBA{level8(c.R * 255), level8(c.G * 255), level8(c.B * 255), 255}, Position: evenPosition(i, n)}
	}
	return g.finished()
}

// yellowLift returns how much to lighten a hue: most for yellow, which
// otherwise looks brown.
func yellowLift(hue float64) float64 {
	const yellow = 105
	return 0.12 * max(0, math.Cos((hue-yellow)*(math.Pi/180)))
}

// maxChroma returns the largest chroma within sRGB at a lightness and hue.
func maxChroma(lightness, hue float64) float64 {
	low, high := 0.0, 0.4
	for range 20 {
		mid := (low + high) / 2
		if colorful.OkLch(lightness, mid, hue).IsValid() {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}
