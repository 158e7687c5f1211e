package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/internal/nearest"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// screenshotCmd draws code without a server.
type screenshotCmd struct {
	Files  []string `arg:"" optional:"" help:"The files to draw; - or no argument means standard input."`
	Output string   `short:"o" default:"png" placeholder:"FILE" help:"A file name that ends in .png, .webp, .svg, .html, .ansi (code in colours for a terminal) or .json (the configuration); or one of these endings alone, to write a file beside each input; or - for a PNG on standard output."`
	Copy   bool     `xor:"to" help:"Put the picture on the clipboard instead of writing a file."`
	Print  bool     `xor:"to" help:"Print the code in the colours of the theme, for a terminal with 24-bit colours, as -o x.ansi writes it."`
	Scale  string   `short:"s" default:"2" placeholder:"1..${max_scale}" help:"PNG pixels per CSS pixel, 1 to ${max_scale}."`

	Diff bool `help:"The files are patches: draw a picture of each file that they change."`

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
	if err != nil {
		return nil, fmt.Errorf("--fonts: %w", errors.Unwrap(err))
	}
	if f.SystemFonts {
		fonts.AddSystem("", func(err error) { _, _ = fmt.Fprintf(stderr, "devkiln: %v\n", err) })
	}
	return fonts, nil
}

// outputs are the formats of pictures, and of code in colours.
var outputs = []string{"png", "webp", "svg", "html", "ansi", "json"}

// Run draws every file. Collecting garbage would take a tenth of the time that
// a short file takes; 50,000 characters take 112 MB without it, and 87 with it.
func (c screenshotCmd) Run(ctx context.Context, p process) error {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	options, err := c.options(p.stderr)
	if err != nil {
		return usageError{err}
	}
	pictures, err := c.read(p, options)
	if err == nil {
		err = c.checkTargets(pictures)
	}
	if err != nil {
		return err
	}
	for _, one := range pictures {
		if err := c.draw(ctx, p, one); err != nil {
			return fmt.Errorf("%s: %w", one.file, asFlags(err))
		}
	}
	return nil
}

// reportBeyond reports marked lines that the code does not have.
func reportBeyond(stderr io.Writer, config screenshot.Config) {
	first := max(config.FirstLine, 1)
	last := first + strings.Count(strings.TrimSuffix(config.Code, "\n"), "\n")
	for i, ranges := range [...]screenshot.LineRanges{config.Highlight, config.Focus, config.Inserted, config.Deleted} {
		for _, r := range ranges {
			if r.From > last || r.To < first && r.To != 0 {
				_, _ = fmt.Fprintf(stderr, "--%s %v marks nothing: the lines of the code are %d to %d\n", [...]string{"highlight", "focus", "inserted", "deleted"}[i], r, first, last)
			}
		}
	}
}

// picture is the picture to draw of a file, and where to write it.
type picture struct {
	file         string
	config       screenshot.Config
	name, format string
}

// checkTargets sets where pictures are written. It refuses to write two to one
// file, or one to a file of code.
func (c screenshotCmd) checkTargets(pictures []picture) (err error) {
	first := make(map[string]string)
	for i := range pictures {
		one := &pictures[i]
		if one.name, one.format, err = c.target(one.file); err != nil {
			return usageError{err}
		}
		if other, twice := first[one.name]; twice && one.name != "-" {
			names := strings.TrimSuffix(": "+one.name, ": "+c.Output)
			return usageError{fmt.Errorf("--output %s names one file for the pictures of %s and %s%s", c.Output, other, one.file, names)}
		}
		if one.config.Embed != "" && one.format != "png" {
			return usageError{errors.New("--embed goes with PNG alone")}
		}
		first[one.name] = one.file
		target, missing := os.Stat(one.name)
		for _, file := range c.Files {
			if code, err := os.Stat(file); err == nil && missing == nil && os.SameFile(code, target) {
				return usageError{fmt.Errorf("--output %s would replace the code in %s by its picture", c.Output, file)}
			}
		}
	}
	return nil
}

