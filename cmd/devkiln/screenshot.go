package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/console"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// screenshotCmd draws code without a server.
type screenshotCmd struct {
	Files  []string `arg:"" optional:"" help:"The files to draw; - or no argument means standard input."`
	Output string   `short:"o" default:"png" placeholder:"FILE" help:"A file name that ends in .png, .webp, .svg or .json; or png, webp, svg or json, to write a file beside each input; or - for a PNG on standard output."`
	Copy   bool     `xor:"to" help:"Put the picture on the clipboard instead of writing a file."`
	Print  bool     `xor:"to" help:"Print the code in the colours of the theme, for a terminal with 24-bit colours, instead of drawing it."`
	Scale  string   `short:"s" default:"2" placeholder:"1..{max_scale}" help:"PNG pixels per CSS pixel, 1 to {max_scale}."`

	Exec        string        `placeholder:"COMMAND" help:"Run a command and draw what it writes to its terminal."`
	ExecTimeout time.Duration `default:"1m" help:"How long the command may take."`
	Diff        bool          `help:"The files are patches: draw a picture of each file that they change."`

	ThemeFile string `placeholder:"FILE" help:"A VS Code (.json) or chroma (.xml) theme for the colours."`

	kong.Plugins // a flag for each option of package screenshot

	fontFlags
}

// fontFlags are the fonts of pictures drawn without a server.
type fontFlags struct {
	Fonts       []string `placeholder:"PATH" help:"Font files, or directories of them, for characters that the embedded font of pictures lacks."`
	SystemFonts bool     `help:"Use the fonts of the system for characters that are still missing in pictures, such as emoji."`
}

// load returns the fonts, or nil if no flag names any. If the fonts of the
// system are needed but cannot be used, it is reported on stderr.
func (f fontFlags) load(stderr io.Writer) (*screenshot.Fonts, error) {
	if !f.SystemFonts && len(f.Fonts) == 0 {
		return nil, nil
	}
	fonts, err := screenshot.LoadFonts(f.Fonts...)
	if err == nil && f.SystemFonts {
		fonts.AddSystem("", func(err error) { _, _ = fmt.Fprintf(stderr, "devkiln: %v\n", err) })
	}
	return fonts, err
}

// maxInput limits the bytes read of a file. It is one more than the longest
// code in four-byte characters, so that longer code is detected.
const maxInput = 4*screenshot.MaxCode + 1

// Run draws every file.
func (c screenshotCmd) Run(ctx context.Context, p process) error {
	options, err := c.options(p.stderr)
	if err != nil {
		return usageError{err}
	}
	if c.Exec != "" {
		return c.execute(ctx, p, options)
	}
	files := c.Files
	if len(files) == 0 {
		files = []string{"-"}
	}
	var pictures []picture
	for _, file := range files {
		configs, err := c.read(p, file, options)
		if err != nil {
			return err
		}
		for i, config := range configs {
			reportBeyond(p.stderr, config)
			base := file
			if len(configs) > 1 {
				base = numbered(file, i+1)
			}
			pictures = append(pictures, picture{base, config})
		}
	}
	if err := c.checkTargets(pictures); err != nil {
		return usageError{err}
	}
	for _, one := range pictures {
		if err := c.draw(ctx, p, one.file, one.config); err != nil {
			return err
		}
	}
	return nil
}

// reportBeyond reports marked lines that the code does not have.
func reportBeyond(stderr io.Writer, config screenshot.Config) {
	first := max(config.FirstLine, 1)
	last := first + strings.Count(strings.TrimSuffix(config.Code, "\n"), "\n")
	for _, marked := range []struct {
		flag   string
		ranges []screenshot.LineRange
	}{
		{"highlight", config.Highlight}, {"focus", config.Focus}, {"inserted", config.Inserted}, {"deleted", config.Deleted},
	} {
		for _, r := range marked.ranges {
			if r.From > last || r.To < first && r.To != 0 {
				_, _ = fmt.Fprintf(stderr, "--%s %v marks nothing: the lines of the code are %d to %d\n", marked.flag, r, first, last)
			}
		}
	}
}

// picture is the picture to draw of a file.
type picture struct {
	file   string
	config screenshot.Config
}

// checkTargets refuses to write two pictures to one file, or a picture to a file
// of code.
func (c screenshotCmd) checkTargets(pictures []picture) error {
	first := make(map[string]string)
	for _, one := range pictures {
		name, _, err := c.target(one.file)
		if err != nil {
			return err
		}
		if other, twice := first[name]; twice {
			return fmt.Errorf("--output %s names one file for the pictures of %s and %s: %s", c.Output, other, one.file, name)
		}
		first[name] = one.file
		target, missing := os.Stat(name)
		for _, file := range c.Files {
			if code, err := os.Stat(file); err == nil && missing == nil && os.SameFile(code, target) {
				return fmt.Errorf("--output %s would replace the code in %s by its picture", c.Output, file)
			}
		}
	}
	return nil
}

// numbered returns the base name of the nth picture of a file.
func numbered(file string, n int) string {
	if file == "-" {
		file = "screenshot"
	}
	ext := filepath.Ext(file)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(file, ext), n, cmp.Or(ext, ".patch"))
}

// read returns the pictures to draw of a file.
func (c screenshotCmd) read(p process, file string, options screenshot.Options) ([]screenshot.Config, error) {
	longest := int64(maxInput)
	if c.Diff {
		longest = screenshot.MaxPatch + 1
	}
	code, err := readFile(p, file, longest)
	if err != nil {
		return nil, err
	}
	var configs []screenshot.Config
	if c.Diff {
		configs, err = screenshot.FromPatch(code, options)
	} else {
		configs, err = c.fromCode(code, file, options)
	}
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", file, err)}
	}
	return configs, nil
}

