package highlight

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tidwall/jsonc"

	"github.com/devkiln/devkiln/screenshot/internal/rgb"
)

// The limits of theme files.
const (
	maxThemeBytes = 1 << 20
	maxThemeRules = 10_000
	maxIncludes   = 8
)

// themeFile is a colour theme of VS Code, as
// https://code.visualstudio.com/api/extension-guides/color-theme describes it.
type themeFile struct {
	Name        string            `json:"name"`
	Type        string            `json:"type"`
	Include     string            `json:"include"`
	Colors      map[string]string `json:"colors"`
	TokenColors []struct {
		Scope    scopeList `json:"scope"`
		Settings struct {
			Foreground string  `json:"foreground"`
			FontStyle  *string `json:"fontStyle"`
		} `json:"settings"`
	} `json:"tokenColors"`
}

// scopeList is a list of selectors, in JSON one text with commas or an array.
type scopeList []string

// UnmarshalJSON implements json.Unmarshaler.
func (s *scopeList) UnmarshalJSON(data []byte) error {
	var texts []string
	if err := json.Unmarshal(data, &texts); err != nil {
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			return errors.New("scope: must be a text or an array of texts")
		}
		texts = []string{text}
	}
	*s = nil
	for _, text := range texts {
		for one := range strings.SplitSeq(text, ",") {
			*s = append(*s, strings.TrimSpace(one))
		}
	}
	return nil
}

// ParseTheme parses a theme: a VS Code colour theme, which is JSON with
// comments, or a chroma style in XML. The file may have 1 MiB and 10,000 rules.
//
// A VS Code theme may include another one by its path, which include reads. If
// include is nil, a theme that includes another is an error. Includes may be
// nested eight deep.
func ParseTheme(data []byte, include func(path string) ([]byte, error)) (Theme, error) {
	if text := strings.TrimSpace(string(data[:min(len(data), 512)])); strings.HasPrefix(text, "<") {
		return parseXML(data)
	}
	var t Theme
	if err := t.read(data, include, maxIncludes); err != nil {
		return Theme{}, fmt.Errorf("theme: %w", err)
	}
	if len(t.rules) == 0 && t.Background == "" && t.Foreground == "" {
		return Theme{}, errors.New("theme: has no colors and no tokenColors")
	}
	if err := t.complete(); err != nil {
		return Theme{}, fmt.Errorf("theme: %w", err)
	}
	for c := range t.styles {
		t.styles[c].Color = t.Foreground // remains so in a theme without rules
	}
	return t.For(""), nil
}

// read parses a theme file and its includes, which it adds first, so that the
// including file takes precedence.
func (t *Theme) read(data []byte, include func(path string) ([]byte, error), depth int) error {
	if len(data) > maxThemeBytes {
		return fmt.Errorf("the file has %d bytes, at most %d are read", len(data), maxThemeBytes)
	}
	var file themeFile
	err := json.Unmarshal(jsonc.ToJSON(data), &file)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%.100q has the wrong type: %s", wrong.Field, wrong.Value)
	}
	if err != nil {
		return err
	}
	if file.Include != "" {
		if err := t.readIncluded(file.Include, include, depth); err != nil {
			return err
		}
	}
	return t.add(file)
}

func (t *Theme) readIncluded(path string, include func(path string) ([]byte, error), depth int) error {
	if include == nil || depth == 0 {
		return fmt.Errorf("include %.100q: other files cannot be read here", path)
	}
	data, err := include(path)
	if err != nil {
		return fmt.Errorf("include %.100q: %w", path, err)
	}
	return t.read(data, include, depth-1)
}

// add adds a file, which takes precedence over what has been read before.
func (t *Theme) add(file themeFile) error {
	if file.Name != "" {
		t.Name = file.Name
	}
	if file.Type != "" {
		t.Light = strings.Contains(file.Type, "light")
	}
	for _, c := range t.colors() {
		if value := file.Colors[c.key]; value != "" {
			*c.color = value
		}
	}
	for i, token := range file.TokenColors {
		r := rule{color: strings.TrimPrefix(token.Settings.Foreground, "inherit")}
		if token.Settings.FontStyle != nil {
			words := " " + *token.Settings.FontStyle + " "
			r.font = &fontStyle{strings.Contains(words, " bold "), strings.Contains(words, " italic "), strings.Contains(words, " underline ")}
		}
		if err := t.addRules(r, token.Scope); err != nil {
			return fmt.Errorf("tokenColors[%d]: %w", i, err)
		}
	}
	return nil
}

