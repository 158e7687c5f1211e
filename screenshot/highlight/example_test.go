package highlight_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/devkiln/devkiln/screenshot/highlight"
)

func ExampleCode() {
	theme, _ := highlight.LookupTheme("dracula")
	for _, line := range highlight.Code("x := \"a\" // b", "go").Lines {
		for _, token := range line {
			if strings.TrimSpace(token.Text) != "" {
				fmt.Println(token.Text, token.Class, theme.Style(token.Class).Color)
			}
		}
	}
	// Output:
	// x name #f8f8f2
	// := assignment #ff79c6
	// " string-delimiter #e9f284
	// a string #f1fa8c
	// " string-delimiter #e9f284
	// // b comment #6272a4
}

func ExampleWriteHTML() {
	theme, _ := highlight.LookupTheme("dracula")
	theme = theme.For("go")
	lines := highlight.Code("return a < 1", "go").Lines
	fmt.Print("<pre>")
	_ = highlight.WriteHTML(os.Stdout, lines, highlight.HTMLOptions{})
	_ = highlight.WriteHTML(os.Stdout, lines, highlight.HTMLOptions{Theme: &theme})
	fmt.Print("</pre>")
	// Output:
	// <pre><span class="keyword">return</span> <span class="name">a</span> <span class="operator">&lt;</span> <span class="number">1</span>
	// <span style="color:#ff79c6">return</span> <span style="color:#f8f8f2">a</span> <span style="color:#ff79c6">&lt;</span> <span style="color:#bd93f9">1</span>
	// </pre>
}
