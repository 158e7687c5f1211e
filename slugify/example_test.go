package slugify_test

import (
	"fmt"

	"github.com/devkiln/devkiln/slugify"
)

func ExampleMake() {
	fmt.Println(slugify.Make("Crème Brûlée, don't wait!", slugify.Options{}))
	fmt.Println(slugify.Make("Щука & AT&T", slugify.Options{KeepCase: true}))
	fmt.Println(slugify.Make("影師嗎", slugify.Options{Separator: new("_")}))
	// Output:
	// creme-brulee-dont-wait
	// Shchuka-and-AT-and-T
	// ying_shi_ma
}

func ExampleMake_language() {
	fmt.Println(slugify.Make("Größe & Maß", slugify.Options{}))
	fmt.Println(slugify.Make("Größe & Maß", slugify.Options{Language: "de-AT"}))
	// Output:
	// grosse-and-mass
	// groesse-und-mass
}

func ExampleMake_words() {
	o := slugify.Options{
		StopWords: []string{"the", "of"},
		Replace:   map[string]string{"♥": "love", "C++": "cpp", "New York": "NYC"},
		MaxLength: 24,
		Fallback:  "untitled",
	}
	fmt.Println(slugify.Make("The ♥ of C++ in New York City Hall", o))
	fmt.Println(slugify.Make("🎉🎉🎉", o))
	// Output:
	// love-cpp-in-nyc-city
	// untitled
}

func ExampleMake_unicode() {
	fmt.Println(slugify.Make("Привет, Мир! 日本語", slugify.Options{Unicode: true}))
	// Output: привет-мир-日本語
}

func ExampleAppend() {
	path := []byte("/posts/")
	path = slugify.Append(path, "Hello, World!", slugify.Options{})
	fmt.Println(string(path))
	// Output: /posts/hello-world
}

func ExampleIs() {
	fmt.Println(slugify.Is("hello-world", slugify.Options{}))
	fmt.Println(slugify.Is("Hello--World", slugify.Options{}))
	// Output:
	// true
	// false
}

func ExampleUnique() {
	taken := map[string]bool{"post": true, "post-2": true}
	slug := slugify.Make("Post", slugify.Options{})
	fmt.Println(slugify.Unique(slug, func(s string) bool { return taken[s] }, slugify.Options{}))
	// Output: post-3
}

func ExampleOptions_Validate() {
	fmt.Println(slugify.Options{Separator: new("/"), MaxLength: -1}.Validate())
	// Output:
	// separator: must be empty or one of - _ . ~ ! $ & ' ( ) * + , ; = : @
	// maxLength: is -1, must be 0 or more
}
