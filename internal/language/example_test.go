package language_test

import (
	"fmt"

	"github.com/devkiln/devkiln/internal/language"
)

func ExampleResolve() {
	code := "#!/usr/bin/env ruby\nputs 1\n"
	fmt.Println(language.Resolve("RB", code, ""))
	fmt.Println(language.Resolve("auto", code, ""))
	fmt.Println(language.Resolve("no such language", "good morning", ""))
	// Output:
	// rb
	// ruby
	// text
}

func ExampleLookup() {
	name, ok := language.Lookup("Golang")
	fmt.Println(name, ok, language.Extension(name))
	_, ok = language.Lookup("auto")
	fmt.Println(ok)
	// Output:
	// go true .go
	// false
}
