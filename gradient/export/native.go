package export

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"strings"

	"github.com/devkiln/devkiln/gradient"
)

// Toolkits do not say whether they premultiply before they mix two colours. Stops
// are therefore such that it makes no difference: of two neighbours, either the
// alpha is the same or the colour.

var errMixed = errors.New("between two colours of different alpha, the target does not say what it paints")

// stops returns the stops for a toolkit, at least two.
func (j *job) stops() ([]gradient.PlainStop, error) {
	var all []gradient.PlainStop
	for i, s := range j.plain.Stops {
		if s.Opacity == 0 { // takes the colours beside it
			if i > 0 {
				before := all[len(all)-1]
				before.Offset, before.Opacity = s.Offset, 0
				all = appendStop(all, before)
			}
			if i+1 < len(j.plain.Stops) {
				s.Color = j.plain.Stops[i+1].Color
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

// appendStop keeps the outer two of the stops at one place.
func appendStop(all []gradient.PlainStop, s gradient.PlainStop) []gradient.PlainStop {
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

// round reports whether a radial gradient is one of circles, and its radius.
func (j *job) round() (float64, bool) {
	r := j.plain.Radii
	return r.X, math.Abs(r.X-r.Y) < 1e-6*r.X
}

var errEllipse = errors.New("the target has circles only, and this is an ellipse in the box of the given size")

// kind is that of what is written: what covers all is linear.
func (j *job) kind() gradient.Kind {
	if j.plain.Solid {
		return gradient.Linear
	}
	return j.plain.Kind
}

// unit returns a point in parts of the box.
func (j *job) unit(p gradient.Point) (x, y float64) {
	return p.X / float64(j.o.Width), p.Y / float64(j.o.Height)
}

// writeSwiftUI: UnitPoint is a part of the box, EllipticalGradient a fraction of
// it, AngularGradient counts clockwise from three o'clock.
func writeSwiftUI(j *job) error {
	all, err := j.stops()
	if err != nil {
		return err
	}
	if j.plain.Repeating {
		return errors.New("SwiftUI does not repeat gradients")
	}
	var list strings.Builder
	for _, s := range all {
		c := s.Color
		fmt.Fprintf(&list, "        .init(color: Color(.sRGB, red: %s, green: %s, blue: %s, opacity: %s), location: %s),\n",
			number(float64(c.R)/255), number(float64(c.G)/255), number(float64(c.B)/255), number(float64(c.A)/255), number(s.Offset))
	}
	x, y := j.unit(j.plain.Start)
	start := fmt.Sprintf("UnitPoint(x: %s, y: %s)", number(x), number(y))
	open := func(name string) { j.print("let %s = %s(\n    stops: [\n%s    ],\n", j.camel(), name, list.String()) }
	switch j.kind() {
	case gradient.Radial:
		rx, ry := j.unit(j.plain.Radii)
		if r, round := j.round(); round {
			open("RadialGradient")
			j.print("    center: %s,\n    startRadius: 0,\n    endRadius: %s\n)", start, number(r))
		} else if math.Abs(rx-ry) < 1e-4*rx {
			open("EllipticalGradient")
			j.print("    center: %s,\n    startRadiusFraction: 0,\n    endRadiusFraction: %s\n)", start, number(rx))
		} else {
			return errors.New("SwiftUI has circles and ellipses as wide and high as the box, and this is another")
		}
	case gradient.Conic:
		open("AngularGradient")
		j.print("    center: %s,\n    startAngle: .degrees(0),\n    endAngle: .degrees(360)\n)", start)
	default:
		x, y := j.unit(j.plain.End)
		open("LinearGradient")
		j.print("    startPoint: %s,\n    endPoint: UnitPoint(x: %s, y: %s)\n)", start, number(x), number(y))
	}
	return nil
}

// writeCompose: offsets are pixels, a sweep starts at three o'clock.
func writeCompose(j *job) error {
	all, err := j.stops()
	if err != nil {
		return err
	}
	name := map[gradient.Kind]string{gradient.Linear: "linear", gradient.Radial: "radial", gradient.Conic: "sweep"}[j.kind()]
	radius, round := j.round()
	if j.kind() == gradient.Radial && !round {
		return errEllipse
	}
	j.print("val %s = Brush.%sGradient(\n", j.camel(), name)
	for _, s := range all {
		j.print("    %sf to Color(0x%s),\n", number(s.Offset), argb(s.Color))
	}
	offset := func(p gradient.Point) string { return fmt.Sprintf("Offset(%sf, %sf)", number(p.X), number(p.Y)) }
	switch j.kind() {
	case gradient.Radial:
		j.print("    center = %s,\n    radius = %sf,\n", offset(j.plain.Start), number(radius))
	case gradient.Conic:
		j.print("    center = %s,\n", offset(j.plain.Start))
	default:
		j.print("    start = %s,\n    end = %s,\n", offset(j.plain.Start), offset(j.plain.End))
	}
	if j.plain.Repeating {
		j.print("    tileMode = TileMode.Repeated,\n")
	}
	j.print(")")
	return nil
}

// writeFlutter: an Alignment goes from -1 to 1 across the box, a radius is in
// parts of its shorter side, a sweep starts at three o'clock.
func writeFlutter(j *job) error {
	all, err := j.stops()
	if err != nil {
		return err
	}
	name := map[gradient.Kind]string{gradient.Linear: "Linear", gradient.Radial: "Radial", gradient.Conic: "Sweep"}[j.kind()]
	radius, round := j.round()
	if j.kind() == gradient.Radial && !round {
		return errEllipse
	}
	alignment := func(p gradient.Point) string {
		x, y := j.unit(p)
		return fmt.Sprintf("Alignment(%s, %s)", number(2*x-1), number(2*y-1))
	}
	j.print("const %s = %sGradient(\n", j.camel(), name)
	switch j.kind() {
	case gradient.Radial:
		j.print("  center: %s,\n  radius: %s,\n", alignment(j.plain.Start), number(radius/float64(min(j.o.Width, j.o.Height))))
	case gradient.Conic:
		j.print("  center: %s,\n", alignment(j.plain.Start))
	default:
		j.print("  begin: %s,\n  end: %s,\n", alignment(j.plain.Start), alignment(j.plain.End))
	}
	j.print("  colors: [\n")
	for _, s := range all {
		j.print("    Color(0x%s),\n", argb(s.Color))
	}
	offsets := make([]string, len(all))
	for i, s := range all {
		offsets[i] = number(s.Offset)
	}
	j.print("  ],\n  stops: [%s],\n", strings.Join(offsets, ", "))
	if j.plain.Repeating {
		j.print("  tileMode: TileMode.repeated,\n")
	}
	j.print(");")
	return nil
}

// writeAndroid writes a vector drawable: unlike those of a shape, its gradients
// have any direction and number of stops (API level 24).
func writeAndroid(j *job) error {
	all, err := j.stops()
	if err != nil {
		return err
	}
	radius, round := j.round()
	if j.kind() == gradient.Radial && !round {
		return errEllipse
	}
	w, h := j.o.Width, j.o.Height
	j.print("<vector xmlns:android=\"http://schemas.android.com/apk/res/android\" xmlns:aapt=\"http://schemas.android.com/aapt\"\n")
	j.print("    android:width=\"%ddp\" android:height=\"%ddp\" android:viewportWidth=\"%d\" android:viewportHeight=\"%d\">\n", w, h, w, h)
	j.print("  <path android:pathData=\"M0,0h%dv%dh-%dz\">\n    <aapt:attr name=\"android:fillColor\">\n", w, h, w)
	start, end := j.plain.Start, j.plain.End
	switch j.kind() {
	case gradient.Radial:
		j.print("      <gradient android:type=\"radial\" android:centerX=\"%s\" android:centerY=\"%s\" android:gradientRadius=\"%s\"", number(start.X), number(start.Y), number(radius))
	case gradient.Conic:
		j.print("      <gradient android:type=\"sweep\" android:centerX=\"%s\" android:centerY=\"%s\"", number(start.X), number(start.Y))
	default:
		j.print("      <gradient android:type=\"linear\" android:startX=\"%s\" android:startY=\"%s\" android:endX=\"%s\" android:endY=\"%s\"", number(start.X), number(start.Y), number(end.X), number(end.Y))
	}
	if j.plain.Repeating {
		j.print(" android:tileMode=\"repeat\"")
	}
	j.print(">\n")
	for _, s := range all {
		j.print("        <item android:offset=\"%s\" android:color=\"#%s\"/>\n", number(s.Offset), argb(s.Color))
	}
	j.print("      </gradient>\n    </aapt:attr>\n  </path>\n</vector>")
	return nil
}