// target returns the output name for the picture of a file, and its format.
func (c screenshotCmd) target(file string) (name, format string, err error) {
	if c.Print {
		return "-", "ansi", nil
	}
	ext := strings.TrimPrefix(filepath.Ext(c.Output), ".")
	switch {
	case c.Output == "-":
		return "-", "png", nil
	case slices.Contains(outputs, ext):
		return c.Output, ext, nil
	case !slices.Contains(outputs, c.Output):
		return "", "", fmt.Errorf("--output %q: must end in .%s, or be one of %s and -", c.Output, strings.Join(outputs, ", ."), strings.Join(outputs, ", "))
	case file == "-":
		return "screenshot." + c.Output, c.Output, nil
	default:
		return strings.TrimSuffix(file, filepath.Ext(file)) + "." + c.Output, c.Output, nil
	}
}

// read returns the pictures to draw of the files.
func (c screenshotCmd) read(p process, options screenshot.Options) (pictures []picture, err error) {
	files := c.Files
	if len(files) == 0 {
		files = []string{"-"}
	}
	for _, file := range files {
		most := characters(screenshot.MaxCode)
		if c.Diff {
			most = limit{screenshot.MaxPatch, "4 MiB", true}
		}
		code, err := readFile(p, file, most)
		if err != nil {
			return nil, err
		}
		configs, err := c.configs(code, file, options)
		if err != nil {
			return nil, usageError{fmt.Errorf("%s: %w", file, asFlags(err))}
		}
		for i, config := range configs {
			reportBeyond(p.stderr, config)
			pictures = append(pictures, picture{file: numbered(file, i+1, len(configs)), config: config})
		}
	}
	return pictures, nil
}

// numbered returns the base name of the nth of all pictures of a file.
func numbered(file string, n, all int) string {
	if all == 1 {
		return file
	}
	if file == "-" {
		file = "screenshot"
	}
	ext := filepath.Ext(file)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(file, ext), n, cmp.Or(ext, ".patch"))
}

// configs returns the pictures of a patch, or that of code or terminal output.
func (c screenshotCmd) configs(code, file string, options screenshot.Options) ([]screenshot.Config, error) {
	if c.Diff {
		return screenshot.FromPatch(code, options)
	}
	if options.Input == "" && (options.Language == "ansi" || options.Language == "" && strings.Contains(code, "\x1b[")) {
		options.Input = "ansi"
	}
	if options.Input == "ansi" {
		options.HideLineNumbers = flagValues(option.Of[screenshot.Options](), c.Plugins).Get("lineNumbers") != "true"
	} else if options.Language == "" {
		options.Language = language.Detect(code, filepath.Base(file))
	}
	config, err := screenshot.New(code, options)
	return []screenshot.Config{config}, err
}

// draw draws a picture to where the flags say.
func (c screenshotCmd) draw(ctx context.Context, p process, one picture) error {
	var content bytes.Buffer
	if err := c.render(ctx, p, &content, one); err != nil {
		return err
	}
	if c.Copy {
		return copyToClipboard(ctx, p, one.format, content.Bytes())
	}
	if one.name == "-" {
		_, err := p.stdout.Write(content.Bytes())
		return err
	}
	f, err := os.Create(one.name)
	if err != nil {
		return err
	}
	_, err = f.Write(content.Bytes())
	if err := closeWhole(f, err); err != nil {
		return err
	}
	return p.print("%s\n", one.name)
}

// render writes a picture in its format.
func (c screenshotCmd) render(ctx context.Context, p process, w io.Writer, one picture) error {
	scale, _ := screenshot.ParseScale(c.Scale) // checked with the options
	config := one.config
	switch one.format {
	case "png":
		config.Workers = min(runtime.GOMAXPROCS(0), 4) // more would wait for the highlighting, which uses one
		return config.WritePNG(ctx, w, scale)
	case "webp":
		drawn, err := config.Picture()
		if err != nil {
			return err
		}
		if smaller := drawn.WebPWarning(scale); smaller != "" {
			_, _ = fmt.Fprintln(p.stderr, smaller)
		}
		return drawn.WriteWebP(ctx, w, scale)
	case "svg":
		return config.WriteSVG(ctx, w)
	case "json":
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(config)
	}
	theme, _ := highlight.LookupTheme(config.Theme)
	if len(config.Themes) > 0 {
		theme = config.Themes[0]
	}
	theme = theme.For(config.Language)
	lines := highlight.Code(terminal.Visible(terminal.Text(config.Code)), config.Language).Lines
	if one.format == "ansi" {
		writeANSI(w, lines, theme)
		return nil
	}
	_, _ = fmt.Fprintf(w, "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>%s</title>\n<pre style=\"background:%s;color:%s;padding:1em;overflow:auto;tab-size:4\">",
		html.EscapeString(cmp.Or(config.WindowTitle, filepath.Base(one.file))), theme.Background, theme.Foreground)
	err := highlight.WriteHTML(w, lines, highlight.HTMLOptions{Theme: &theme})
	_, _ = io.WriteString(w, "</pre>\n")
	return err
}

