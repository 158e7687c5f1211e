package highlight

import (
	"embed"
	"fmt"
	"slices"
	"sync"

	"github.com/devkiln/devkiln/screenshot/internal/rgb"
)

// themeNames lists the themes in the order of [AllThemes]: those of the
// contract first, then dark ones, then light ones. Each is a file of that name
// in the directory themes.
var themeNames = [...]string{
	"dracula", "monokai", "github-dark", "night-owl", "synthwave", "ocean",
	"andromeeda", "ayu-dark", "catppuccin-macchiato", "catppuccin-mocha", "dark-plus", "everforest-dark", "gruvbox-dark",
	"kanagawa-wave", "nord", "one-dark-pro", "poimandres", "rose-pine", "solarized-dark", "tokyo-night", "vitesse-dark",
	"ayu-light", "catppuccin-latte", "everforest-light", "github-light", "gruvbox-light", "light-plus", "night-owl-light",
	"one-light", "rose-pine-dawn", "solarized-light", "vitesse-light",
}

// contractThemes is the number of themes in the contract of the HTTP API.
const contractThemes = 6

// DefaultTheme is the first of [Themes].
const DefaultTheme = "dracula"

//go:embed themes/*.json
var themeFiles embed.FS

// A Theme is a set of colours for code. Colours are opaque and written #rrggbb
// in lower case. The zero Theme has no colours; themes come from [LookupTheme],
// [ParseTheme] and [LoadTheme].
type Theme struct {
	Name       string
	Light      bool   // dark text on a light background
	Background string // of the window
	Foreground string // of text without a class
	LineNumber string
	Selection  string // behind highlighted lines
	// Terminal holds the terminal colours: black, red, green, yellow, blue,
	// magenta, cyan and white, then the bright ones.
	Terminal [16]string

	rules  []rule
	styles [numClasses]Style
}

// A Style is how a theme renders a class of tokens.
type Style struct {
	Color     string // #rrggbb
	Bold      bool
	Italic    bool
	Underline bool
}

// Themes returns the names of the themes in the contract of the HTTP API, the
// default first.
func Themes() []string { return slices.Clone(themeNames[:contractThemes]) }

// AllThemes returns the names of all themes: those of [Themes] first, then dark
// ones, then light ones.
func AllThemes() []string { return slices.Clone(themeNames[:]) }

// LookupTheme returns the theme of that name, one of [AllThemes], and whether
// it exists.
func LookupTheme(name string) (Theme, bool) {
	i := slices.Index(themeNames[:], name)
	if i < 0 {
		return Theme{}, false
	}
	loaded[i].once.Do(func() { loaded[i].theme = embedded(name) })
	return loaded[i].theme, true
}

// loaded holds the themes of themeNames that have been used: parsing all of
// them takes 10 ms.
var loaded [len(themeNames)]struct {
	once  sync.Once
	theme Theme
}

func embedded(name string) Theme {
	data, err := themeFiles.ReadFile("themes/" + name + ".json")
	if err != nil {
		panic(err) // embedded; TestThemes_files reads them all
	}
	t, err := ParseTheme(data, nil)
	if err != nil {
		panic(fmt.Sprintf("themes/%s.json: %v", name, err))
	}
	return t
}

// Style returns the style of tokens of class c. An undefined Class has the
// style of the class text.
func (t Theme) Style(c Class) Style {
	if c >= numClasses {
		c = classText
	}
	return t.styles[c]
}

// For returns the theme for code in a language, given by name or alias. VS Code
// grammars name the same [Class] differently in each language, so themes may
// style it differently.
func (t Theme) For(lang string) Theme {
	if t.rules == nil {
		return t
	}
	for c := range Class(numClasses) {
		t.styles[c] = t.style(scopes(c, lang))
	}
	return t
}

// style returns the style of a token in nested scopes, outermost first. At each
// scope, the rules without parent scopes apply in order of specificity, and of
// the others only the most specific, as in VS Code.
func (t Theme) style(stack []string) Style {
	none := match{rule: -1, level: -1}
	exact := slices.Repeat([]match{none}, len(stack)+1) // the most specific of each level
	var found []match
	for i, r := range t.rules {
		if m, ok := r.match(stack); ok {
			m.rule = i
			found = append(found, m)
			if m.over(exact[m.level+1]) {
				exact[m.level+1] = m
			}
		}
	}
	style, color, font := Style{Color: t.Foreground}, none, none
	for _, m := range found {
		r := t.rules[m.rule]
		if m.within > 0 && m != exact[m.level+1] {
			continue
		}
		if r.color != "" && m.over(color) {
			color, style.Color = m, r.color
		}
		if r.font != nil && m.over(font) {
			font, style.Bold, style.Italic, style.Underline = m, r.font.bold, r.font.italic, r.font.underline
		}
	}
	return style
}

// flatten composites a colour with an optional alpha over a background.
func flatten(color, background string) (string, error) {
	over, err := rgb.Parse(color)
	if err != nil {
		return "", err
	}
	under := over
	if over.A != 255 {
		if under, err = rgb.Parse(background); err != nil {
			return "", err
		}
	}
	return rgb.Hex(rgb.Mix(under, over, over.A)), nil
}
