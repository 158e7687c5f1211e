package highlight

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/devkiln/devkiln/screenshot/internal/rgb"
)

// themeNames lists the themes in the order in which they are offered. Each has
// a file of its name under themes.
var themeNames = [...]string{"dracula", "monokai", "github-dark", "night-owl", "synthwave", "ocean"}

// DefaultTheme is the first of [Themes].
const DefaultTheme = "dracula"

//go:embed themes/*.json
var themeFiles embed.FS

// A Theme is a set of colours for code. Colours are written #rrggbb, in lower
// case, and are opaque.
type Theme struct {
	Name       string // as LookupTheme takes it
	Source     string // whose colours they are
	Background string // of the window
	Foreground string // of text of no class
	LineNumber string
	Selection  string // behind highlighted lines

	styles [NumClasses]Style
}

// A Style is how a theme sets one class of tokens.
type Style struct {
	Color     string // #rrggbb
	Bold      bool
	Italic    bool
	Underline bool
}

// Themes returns the names of the themes, the default first.
func Themes() []string { return slices.Clone(themeNames[:]) }

// LookupTheme returns the theme of a name as Themes lists it.
func LookupTheme(name string) (Theme, bool) {
	if !slices.Contains(themeNames[:], name) {
		return Theme{}, false
	}
	return themes()[name], true
}

// Style returns how the theme sets tokens of class c. A Class that does not
// exist is set as [ClassText].
func (t Theme) Style(c Class) Style {
	if c >= NumClasses {
		c = ClassText
	}
	return t.styles[c]
}

var themes = sync.OnceValue(func() map[string]Theme {
	m := make(map[string]Theme, len(themeNames))
	for _, name := range themeNames {
		data, err := themeFiles.ReadFile("themes/" + name + ".json")
		if err != nil {
			panic(err) // embedded: TestThemeFiles reads every one
		}
		t, err := parseTheme(data)
		if err != nil {
			panic(fmt.Sprintf("themes/%s.json: %v", name, err))
		}
		m[name] = t
	}
	return m
})

// parseTheme reads a theme file: colours as #rrggbb or, to be laid over the
// background, #rrggbbaa; a style is a colour and any of bold, italic and
// underline after it.
func parseTheme(data []byte) (Theme, error) {
	var file struct {
		Name, Source                                  string
		Background, Foreground, LineNumber, Selection string
		Styles                                        map[string]string
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return Theme{}, err
	}
	if len(file.Styles) != NumClasses {
		return Theme{}, fmt.Errorf("%d styles, want one for each of the %d classes", len(file.Styles), NumClasses)
	}
	t := Theme{
		Name: file.Name, Source: file.Source, Background: file.Background,
		Foreground: file.Foreground, LineNumber: file.LineNumber, Selection: file.Selection,
	}
	for _, c := range []*string{&t.Background, &t.Foreground, &t.LineNumber, &t.Selection} {
		if err := flatten(c, t.Background); err != nil {
			return Theme{}, err
		}
	}
	for c := range Class(NumClasses) {
		style, err := parseStyle(file.Styles[c.String()], t.Background)
		if err != nil {
			return Theme{}, fmt.Errorf("style %s: %w", c, err)
		}
		t.styles[c] = style
	}
	return t, nil
}

func parseStyle(text, background string) (Style, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return Style{}, fmt.Errorf("no colour in %q", text)
	}
	style := Style{Color: words[0]}
	for _, word := range words[1:] {
		switch word {
		case "bold":
			style.Bold = true
		case "italic":
			style.Italic = true
		case "underline":
			style.Underline = true
		default:
			return Style{}, fmt.Errorf("unknown word %q in %q", word, text)
		}
	}
	return style, flatten(&style.Color, background)
}

// flatten lays a colour with an alpha over the background.
func flatten(c *string, background string) error {
	over, err := rgb.Parse(*c)
	if err != nil || over.A == 255 {
		return err
	}
	under, err := rgb.Parse(background)
	if err != nil {
		return err
	}
	*c = rgb.Hex(rgb.Mix(under, over, over.A))
	return nil
}
