package gradient_test

import (
	"bytes"
	"fmt"
	"image/color"
	"os"

	"github.com/devkiln/devkiln/gradient"
)

func Example() {
	g, err := gradient.New([]string{"#FF0000", "#0000FF"}, gradient.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.CSS())
	fmt.Println(g.CSSWithPrefixes())
	// Output:
	// linear-gradient(90deg, #ff0000 0%, #0000ff 100%)
	// background: -webkit-linear-gradient(0deg, #ff0000 0%, #0000ff 100%);
	// background: -moz-linear-gradient(0deg, #ff0000 0%, #0000ff 100%);
	// background: -o-linear-gradient(0deg, #ff0000 0%, #0000ff 100%);
	// background: linear-gradient(90deg, #ff0000 0%, #0000ff 100%);
}

func ExampleNew() {
	g, err := gradient.New(
		[]string{"#667eea", "#764ba2", "#f093fb"},
		gradient.Options{Angle: new(135.0), Positions: []float64{0, 30, 100}},
	)
	fmt.Println(g.CSS(), err)

	_, err = gradient.New([]string{"red", "#ff0000"}, gradient.Options{Positions: []float64{0, 101}})
	fmt.Println(err)
	// Output:
	// linear-gradient(135deg, #667eea 0%, #764ba2 30%, #f093fb 100%) <nil>
	// colors[0]: must be #RRGGBB
	// positions[1]: must be from 0 to 100
}

// With CSSColors, colours may have any form of CSS; without, #RRGGBB alone.
func ExampleOptions_cssColors() {
	g, err := gradient.New([]string{"tomato", "oklch(70% 0.1 200)"}, gradient.Options{CSSColors: true})
	fmt.Println(g, err)

	_, err = gradient.New([]string{"tomato", "#ff0000"}, gradient.Options{})
	fmt.Println(err)
	// Output:
	// linear-gradient(90deg in srgb, #ff6347 0%, oklch(0.7 0.1 200) 100%) <nil>
	// colors[0]: must be #RRGGBB
}

func ExampleParse() {
	g, err := gradient.Parse("-webkit-linear-gradient(left, red, hsl(120 100% 50% / 50%) 20% 40%, navy)")
	fmt.Println(g.CSS(), err)

	_, err = gradient.Parse("linear-gradient(45deg, red, blu)")
	fmt.Println(err)
	// Output:
	// linear-gradient(90deg, #ff0000 0%, rgba(0, 255, 0, 0.5) 20%, rgba(0, 255, 0, 0.5) 40%, #000080 100%) <nil>
	// offset 28: expected a color, found "blu)"
}

func ExampleGradient_At() {
	g, err := gradient.New([]string{"#ffffff", "#ff0000"}, gradient.Options{Space: gradient.OKLab})
	fmt.Println(gradient.FormatHex(g.At(0.5)), err)
	// Output: #ffa191 <nil>
}

