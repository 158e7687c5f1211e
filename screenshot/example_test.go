package screenshot_test

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/devkiln/devkiln/screenshot"
)

func ExampleNew() {
	config, err := screenshot.New("print('hi')", screenshot.Options{Language: "python", Padding: new(32.0)})
	if err != nil {
		fmt.Println(err)
		return
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(config)
	// Output:
	// {
	//   "code": "print('hi')",
	//   "language": "python",
	//   "theme": "dracula",
	//   "background": "linear-gradient(135deg, #667eea 0%, #764ba2 100%)",
	//   "padding": 32,
	//   "fontSize": 14,
	//   "lineNumbers": true,
	//   "windowControls": true,
	//   "windowTitle": "",
	//   "borderRadius": 12,
	//   "shadow": true
	// }
}

func ExampleNew_errors() {
	_, err := screenshot.New("x", screenshot.Options{Theme: "solarized", FontSize: new(200.0)})
	fmt.Println(err)
	// Output:
	// theme: must be one of dracula, monokai, github-dark, night-owl, synthwave, ocean
	// fontSize: must be 6 to 72
}

func ExampleParseFragment() {
	config, _ := screenshot.New("x := 1", screenshot.Options{Language: "go", Theme: "ocean"})
	fragment, _ := config.Fragment()
	back, err := screenshot.ParseFragment(fragment)
	fmt.Println(back.Code, back.Theme, err)
	// Output: x := 1 ocean <nil>
}
