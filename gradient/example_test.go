package gradient_test

import (
	"fmt"

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

func ExampleParse() {
	g, err := gradient.Parse("-webkit-linear-gradient(left, red, hsl(120 100% 50% / 50%) 20% 40%, navy)")
	fmt.Println(g.CSS(), err)

	_, err = gradient.Parse("linear-gradient(45deg, red, blu)")
	fmt.Println(err)
	// Output:
	// linear-gradient(90deg, #ff0000 0%, rgba(0, 255, 0, 0.5) 20%, rgba(0, 255, 0, 0.5) 40%, #000080 100%) <nil>
	// offset 28: expected a color, found "blu)"
}

func ExampleParseColor() {
	for _, s := range []string{"rebeccapurple", "#0f08", "rgb(10% 20% 30%)", "hwb(200 10% 20%)"} {
		c, err := gradient.ParseColor(s)
		fmt.Println(gradient.FormatHex(c), err)
	}
	// Output:
	// #663399 <nil>
	// #00ff0088 <nil>
	// #1a334d <nil>
	// #1a91cc <nil>
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
		p.Row(y, row)
		fmt.Printf("%d\n", row)
	}
	// Output:
	// [32 32 32 96 96 96 159 159 159 223 223 223]
	// [32 32 32 96 96 96 159 159 159 223 223 223]
}
