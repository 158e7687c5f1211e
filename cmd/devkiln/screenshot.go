package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/commandline"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// screenshotCmd draws pictures of code without a server.
type screenshotCmd struct {
	Files  []string `arg:"" optional:"" help:"The files to draw; - is standard input, and so is none."`
	Output string   `short:"o" default:"png" placeholder:"FILE" help:"A name that ends in .png, .webp, .svg or .json; png, webp, svg or json, for a file beside each input; - for a PNG on standard output."`
	Scale  float64  `default:"2" help:"PNG pixels per CSS pixel, 1 to ${max_scale}."`

	Language     string   `placeholder:"NAME" help:"Default: by the name of the file, else by its content."`
	Background   string   `placeholder:"CSS"  help:"A colour or a gradient of CSS, or transparent."`
	Padding      *float64 `placeholder:"PX"   help:"Around the window, 0 to ${max_padding}."`
	FontSize     *float64 `placeholder:"PX"   help:"${min_font} to ${max_font}."`
	BorderRadius *float64 `placeholder:"PX"   help:"Of the window, 0 to ${max_radius}."`
	Title        string   `help:"In the title bar."`

	LineNumbers    bool `default:"true" negatable:"" help:"Draw line numbers."`
	WindowControls bool `default:"true" negatable:"" help:"Draw the three buttons."`
	Shadow         bool `default:"true" negatable:"" help:"Draw a shadow below the window."`
	NoWindow       bool `help:"The same as --window=none."`
	NoLigatures    bool `help:"The same as --ligatures=off."`

	ThemeFile string `placeholder:"FILE" help:"A theme of VS Code (.json) or chroma (.xml) for the colours."`

	kong.Plugins // a flag for each of screenshot.Parameters

	Fonts       []string `placeholder:"PATH" help:"Files or folders of fonts for what the embedded one lacks."`
	SystemFonts bool     `help:"Look for what is lacking in the fonts of the system, emoji among them."`
}

// parameterFlags returns a pointer to a struct with a flag for each parameter of
// pictures, by its name in lower case with hyphens, in their order.
func parameterFlags() any {
	var fields []reflect.StructField
	for i, p := range screenshot.Parameters() {
		tag := reflect.StructTag(fmt.Sprintf(`name:%q help:%q placeholder:%q sep:"none"`, flagName(p.Name), p.Doc+".", placeholder(p)))
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("Parameter%d", i), Type: reflect.TypeFor[[]string](), Tag: tag})
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}

// flagName writes firstLine as first-line.
func flagName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// placeholder says what the value of a parameter is.
func placeholder(p screenshot.Parameter) string {
	switch p.Kind {
	case screenshot.KindSwitch:
		return "on|off"
	case screenshot.KindLines:
		return "3,7-9"
	case screenshot.KindChoice:
		if len(p.Values) > 8 {
			return "NAME"
		}
		return strings.Join(p.Values, "|")
	case screenshot.KindText:
		return "TEXT"
	default:
		return fmt.Sprintf("%.0f..%.0f", p.Min, p.Max)
	}
}

// setParameters reads the flags that parameterFlags made.
func (c screenshotCmd) setParameters(o *screenshot.Options) error {
	flags := reflect.ValueOf(c.Plugins[0]).Elem()
	var errs []error
	for i, p := range screenshot.Parameters() {
		given, _ := reflect.TypeAssert[[]string](flags.Field(i))
		value := strings.Join(given, ",")
		switch {
		case p.Name == "window" && c.NoWindow:
			value = screenshot.WindowNone
		case p.Name == "ligatures" && c.NoLigatures:
			value = "off"
		}
		switch {
		case value == "":
		case p.Name == "theme" && slices.Contains(highlight.Themes(), value):
			o.Theme = value // what the JSON of a config has, too
		default:
			if err := p.Set(o, value); err != nil {
				errs = append(errs, fmt.Errorf("--%s %q: %w", flagName(p.Name), value, err))
			}
		}
	}
	return errors.Join(errs...)
}

// maxInput is the most that is read of a file: one byte more than the longest
// code in four-byte characters, so that too much is noticed.
const maxInput = 4*screenshot.MaxCode + 1

