// Command slugtables updates the data of package slugify, whose directory is
// its first argument. Alone, it writes the letters of the languages of
// github.com/gosimple/slug, as that spells them, to languages.tsv. With a
// directory of the unpacked npm packages cldr-annotations-modern and
// cldr-annotations-derived-modern, it writes the names of emoji to emoji.txt.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/gosimple/slug"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: slugtables SLUGIFY [ANNOTATIONS]")
		os.Exit(2)
	}
	file, data, err := filepath.Join(os.Args[1], "languages.tsv"), "", error(nil)
	if len(os.Args) > 2 {
		file = filepath.Join(os.Args[1], "emoji.txt")
		data, err = emoji(os.Args[2])
	} else {
		data, err = languages(file)
	}
	if err == nil {
		err = os.WriteFile(file, []byte(data), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// languages returns the table of languages with the letters that gosimple/slug
// knows filled in.
func languages(file string) (string, error) {
	const column = 5
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	slug.Lowercase = false
	var b strings.Builder
	for row := range strings.Lines(string(data)) {
		cells := strings.Split(row, "\t")
		if s := letters(cells[0]); s != "" {
			cells[column] = s
		}
		b.WriteString(strings.Join(cells, "\t"))
	}
	return b.String(), nil
}

// letters lists the letters that a language spells in its own way, as
// "äae üue".
func letters(code string) string {
	var b strings.Builder
	for r := rune(0x80); r < 0x10000; r++ {
		if !unicode.IsLetter(r) {
			continue
		}
		if s := between(r, code); s != between(r, "en") {
			b.WriteString(string(r) + s + " ")
		}
	}
	return strings.TrimSuffix(b.String(), " ")
}

func between(r rune, code string) string {
	s := slug.MakeLang("x"+string(r)+"x", code)
	return strings.TrimSuffix(strings.TrimPrefix(s, "x"), "x")
}