// fromCode returns the picture of code or of terminal output.
func (c screenshotCmd) fromCode(code, file string, options screenshot.Options) ([]screenshot.Config, error) {
	if options.Input == "" && (options.Language == screenshot.InputANSI || options.Language == "" && strings.Contains(code, "\x1b[")) {
		options.Input = screenshot.InputANSI
	}
	if options.Input == screenshot.InputANSI {
		options.HideLineNumbers = flagValues(screenshot.Parameters(), c.Plugins).Get("lineNumbers") != "true"
	} else if options.Language == "" {
		options.Language = language.Detect(code, filepath.Base(file))
	}
	config, err := screenshot.New(code, options)
	return []screenshot.Config{config}, err
}

// The size of the terminal for --exec; --wrap overrides the columns.
const (
	execColumns = 100
	execRows    = 50
)

// commandFailed reports the exit status of the command of --exec.
type commandFailed struct {
	command string
	status  int
}

func (e commandFailed) Error() string { return fmt.Sprintf("%s: exit status %d", e.command, e.status) }

// execute draws a prompt, the command, its output and any nonzero exit status,
// which it also returns.
func (c screenshotCmd) execute(ctx context.Context, p process, options screenshot.Options) error {
	if len(c.Files) > 0 || c.Diff {
		return usageError{errors.New("--exec cannot be combined with files")}
	}
	bounded, cancel := context.WithTimeout(ctx, c.ExecTimeout)
	defer cancel()
	result, err := console.Run(bounded, c.Exec, console.Options{Columns: cmp.Or(options.Columns, execColumns), Rows: execRows, MaxBytes: maxInput})
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("takes longer than %v", c.ExecTimeout)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Exec, err)
	}
	text := "\x1b[32m$\x1b[m " + c.Exec + "\n" + result.Output
	if result.Status != 0 {
		text = strings.TrimSuffix(text, "\n") + fmt.Sprintf("\n\x1b[31mexit status %d\x1b[m\n", result.Status)
	}
	options.Input = screenshot.InputANSI
	if title := []rune(c.Exec); options.WindowTitle == "" {
		options.WindowTitle = string(title[:min(len(title), screenshot.MaxTitle)])
	}
	configs, err := c.fromCode(text, "", options)
	if err != nil {
		return usageError{fmt.Errorf("%s: %w", c.Exec, err)}
	}
	if err := c.draw(ctx, p, "-", configs[0]); err != nil || result.Status == 0 {
		return err
	}
	return commandFailed{c.Exec, result.Status}
}

// drawingWorkers limits the processors for a picture. More would wait for the
// highlighting, which uses a single one.
const drawingWorkers = 4

// draw draws the picture of a file, or prints its code, to where the flags say.
func (c screenshotCmd) draw(ctx context.Context, p process, file string, config screenshot.Config) error {
	if c.Print {
		theme := config.Palette
		if theme == nil {
			named, _ := highlight.LookupTheme(config.Theme)
			theme = &named
		}
		writeANSI(p.stdout, highlight.Code(terminal.Visible(config.Code), config.Language).Lines, theme.For(config.Language))
		return nil
	}
	name, format, err := c.target(file)
	if err != nil {
		return usageError{err}
	}
	var picture bytes.Buffer
	if err := c.render(ctx, p, &picture, config, format); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if c.Copy {
		return copyToClipboard(ctx, p, format, picture.Bytes())
	}
	if name == "-" {
		_, err = p.stdout.Write(picture.Bytes())
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(picture.Bytes())
	if err := closeWhole(f, err); err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.stdout, name)
	return err
}

// render writes a picture in a format.
func (c screenshotCmd) render(ctx context.Context, p process, w io.Writer, config screenshot.Config, format string) error {
	scale, err := screenshot.ParseScale(c.Scale)
	if err != nil {
		return err
	}
	switch format {
	case "png":
		config.Workers = min(runtime.GOMAXPROCS(0), drawingWorkers)
		return config.WritePNG(ctx, w, scale)
	case "webp":
		return c.writeWebP(ctx, p, w, config, scale)
	case "svg":
		return config.WriteSVG(ctx, w)
	default:
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(config)
	}
}

// writeWebP writes a WebP, and reports a smaller scale than the one asked for.
func (c screenshotCmd) writeWebP(ctx context.Context, p process, w io.Writer, config screenshot.Config, scale float64) error {
	picture, err := config.Picture()
	if err != nil {
		return err
	}
	if smaller := picture.WebPWarning(scale); smaller != "" {
		_, _ = fmt.Fprintln(p.stderr, smaller)
	}
	return picture.WriteWebP(ctx, w, scale)
}

// target returns the output name for the picture of a file, and its format.
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

// options parses the flags, and refuses illegal options before any file is
// read.
func (c screenshotCmd) options(stderr io.Writer) (screenshot.Options, error) {
	fonts, badFonts := c.load(stderr)
	var badTheme error
	var palette *highlight.Theme
	if c.ThemeFile != "" {
		theme, err := highlight.LoadTheme(os.DirFS(filepath.Dir(c.ThemeFile)), filepath.Base(c.ThemeFile))
		palette, badTheme = &theme, err
	}
	o, illegal := readFlags(screenshot.Parameters(), c.Plugins, func(o screenshot.Options) error {
		o.Fonts, o.Palette = fonts, palette
		_, err := screenshot.New("x", o)
		return err
	})
	o.Fonts, o.Palette = fonts, palette
	_, badScale := screenshot.ParseScale(c.Scale)
	if badScale != nil {
		badScale = fmt.Errorf("--%w", badScale)
	}
	return o, errors.Join(badTheme, badFonts, illegal, badScale)
}
