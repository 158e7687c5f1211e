package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/screenshot"
)

// screenshotCmd draws pictures of code without a server.
type screenshotCmd struct {
	Files  []string `arg:"" optional:"" help:"The files to draw; - is standard input, and so is none."`
	Output string   `short:"o" default:"png" placeholder:"FILE" help:"A name that ends in .png, .svg or .json; png, svg or json, for a file beside each input; - for a PNG on standard output."`
	Scale  float64  `default:"2" help:"PNG pixels per CSS pixel, 1 to ${max_scale}."`

	Language     string   `placeholder:"NAME" help:"Default: by the name of the file, else by its content."`
	Theme        string   `default:"dracula"  help:"${themes}."`
	Background   string   `placeholder:"CSS"  help:"A colour or a gradient of CSS, or transparent."`
	Padding      *float64 `placeholder:"PX"   help:"Around the window, 0 to ${max_padding}."`
	FontSize     *float64 `placeholder:"PX"   help:"${min_font} to ${max_font}."`
	BorderRadius *float64 `placeholder:"PX"   help:"Of the window, 0 to ${max_radius}."`
	Title        string   `help:"In the title bar."`

	LineNumbers    bool `default:"true" negatable:"" help:"Draw line numbers."`
	WindowControls bool `default:"true" negatable:"" help:"Draw the three buttons."`
	Shadow         bool `default:"true" negatable:"" help:"Draw a shadow below the window."`
	Window         bool `default:"true" negatable:"" help:"Draw a window at all."`
	Ligatures      bool `default:"true" negatable:"" help:"Join characters such as => into one sign."`

	Lines     string   `placeholder:"10-20"   help:"Draw these lines only; they keep their numbers."`
	FirstLine int      `placeholder:"N"       help:"The number of the first line."`
	Highlight []string `placeholder:"3,7-9"   help:"Lines to set off."`
	Inserted  []string `placeholder:"3,7-9"   help:"Lines to mark with + as in a diff."`
	Deleted   []string `placeholder:"3,7-9"   help:"Lines to mark with − as in a diff."`
	Wrap      int      `placeholder:"COLUMNS" help:"Wrap lines at this many columns."`
	Watermark string   `help:"Small print in the corner."`

	Fonts       []string `placeholder:"PATH" help:"Files or folders of fonts for what the embedded one lacks."`
	FontFamily  string   `placeholder:"NAME" help:"A family out of those fonts to set the code in."`
	SystemFonts bool     `help:"Look for what is lacking in the fonts of the system, emoji among them."`
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
		return usageError{oneLine(err)}
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
	code, err := readCode(p, file)
	if err != nil {
		return err
	}
	if options.Language == "" {
		options.Language = language.Detect(code, filepath.Base(file))
	}
	config, err := screenshot.New(code, options)
	if err != nil {
		return usageError{fmt.Errorf("%s: %w", file, oneLine(err))}
	}
	name, format, err := c.target(file)
	if err != nil {
		return usageError{err}
	}
	var picture bytes.Buffer
	switch format {
	case "png":
		err = config.WritePNG(ctx, &picture, c.Scale)
	case "svg":
		err = config.WriteSVG(ctx, &picture)
	case "json":
		encoder := json.NewEncoder(&picture)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(config)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, oneLine(err))
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
	ext := strings.TrimPrefix(filepath.Ext(c.Output), ".")
	switch {
	case c.Output == "-":
		return "-", "png", nil
	case ext == "png", ext == "svg", ext == "json":
		return c.Output, ext, nil
	case c.Output != "png" && c.Output != "svg" && c.Output != "json":
		return "", "", fmt.Errorf("--output %q must end in .png, .svg or .json, or be one of png, svg, json and -", c.Output)
	case file == "-":
		return "screenshot." + c.Output, c.Output, nil
	default:
		return strings.TrimSuffix(file, filepath.Ext(file)) + "." + c.Output, c.Output, nil
	}
}

// readCode reads a file, or standard input for "-".
func readCode(p process, file string) (string, error) {
	in := p.stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", err
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	code, err := io.ReadAll(io.LimitReader(in, maxInput))
	return string(code), err
}

// options understands the flags.
func (c screenshotCmd) options() (screenshot.Options, error) {
	o := screenshot.Options{
		Language: c.Language, Theme: c.Theme, Background: c.Background,
		Padding: c.Padding, FontSize: c.FontSize, BorderRadius: c.BorderRadius, WindowTitle: c.Title,
		HideLineNumbers: !c.LineNumbers, HideWindowControls: !c.WindowControls, HideShadow: !c.Shadow,
		Extras: screenshot.Extras{
			FirstLine: c.FirstLine, Columns: c.Wrap, Watermark: c.Watermark,
			FontFamily: c.FontFamily, DisableLigatures: !c.Ligatures,
		},
	}
	if !c.Window {
		o.Window = screenshot.WindowNone
	}
	var errs []error
	read := func(flag, text string) (r screenshot.LineRange) {
		r, err := screenshot.ParseLineRange(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("--%s %q: %w", flag, text, err))
		}
		return r
	}
	if c.Lines != "" {
		o.Lines = read("lines", c.Lines)
	}
	for _, text := range c.Highlight {
		o.Highlight = append(o.Highlight, read("highlight", text))
	}
	for _, text := range c.Inserted {
		o.Inserted = append(o.Inserted, read("inserted", text))
	}
	for _, text := range c.Deleted {
		o.Deleted = append(o.Deleted, read("deleted", text))
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