func ExampleGradient_Painter() {
	g, _ := gradient.New([]string{"#000000", "#ffffff"}, gradient.Options{})
	p, err := g.Painter(4, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	row := make([]byte, 3*4)
	for y := range 2 {
		p.Row(0, y, row)
		fmt.Printf("%d\n", row)
	}
	// Output:
	// [32 32 32 96 96 96 159 159 159 223 223 223]
	// [32 32 32 96 96 96 159 159 159 223 223 223]
}

func ExampleGradient_Expand() {
	g, _ := gradient.New([]string{"#ffcc00", "#0033ff"}, gradient.Options{Space: gradient.OKLab})
	plain, err := g.Expand(gradient.ExpandOptions{MaxError: 4})
	fmt.Println(plain.CSS(), err)
	// Output:
	// linear-gradient(90deg, #ffcc00 0%, #fccb1e 1.2695%, #f0c743 5.5664%, #d2bd74 17.3828%, #8da0b1 44.1406%, #2e68e8 81.4453%, #0138fe 98.8281%, #0033ff 100%) <nil>
}

func ExampleGradient_Expand_easing() {
	g, _ := gradient.New([]string{"#000000", "#ffffff"}, gradient.Options{})
	easing, _ := gradient.ParseEasing("ease-in-out")
	eased, err := g.Expand(gradient.ExpandOptions{Easing: easing, MaxError: 8})
	fmt.Println(eased.CSS(), err)
	// Output:
	// linear-gradient(90deg, #000000 0%, #1f1f1f 24.4141%, #e4e4e4 77.3438%, #ffffff 100%) <nil>
}

func ExampleGradient_WriteSVG() {
	g, _ := gradient.New([]string{"#ff0000", "#0000ff"}, gradient.Options{Angle: new(45.0)})
	if err := g.WriteSVG(os.Stdout, 300, 200); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <svg xmlns="http://www.w3.org/2000/svg" width="300" height="200" viewBox="0 0 300 200"><defs><linearGradient id="gradient-de722461" gradientUnits="userSpaceOnUse" x1="25" y1="225" x2="275" y2="-25"><stop offset="0" stop-color="#ff0000"/><stop offset="1" stop-color="#0000ff"/></linearGradient></defs><rect width="300" height="200" fill="url(#gradient-de722461)"/></svg>
}

func ExampleGradient_Contrast() {
	g, _ := gradient.New([]string{"#1e3a8a", "#9333ea"}, gradient.Options{})
	fmt.Printf("%.1f\n", g.Contrast(color.NRGBA{255, 255, 255, 255}))
	// Output:
	// 5.4
}

func ExampleGradient_Image() {
	g, _ := gradient.New([]string{"#ff0000", "#0000ff"}, gradient.Options{Kind: gradient.Radial})
	img, err := g.Image(640, 360)
	fmt.Println(img.Bounds(), err)
	// Output: (0,0)-(640,360) <nil>
}

func ExampleParseIn() {
	g, err := gradient.ParseIn("linear-gradient(to right, red 30px, blue)", gradient.Box{Width: 300, Height: 200})
	fmt.Println(g.CSS(), err)
	// Output:
	// linear-gradient(90deg, #ff0000 10%, #0000ff 100%) <nil>
}

func ExampleParseColor() {
	c, err := gradient.ParseColor("color(display-p3 0 1 0)")
	fmt.Println(c, err)
	fmt.Println(gradient.FormatHex(c.NRGBA()))
	// Output:
	// color(display-p3 0 1 0) <nil>
	// #00ff00
}

func ExampleGradient_CSSWithFallback() {
	g, _ := gradient.Parse("conic-gradient(in oklch, #ff0000, #ff4400)")
	css, err := g.CSSWithFallback(gradient.ExpandOptions{MaxError: 8})
	fmt.Println(css)
	fmt.Println(err)
	// Output:
	// background: conic-gradient(#ff0000 0%, #ff2d00 46.875%, #ff4400 100%);
	// @supports (background: conic-gradient(in oklch, #ff0000 0%, #ff4400 100%)) {
	//   background: conic-gradient(in oklch, #ff0000 0%, #ff4400 100%);
	// }
	// <nil>
}

// A gradient in another space has the same colours and other options.
func ExampleGradient_Options() {
	g, _ := gradient.Parse("linear-gradient(45deg, red, blue)")
	o, exact := g.Options()
	fmt.Println(o.Kind, *o.Angle, o.Positions, exact)
	o.Space, o.Hue = gradient.OKLCH, gradient.LongerHue
	g, err := gradient.New(g.HexColors(), o)
	fmt.Println(g.CSS(), err)
	// Output:
	// linear 45 [0 100] true
	// linear-gradient(45deg in oklch longer hue, #ff0000 0%, #0000ff 100%) <nil>
}

func ExampleGradient_WritePNG() {
	g, _ := gradient.Parse("linear-gradient(tomato, gold)")
	var b bytes.Buffer
	err := g.WritePNG(&b, 320, 180)
	fmt.Printf("%q %v\n", b.String()[1:4], err)
	// Output:
	// "PNG" <nil>
}

func ExampleGradient_Resolve() {
	g, _ := gradient.Parse("linear-gradient(to right, red, blue)")
	p, err := g.Resolve(200, 100, 2)
	fmt.Println(p.Start, p.End, len(p.Stops), err)
	// Output:
	// {0 50} {200 50} 2 <nil>
}
