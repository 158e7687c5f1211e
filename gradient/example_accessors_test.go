package gradient_test

import (
	"fmt"
	"image/color"

	"github.com/devkiln/devkiln/gradient"
)

// parsed returns a gradient whose parts an example shows.
func parsed(css string) gradient.Gradient {
	g, err := gradient.Parse(css)
	if err != nil {
		fmt.Println(err)
	}
	return g
}

func ExampleGradient_Kind() {
	fmt.Println(parsed("repeating-conic-gradient(red, blue 20%)").Kind())
	// Output: conic
}

func ExampleGradient_Opaque() {
	fmt.Println(parsed("linear-gradient(red, #0000ff80)").Opaque())
	// Output: false
}

func ExampleGradient_Stops() {
	for _, s := range parsed("linear-gradient(red, 20%, gold, blue 90%)").Stops() {
		fmt.Print(gradient.FormatHex(s.Color), " ", s.Position)
		if s.Hint != nil {
			fmt.Print(", then a hint at ", *s.Hint)
		}
		fmt.Println()
	}
	// Output:
	// #ff0000 0, then a hint at 20
	// #ffd700 55
	// #0000ff 90
}

func ExampleGradient_HexColors() {
	fmt.Println(parsed("linear-gradient(red, rgb(0 0 255 / 50%))").HexColors())
	// Output: [#ff0000 #0000ff80]
}

func ExampleGradient_CSSWithPrefixes() {
	fmt.Println(parsed("linear-gradient(to right, red, blue)").CSSWithPrefixes())
	// Output:
	// background: -webkit-linear-gradient(0deg, #ff0000 0%, #0000ff 100%);
	// background: -moz-linear-gradient(0deg, #ff0000 0%, #0000ff 100%);
	// background: -o-linear-gradient(0deg, #ff0000 0%, #0000ff 100%);
	// background: linear-gradient(90deg, #ff0000 0%, #0000ff 100%);
}

func ExampleColor_In() {
	fmt.Println(gradient.ColorOf(color.NRGBA{255, 0, 0, 255}).In(gradient.HSL))
	// Output: hsl(0 100% 50%)
}

func ExampleColor_NRGBA() {
	c, err := gradient.ParseColor("oklch(0.7 0.1 50 / 0.5)")
	fmt.Println(c.NRGBA(), err)
	// Output: {209 140 101 128} <nil>
}

func ExampleParseEasing() {
	easing, err := gradient.ParseEasing("ease-in-out")
	fmt.Printf("%.3f %v\n", easing.At(0.25), err)
	// Output: 0.129 <nil>
}

func ExamplePainter_Row() {
	p, err := parsed("linear-gradient(to right, black, white)").Painter(2, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	row := make([]byte, 6)
	p.Row(0, 0, row)
	fmt.Printf("%d\n", row)
	// Output: [64 64 64 191 191 191]
}

func ExamplePainter_RowRGBA() {
	p, err := parsed("linear-gradient(to right, #f000, #f00)").Painter(2, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	row := make([]byte, 8)
	p.RowRGBA(0, row)
	fmt.Printf("%d\n", row)
	// Output: [64 0 0 64 191 0 0 191]
}
