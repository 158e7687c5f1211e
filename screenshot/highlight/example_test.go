package highlight_test

import (
	"fmt"
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
