package slugify_test

import (
	"fmt"

	"github.com/devkiln/devkiln/slugify"
)

func ExampleMake() {
	fmt.Println(slugify.Make("Crème Brûlée, don't wait!", slugify.Options{}))
	fmt.Println(slugify.Make("Щука & AT&T", slugify.Options{KeepCase: true}))
	fmt.Println(slugify.Make("影師嗎", slugify.Options{Separator: new("/"), MaxLength: -1}))
	// Output:
	// creme-brulee-dont-wait <nil>
	// Shchuka-and-AT-and-T <nil>
	//  separator: must be empty or one of - _ . ~ ! $ & ' ( ) * + , ; = : @
	// maxLength: must be 0 or more
}

func ExampleMake_language() {
	fmt.Println(slugify.Make("Größe & Maß", slugify.Options{}))
	fmt.Println(slugify.Make("Größe & Maß", slugify.Options{Language: "de-AT"}))
	fmt.Println(slugify.Make("Знам'янка & Київ", slugify.Options{Language: "uk"}))
	fmt.Println(slugify.Make("Größe & Maß", slugify.Options{Language: "german"}))
	// Output:
	// grosse-and-mass <nil>
	// groesse-und-mass <nil>
	// znamianka-i-kyiv <nil>
	//  language: must be a known language; did you mean "de"?
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
	// love-cpp-in-nyc-city <nil>
	// untitled <nil>
}

func ExampleMake_unicode() {
	fmt.Println(slugify.Make("Привет, Мир! 日本語", slugify.Options{Unicode: true}))
	// Output: привет-мир-日本語 <nil>
}

func ExampleAppend() {
	path, err := slugify.Append([]byte("/posts/"), "Hello, World!", slugify.Options{})
	fmt.Println(string(path), err)
	// Output: /posts/hello-world <nil>
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
	fmt.Println(slugify.Unique("post", func(s string) bool { return taken[s] }, slugify.Options{}))
	// Output: post-3 <nil>
}

func ExampleSet() {
	set, err := slugify.NewSet(slugify.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, heading := range []string{"Examples", "Options", "Examples", "Examples 2", "Examples"} {
		fmt.Println(set.Add(heading))
	}
	// Output:
	// examples <nil>
	// options <nil>
	// examples-2 <nil>
	// examples-2-2 <nil>
	// examples-3 <nil>
}

func ExampleMaker() {
	maker, err := slugify.NewMaker(slugify.Options{StopWords: []string{"the", "of"}, Fallback: "untitled"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, title := range []string{"The Return of the King", "?", "The Two Towers"} {
		fmt.Println(maker.Make(title))
	}
	// Output:
	// return-king
	// untitled
	// two-towers
}

func ExampleSet_Take() {
	set, err := slugify.NewSet(slugify.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(set.Take("about"), set.Take("about")) // such as one in the database
	fmt.Println(set.Add("About"))
	// Output:
	// true false
	// about-2 <nil>
}

func ExampleLanguages() {
	for _, l := range slugify.Languages() {
		if l.Standard != "" && l.Tag > "m" {
			fmt.Printf("%s, %s: %s\n", l.Tag, l.Name, l.Standard)
		}
	}
	// Output:
	// mk, Macedonian: ICAO Doc 9303 as for Macedonian passports
	// ru, Russian: BGN/PCGN 1947, simplified
	// sr, Serbian: Serbian Latin alphabet, without diacritics, đ as dj
	// uk, Ukrainian: Cabinet of Ministers of Ukraine, resolution 55, 2010
	// zh, Chinese: Hanyu Pinyin (ISO 7098), without tones, each syllable a word
}

// An error names every option that is invalid.
func ExampleOptions_Validate() {
	fmt.Println(slugify.Options{Separator: new("/"), MaxLength: -1}.Validate())
	// Output:
	// separator: must be empty or one of - _ . ~ ! $ & ' ( ) * + , ; = : @
	// maxLength: must be 0 or more
}

func ExampleMustMaker() {
	titles := slugify.MustMaker(slugify.Options{MaxLength: 12}) // usually a package variable
	fmt.Println(titles.Make("Release notes of March"))
	// Output: release
}
