package screenshot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
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
	// theme: must be one of dracula, monokai, github-dark, night-owl, synthwave, ocean or another known theme
	// fontSize: must be 6 to 72
}

func ExampleParseFragment() {
	config, _ := screenshot.New("x := 1", screenshot.Options{Language: "go", Theme: "ocean"})
	fragment, _ := config.Fragment()
	back, err := screenshot.ParseFragment(fragment)
	fmt.Println(back.Code, back.Theme, err)
	// Output: x := 1 ocean <nil>
}

func ExampleConfig_WritePNG() {
	config, err := screenshot.New("fmt.Println(\"hi\")", screenshot.Options{
		Language: "go", Theme: "night-owl", WindowTitle: "main.go",
		Extras: screenshot.Extras{Highlight: []screenshot.LineRange{{From: 1}}, Watermark: "example.org"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	err = config.WritePNG(context.Background(), &file, 2)
	fmt.Printf("%q %v\n", file.Bytes()[1:4], err)
	// Output: "PNG" <nil>
}

func ExampleConfig_WriteSVG() {
	config, _ := screenshot.New("x = 1", screenshot.Options{Language: "python"})
	var file bytes.Buffer
	err := config.WriteSVG(context.Background(), &file)
	fmt.Println(strings.HasPrefix(file.String(), "<svg xmlns="), err)
	// Output: true <nil>
}

func ExampleLoadFonts() {
	fonts, err := screenshot.LoadFonts("testdata/fonts/cjk.ttf")
	if err != nil {
		fmt.Println(err)
		return
	}
	var o screenshot.Options
	o.Fonts = fonts
	config, _ := screenshot.New("x := \"漢字\" // 🙂", o)
	picture, _ := config.Picture()
	fmt.Println(fonts.Families(), picture.Warnings())
	// Output: [JetBrains Mono Fira Code Geist Mono Roboto Mono Droid Sans Fallback] [No font has U+1F642.]
}

func ExampleExtras() {
	config, _ := screenshot.New("func add(a, b int) int {\n\treturn a + b\n}", screenshot.Options{
		Language: "go",
		Extras: screenshot.Extras{
			Focus: []screenshot.LineRange{{From: 2}}, Columns: 80, Window: "windows", Ratio: "16:9",
		},
	})
	link, _ := config.Link()
	query, _, _ := strings.Cut(link, "#")
	fmt.Println(query)
	// Output: ?focus=2&ratio=16%3A9&window=windows&wrap=80
}

// A theme of VS Code is drawn under its name.
func ExampleExtras_themes() {
	theme, err := highlight.ParseTheme([]byte(`{"name": "mine", "colors": {"editor.background": "#101010"}, "tokenColors": [
		{"scope": "keyword", "settings": {"foreground": "#ff8800"}} // as VS Code, with comments
	]}`), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	config, _ := screenshot.New("return", screenshot.Options{Language: "go", Theme: theme.Name, Extras: screenshot.Extras{Themes: []highlight.Theme{theme}}})
	var file strings.Builder
	_ = config.WriteSVG(context.Background(), &file)
	fmt.Println(strings.Contains(file.String(), "#101010"), strings.Contains(file.String(), "#ff8800"))
	// Output: true true
}

func ExampleFromPatch() {
	configs, err := screenshot.FromPatch(`diff --git a/main.go b/main.go
--- a/main.go
+++ b/main.go
@@ -1 +1 @@
-package old
+package main
`, screenshot.Options{Theme: "nord"})
	fmt.Println(len(configs), configs[0].WindowTitle, configs[0].Language, err)
	// Output: 1 main.go go <nil>
}