// addRules adds a rule for each selector. It skips selectors that exclude
// scopes, as VS Code does.
func (t *Theme) addRules(r rule, selectors scopeList) error {
	if len(t.rules)+max(len(selectors), 1) > maxThemeRules {
		return fmt.Errorf("more than %d rules", maxThemeRules)
	}
	if len(selectors) == 0 {
		t.rules = append(t.rules, r)
	}
	for _, selector := range selectors {
		r.scopes = strings.Fields(strings.ReplaceAll(selector, ">", " "))
		if strings.Contains(selector, " -") || len(r.scopes) == 0 {
			continue
		}
		t.rules = append(t.rules, r)
	}
	return nil
}

// namedColor is a colour of a theme that does not apply to tokens.
type namedColor struct {
	key      string
	color    *string
	fallback func(t *Theme) string
}

// colors returns the colours of a theme with their names in VS Code.
func (t *Theme) colors() []namedColor {
	named := []namedColor{
		{"editor.background", &t.Background, func(t *Theme) string { return either(t.Light, "#ffffff", "#1e1e1e") }},
		{"editor.foreground", &t.Foreground, func(t *Theme) string { return either(t.Light, "#333333", "#bbbbbb") }},
		{"editorLineNumber.foreground", &t.LineNumber, func(t *Theme) string { return t.Foreground + "80" }},
		{"editor.selectionBackground", &t.Selection, func(t *Theme) string { return t.Foreground + "26" }},
	}
	for i, name := range []string{"Black", "Red", "Green", "Yellow", "Blue", "Magenta", "Cyan", "White"} {
		named = append(named,
			namedColor{"terminal.ansi" + name, &t.Terminal[i], func(t *Theme) string { return either(t.Light, lightTerminal, darkTerminal)[i] }},
			namedColor{"terminal.ansiBright" + name, &t.Terminal[8+i], func(t *Theme) string { return either(t.Light, lightTerminal, darkTerminal)[8+i] }})
	}
	return named
}

func either[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// The colours of VS Code's own terminal, for themes without terminal colours.
var (
	darkTerminal  = strings.Fields("#000000 #cd3131 #0dbc79 #e5e510 #2472c8 #bc3fbc #11a8cd #e5e5e5 #666666 #f14c4c #23d18b #f5f543 #3b8eea #d670d6 #29b8db #e5e5e5")
	lightTerminal = strings.Fields("#000000 #cd3131 #107c10 #949800 #0451a5 #bc05bc #0598bc #555555 #666666 #cd3131 #14ce14 #b5ba00 #0451a5 #bc05bc #0598bc #a5a5a5")
)

// complete validates the colours, fills in missing ones, and makes all opaque.
// The colours of tokens lose their alpha, since VS Code ignores it
// (github.com/microsoft/vscode/issues/128945).
func (t *Theme) complete() error {
	for _, r := range t.rules {
		if len(r.scopes) == 0 && r.color != "" && t.Foreground == "" {
			t.Foreground = r.color
		}
	}
	for _, c := range t.colors() {
		if *c.color == "" {
			*c.color = c.fallback(t)
		}
		color, err := flatten(*c.color, t.Background)
		if err != nil {
			return fmt.Errorf("colors[%q]: %.100q is not #rgb, #rgba, #rrggbb or #rrggbbaa", c.key, *c.color)
		}
		*c.color = color
	}
	for i := range t.rules {
		if t.rules[i].color == "" {
			continue
		}
		color, err := rgb.Parse(t.rules[i].color)
		if err != nil {
			return fmt.Errorf("foreground of %.100q: %.100q is not #rgb, #rgba, #rrggbb or #rrggbbaa", strings.Join(t.rules[i].scopes, " "), t.rules[i].color)
		}
		t.rules[i].color = rgb.Hex(color)
	}
	return nil
}

// LoadTheme reads a theme from a file, as [ParseTheme] does, and the files of
// fsys that it includes. Its name is that of the file without the extension.
func LoadTheme(fsys fs.FS, name string) (Theme, error) {
	data, err := readTheme(fsys, name)
	if err != nil {
		return Theme{}, err
	}
	t, err := ParseTheme(data, func(included string) ([]byte, error) { return readTheme(fsys, path.Join(path.Dir(name), included)) })
	if err != nil {
		return Theme{}, fmt.Errorf("%s: %w", name, err)
	}
	t.Name = strings.TrimSuffix(path.Base(name), path.Ext(name))
	return t, nil
}

// readTheme reads a file, up to one byte more than the limit of a theme.
func readTheme(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, maxThemeBytes+1))
}

// LoadThemes reads the themes of a directory, that is the files that end in
// .json and .xml, in the order of their names.
func LoadThemes(fsys fs.FS) ([]Theme, error) {
	files, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	var themes []Theme
	for _, f := range files {
		if f.IsDir() || !slices.Contains([]string{".json", ".xml"}, strings.ToLower(path.Ext(f.Name()))) {
			continue
		}
		t, err := LoadTheme(fsys, f.Name())
		if err != nil {
			return nil, err
		}
		themes = append(themes, t)
	}
	return themes, nil
}