// Help implements kong.HelpProvider.
func (screenshotCmd) Help() string {
	return `For example:

    devkiln screenshot main.go
    devkiln screenshot main.go -o picture.svg --theme night-owl --lines 10-20
    git diff | devkiln screenshot - -o diff.png --language diff`
}

// Run draws every file.
func (c screenshotCmd) Run(ctx context.Context, p process) error {
	files := c.Files
	if len(files) == 0 {
		files = []string{"-"}
	}
	if len(files) > 1 && (c.Output == "-" || filepath.Ext(c.Output) != "") {
		return usageError{fmt.Errorf("--output %s is one file for %d pictures; write png, svg or json", c.Output, len(files))}
	}
	options, err := c.options()
	if err != nil {
		return usageError{commandline.OneLine(err)}
	}
	for _, file := range files {
		if err := c.draw(ctx, p, file, options); err != nil {
			return err
		}
	}
	return nil
}

// draw draws one file.
func (c screenshotCmd) draw(ctx context.Context, p process, file string, options screenshot.Options) error {
	code, err := readFile(p, file, maxInput)
	if err != nil {
		return err
	}
	if options.Language == "" {
		options.Language = language.Detect(code, filepath.Base(file))
	}
	config, err := screenshot.New(code, options)
	if err != nil {
		return usageError{fmt.Errorf("%s: %w", file, commandline.OneLine(err))}
	}
	name, format, err := c.target(file)
	if err != nil {
		return usageError{err}
	}
	var picture bytes.Buffer
	switch format {
	case "png":
		err = config.WritePNG(ctx, &picture, c.Scale)
	case "webp":
		err = config.WriteWebP(ctx, &picture, c.Scale)
	case "svg":
		err = config.WriteSVG(ctx, &picture)
	case "json":
		encoder := json.NewEncoder(&picture)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(config)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, commandline.OneLine(err))
	}
	if name == "-" {
		_, err = p.stdout.Write(picture.Bytes())
		return err
	}
	if err := os.WriteFile(name, picture.Bytes(), 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.stdout, name)
	return err
}

// target returns where the picture of a file goes, and its format.
func (c screenshotCmd) target(file string) (name, format string, err error) {
	formats := []string{"png", "webp", "svg", "json"}
	ext := strings.TrimPrefix(filepath.Ext(c.Output), ".")
	switch {
	case c.Output == "-":
		return "-", "png", nil
	case slices.Contains(formats, ext):
		return c.Output, ext, nil
	case !slices.Contains(formats, c.Output):
		return "", "", fmt.Errorf("--output %q must end in .png, .webp, .svg or .json, or be one of png, webp, svg, json and -", c.Output)
	case file == "-":
		return "screenshot." + c.Output, c.Output, nil
	default:
		return strings.TrimSuffix(file, filepath.Ext(file)) + "." + c.Output, c.Output, nil
	}
}

// options understands the flags.
func (c screenshotCmd) options() (screenshot.Options, error) {
	o := screenshot.Options{
		Language: c.Language, Background: c.Background,
		Padding: c.Padding, FontSize: c.FontSize, BorderRadius: c.BorderRadius, WindowTitle: c.Title,
		HideLineNumbers: !c.LineNumbers, HideWindowControls: !c.WindowControls, HideShadow: !c.Shadow,
	}
	errs := []error{c.setParameters(&o)}
	if c.ThemeFile != "" {
		theme, err := highlight.LoadTheme(os.DirFS(filepath.Dir(c.ThemeFile)), filepath.Base(c.ThemeFile))
		o.Palette = &theme
		errs = append(errs, err)
	}
	var err error
	if c.SystemFonts || len(c.Fonts) > 0 {
		o.Fonts, err = screenshot.LoadFonts(c.Fonts...)
		errs = append(errs, err)
	}
	if c.SystemFonts && o.Fonts != nil {
		cache, _ := os.UserCacheDir() // without one, fonts are found anew each time
		errs = append(errs, o.Fonts.AddSystem(cache))
	}
	return o, errors.Join(errs...)
}