// options parses the flags, and refuses illegal options before any file is
// read.
func (c screenshotCmd) options(stderr io.Writer) (screenshot.Options, error) {
	fonts, badFonts := c.load(stderr)
	var badTheme error
	own := func(o *screenshot.Options) { o.Fonts = fonts }
	if c.ThemeFile != "" {
		theme, err := highlight.LoadTheme(os.DirFS(filepath.Dir(c.ThemeFile)), filepath.Base(c.ThemeFile))
		if err != nil {
			badTheme = fmt.Errorf("--theme-file: must be a VS Code (.json) or chroma (.xml) theme: %w", err)
		} else {
			own = func(o *screenshot.Options) { o.Fonts, o.Themes, o.Theme = fonts, []highlight.Theme{theme}, theme.Name }
		}
	}
	o, illegal := readFlags(option.Of[screenshot.Options](), c.Plugins, func(o screenshot.Options) error {
		own(&o)
		_, err := screenshot.New("x", o)
		return err
	})
	own(&o)
	_, badScale := screenshot.ParseScale(c.Scale)
	if badScale != nil {
		badScale = fmt.Errorf("--%w", badScale)
	}
	var badLanguage error
	if _, ok := language.Lookup(o.Language); !ok && o.Language != "" && o.Language != "ansi" {
		badLanguage = fmt.Errorf("--language %q is not known%s", o.Language, cmp.Or(nearest.Question(o.Language, language.Names()), "; see devkiln languages"))
	}
	return o, errors.Join(badTheme, badFonts, illegal, badScale, badLanguage)
}

// mediaTypes are the media types of pictures by format, as the programs of the
// clipboard take them.
var mediaTypes = map[string]string{"png": "image/png", "webp": "image/webp", "svg": "image/svg+xml", "json": "application/json", "html": "text/html", "ansi": "text/plain"}

// clipboards are the commands that read standard input onto the clipboard, in
// the order in which they are tried. {type} is the media type; a command
// without it takes only text.
var clipboards = []string{
	"wl-copy --type {type}", // Wayland
	"xclip -selection clipboard -t {type}",
	"pbcopy",   // macOS
	"clip.exe", // Windows, and Linux on it
}

// copyToClipboard puts a picture on the clipboard by the first command that is
// installed, or by OSC 52, which takes text alone.
func copyToClipboard(ctx context.Context, p process, format string, picture []byte) error {
	for _, line := range clipboards {
		words := strings.Fields(strings.ReplaceAll(line, "{type}", mediaTypes[format]))
		program, missing := exec.LookPath(words[0])
		if missing != nil || line == words[0] && (format == "png" || format == "webp") {
			continue
		}
		command := exec.CommandContext(ctx, program, words[1:]...)
		command.Stdin = bytes.NewReader(picture)
		command.Stderr = p.stderr // no pipe: xclip goes on in the background
		if err := command.Run(); err != nil {
			return fmt.Errorf("%s: %w", words[0], err)
		}
		_, _ = fmt.Fprintf(p.stderr, "The %s is on the clipboard.\n", strings.ToUpper(format))
		return nil
	}
	if format == "png" || format == "webp" || len(picture) > maxOSC52 || !isTerminal(p.stderr) {
		return fmt.Errorf("no program for the clipboard was found: install wl-clipboard or xclip, write a file with --output, or copy up to %d bytes of text (-o svg) at a terminal", maxOSC52)
	}
	_, err := fmt.Fprintf(p.stderr, "\x1b]52;c;%s\aThe %s was sent to the clipboard of the terminal.\n", base64.StdEncoding.EncodeToString(picture), strings.ToUpper(format))
	return err
}

// maxOSC52 is the longest text of a sequence of 100,000 bytes; hterm ignores more.
const maxOSC52 = 74_994
