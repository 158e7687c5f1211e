package export

import (
	"embed"
	"errors"
	"fmt"
	"image/color"
	"math"
	"sync"
	"text/template"

	"github.com/devkiln/devkiln/gradient"
)

//go:embed templates
var templateFiles embed.FS

// templates write a [picture] for each toolkit. Each is named like its format.
//
//   - SwiftUI: UnitPoint and EllipticalGradient use fractions of the box,
//     AngularGradient counts clockwise from three o'clock.
//   - Compose: offsets are pixels, a sweep starts at three o'clock.
//   - Flutter: an Alignment goes from -1 to 1 across the box, a radius is a fraction
//     of its shorter side, a sweep starts at three o'clock.
//   - Android: a vector drawable, whose gradients, unlike those of a shape, have
//     any direction and number of stops (API level 24).
var templates = sync.OnceValue(func() *template.Template {
	level := func(v uint8) string { return number(float64(v) / 255) }
	aligned := func(v float64) string { return number(2*v - 1) }
	functions := template.FuncMap{"number": number, "level": level, "aligned": aligned, "argb": argb}
	return template.Must(template.New("").Funcs(functions).ParseFS(templateFiles, "templates/*.tmpl"))
})

// picture is a gradient in its box. A solid one is linear.
type picture struct {
	gradient.Resolved

	Name          string
	Width, Height int
	Round         bool                                       // the ending shapes of a radial gradient are circles
	Unit          struct{ Start, End, Radii gradient.Point } // as fractions of the box
	ShortRadius   float64                                    // as a fraction of the shorter side
}

func (j *job) picture() picture {
	p := picture{Resolved: j.resolved, Name: j.camel(), Width: j.o.Width, Height: j.o.Height}
	unit := func(at gradient.Point) gradient.Point {
		return gradient.Point{X: at.X / float64(p.Width), Y: at.Y / float64(p.Height)}
	}
	p.Unit.Start, p.Unit.End, p.Unit.Radii = unit(p.Start), unit(p.End), unit(p.Radii)
	p.Round = math.Abs(p.Radii.X-p.Radii.Y) < 1e-6*p.Radii.X
	p.ShortRadius = p.Radii.X / float64(min(p.Width, p.Height))
	if p.Solid {
		p.Kind = gradient.Linear
	}
	return p
}

// unsupported returns an error that says why a toolkit cannot show the picture, or
// nil.
func (p picture) unsupported(format string) error {
	ellipse := p.Kind == gradient.Radial && !p.Round
	if format != "swiftui" {
		if ellipse {
			return errors.New("the target supports only circles, and this is an ellipse at the given size")
		}
		return nil
	}
	if p.Repeating {
		return errors.New("SwiftUI cannot repeat gradients")
	}
	if r := p.Unit.Radii; ellipse && math.Abs(r.X-r.Y) >= 1e-4*r.X {
		return errors.New("SwiftUI supports only circles and ellipses with the proportions of the box")
	}
	return nil
}

// native returns a function that writes the format of a toolkit.
func native(format string) func(*job) error {
	return func(j *job) error {
		p := j.picture()
		var err error
		if p.Stops, err = j.stops(); err != nil {
			return err
		}
		if err := p.unsupported(format); err != nil {
			return err
		}
		return templates().ExecuteTemplate(j, format+".tmpl", p)
	}
}

// Toolkits do not specify whether they premultiply before they mix two colours.
// The stops are therefore such that it makes no difference: two adjacent stops
// have the same alpha or the same colour.

var errMixed = errors.New("the target does not define how it interpolates between colours of different alpha")

// stops returns the stops for a toolkit, at least two.
func (j *job) stops() ([]gradient.ResolvedStop, error) {
	var all []gradient.ResolvedStop
	for i, s := range j.resolved.Stops {
		if s.Opacity == 0 { // takes the colours of its neighbours
			if i > 0 {
				before := all[len(all)-1]
				before.Offset, before.Opacity = s.Offset, 0
				all = appendStop(all, before)
			}
			if i+1 < len(j.resolved.Stops) {
				s.Color = j.resolved.Stops[i+1].Color
			}
		}
		all = appendStop(all, s)
	}
	for i := range all {
		all[i].Color.A = uint8(math.Round(all[i].Opacity * 255))
	}
	for i, s := range all[1:] {
		before := all[i]
		same := before.Color
		same.A = s.Color.A
		if before.Color.A != s.Color.A && same != s.Color && s.Offset > before.Offset {
			return nil, errMixed
		}
	}
	if len(all) == 1 {
		all = append(all, all[0])
		all[1].Offset = 1
	}
	return all, nil
}

// appendStop appends a stop. Of several stops at one offset it keeps the first
// and the last.
func appendStop(all []gradient.ResolvedStop, s gradient.ResolvedStop) []gradient.ResolvedStop {
	n := len(all)
	switch {
	case n > 0 && all[n-1] == s:
		return all
	case n > 1 && all[n-1].Offset == s.Offset && all[n-2].Offset == s.Offset:
		all[n-1] = s
		return all
	}
	return append(all, s)
}

func argb(c color.NRGBA) string { return fmt.Sprintf("%02X%02X%02X%02X", c.A, c.R, c.G, c.B) }
