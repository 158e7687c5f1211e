package gradient

import "image/color"

// contrastSamples is the number of steps into which a segment is divided to
// find the lowest contrast.
const contrastSamples = 128

// Contrast returns the lowest contrast ratio, from 1 to 21, of text in this
// colour anywhere on the gradient, as WCAG 2 defines it. Level AA requires 4.5,
// or 3 for large text; level AAA requires 7, or 4.5.
//
// A gradient that is not opaque is evaluated over black, white and every grey.
// Text that is not opaque is blended with the colour behind it.
func (g Gradient) Contrast(text color.NRGBA) float64 {
	r := g.ramp
	if r == nil {
		return 1
	}
	worst := min(worstContrast(text, r.ends[:1]), worstContrast(text, r.ends[1:]))
	colors := make([]color.NRGBA, contrastSamples+1)
	for i := range r.segments {
		s := &r.segments[i]
		for k := range colors {
			colors[k] = straight(r.space.paint(s.at(float64(k)/contrastSamples), r.transfer))
		}
		worst = min(worst, worstContrast(text, colors))
	}
	return worst
}

// worstContrast returns the lowest contrast along colours that change
// continuously. If the text is lighter than one of them and darker than
// another, some colour between them has the luminance of the text, and the
// contrast there is 1.
func worstContrast(text color.NRGBA, colors []color.NRGBA) float64 {
	const flare = 0.05
	worst := 21.0
	var lighter, darker bool
	for _, c := range colors {
		for _, backdrop := range [...]uint8{0, 255} {
			ground := over(c, color.NRGBA{backdrop, backdrop, backdrop, 255})
			front, back := luminance(over(text, ground))+flare, luminance(ground)+flare
			lighter = lighter || front >= back
			darker = darker || front <= back
			worst = min(worst, max(front/back, back/front))
			if c.A == 255 {
				break
			}
		}
	}
	if lighter && darker {
		return 1
	}
	return worst
}

// over composites a colour over an opaque one.
func over(c, ground color.NRGBA) color.NRGBA {
	a := float64(c.A) / 255
	mix := func(front, back uint8) uint8 { return round8(float64(front)*a + float64(back)*(1-a)) }
	return color.NRGBA{mix(c.R, ground.R), mix(c.G, ground.G), mix(c.B, ground.B), 255}
}

// luminance returns the relative luminance of WCAG 2, from 0 to 1.
func luminance(c color.NRGBA) float64 {
	t := transferTable()
	return 0.2126*t.light[c.R] + 0.7152*t.light[c.G] + 0.0722*t.light[c.B]
}
