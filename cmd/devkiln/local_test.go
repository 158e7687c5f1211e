package main

import (
	"bytes"
	"encoding/json"
	"image/color"
	"image/png"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/share/logs"
)

func TestSlug(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a command for each row, in one goroutine")
	}
	t.Parallel()
	for name, c := range map[string]struct {
		args  []string
		stdin string
		want  string
	}{
		"arguments are one text":  {[]string{"Hello", "Wörld & friends"}, "", "hello-world-and-friends\n"},
		"every line of a stream":  {nil, "One line\r\nÆrlig\n\nlast", "one-line\naerlig\n\nlast\n"},
		"UTF-16, of PowerShell":   {nil, "\xff\xfe\xdc\x00b\x00\r\x00\n\x00", "ub\n"},
		"options":                 {[]string{"--separator=_", "--keep-case", "--language=de", "Über Fährten"}, "", "Ueber_Faehrten\n"},
		"no separator":            {[]string{"--separator=", "a b"}, "", "ab\n"},
		"whole words":             {[]string{"--replace=C++=cpp", "--stop-words=the,of", "--preserve=.", "--split-camel", "The parseHTML of C++ 1.5"}, "", "parse-html-cpp-1.5\n"},
		"a fallback":              {[]string{"--fallback=Untitled"}, "🎉\nа\n", "untitled\na\n"},
		"letters of every script": {[]string{"--unicode", "Привет, Мир"}, "", "привет-мир\n"},
		"a stream of unique ones": {[]string{"--unique"}, "Post\npost!\nPost 2\nPost", "post\npost-2\npost-2-2\npost-3\n"},
		"emoji":                   {[]string{"--emoji", "café 🎉"}, "", "cafe-party-popper\n"},
		"an alias":                {[]string{"--camel", "theGDPR"}, "", "the-gdpr\n"},
		"a line beyond a buffer":  {[]string{"--max-length=3"}, strings.Repeat("a", 200_000) + "\nb", "aaa\nb\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs output
			err := run(t.Context(), append([]string{"slug"}, c.args...), none, strings.NewReader(c.stdin), &out, &errs)
			require.NoError(t, err)
			assert.Equal(t, c.want, out.String())
		})
	}
	_, _, err := command(t, none, "slug", "--separator=--", "--max-length=-1", "--language=germn", "x")
	assert.EqualError(t, err, "--separator \"--\": must be empty or one of - _ . ~ ! $ & ' ( ) * + , ; = : @\n"+
		"--language \"germn\": must be a known language; did you mean \"de\"?\n--max-length \"-1\": must be 0 or more")
}

func TestGradient(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a command for each row, in one goroutine")
	}
	t.Parallel()
	stdout, _, err := command(t, none, "gradient", "ff0000", "#0000FF", "--angle=45")
	require.NoError(t, err)
	assert.Equal(t, "linear-gradient(45deg, #ff0000 0%, #0000ff 100%)\n", stdout)
	stdout, _, err = command(t, none, "gradient", "ff0000", "#0000FF", "--angle", "-45")
	require.NoError(t, err)
	assert.Equal(t, "linear-gradient(315deg, #ff0000 0%, #0000ff 100%)\n", stdout)
	stdout, _, err = command(t, none, "gradient", "ff0000", "0000ff", "--type=radial", "--positions=10,90")
	require.NoError(t, err)
	assert.Equal(t, "radial-gradient(circle, #ff0000 10%, #0000ff 90%)\n", stdout)
	stdout, _, err = command(t, none, "gradient", "conic-gradient(from 30deg, lab(50 60 -40), blue)", "--format=css")
	require.NoError(t, err)
	assert.Equal(t, "background: conic-gradient(from 30deg in oklab, lab(50 60 -40) 0%, #0000ff 100%);\n", stdout)
	stdout, _, err = command(t, none, "gradient", "ff000080", "0000ff", "--space=oklch", "--hue=longer", "--repeating")
	require.NoError(t, err)
	assert.Equal(t, "repeating-linear-gradient(90deg in oklch longer hue, rgba(255, 0, 0, 0.5) 0%, #0000ff 100%)\n", stdout)
	for _, flag := range []string{"--type=radial", "--angle=0", "--positions=0,100", "--repeating", "--space=oklch"} {
		_, _, err = command(t, none, "gradient", "linear-gradient(red, blue)", flag)
		require.EqualError(t, err, "the options of a gradient do not go with CSS, which states them", "nothing is ignored")
	}
	_, _, err = command(t, none, "gradient", "linear-gradient(red")
	require.EqualError(t, err, `"linear-gradient(red": offset 19: expected a comma, a position or ), found the end`)
	_, _, err = command(t, none, "gradient", "red")
	require.EqualError(t, err, "give 2 to 10 colours, not 1")
	_, _, err = command(t, none, "gradient", "ff000080", "0000ff", "--format=compose", "--name=1")
	require.ErrorContains(t, err, `--name "1": must be a letter`)
	_, _, err = command(t, none, "gradient", "ff000080", "0000ff", "--format=compose")
	require.ErrorContains(t, err, `--format "compose": must not be compose for this gradient: the target does not define how it interpolates`)
	for _, args := range [][]string{{"--width=-5"}, {"--height=-5"}, {"--width", "-5", "--format=svg"}} {
		_, _, err = command(t, none, append([]string{"gradient", "red", "blue"}, args...)...)
		flag, _, _ := strings.Cut(args[0], "=")
		require.EqualError(t, err, flag+` "-5": must be 1 or more`)
	}
	_, _, err = command(t, none, "gradient", "red", "blu")
	require.EqualError(t, err, `colour 2, "blu": must be a CSS colour, such as #f00 or red; did you mean "blue"?`)
	_, _, err = command(t, none, "gradient", "reddish", "0000ff", "--positions=1,2,3", "--space=oklchh", "--hue=long", "--type=cone")
	for _, want := range []string{`colour 1, "reddish": must be a CSS colour`, `--positions "1,2,3": `, `--space "oklchh": `, `--hue "long": `, `--type "cone": `} {
		assert.ErrorContains(t, err, want)
	}
	stdout, _, err = command(t, none, "gradient", "rebeccapurple", "hsl(0 100% 50% / 0.5)")
	require.NoError(t, err)
	assert.Equal(t, "linear-gradient(90deg, #663399 0%, rgba(255, 0, 0, 0.5) 100%)\n", stdout)
}

const failedLog = "2026-01-02 03:04:05 INFO start\n" +
	"2026-01-02 03:04:06 ERROR connection to 192.0.2.7 refused\u202e\n" +
	"2026-01-02 03:04:07 ERROR connection to 192.0.2.8 refused\u202e\n"

func TestAnalyze_summaryAndGroups(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "failed.log")
	require.NoError(t, os.WriteFile(file, []byte(failedLog), 0o600))
	stdout, _, err := command(t, none, "analyze", file)
	require.NoError(t, err)
	assert.Contains(t, stdout, "lines 3, entries 3, fatal 0, errors 2, warnings 0\n")
	assert.Contains(t, stdout, "first error  L2  2026-01-02 03:04:06 ERROR connection to 192.0.2.7 refused�\n")
	assert.Contains(t, stdout, "\nerror × 2 · L2 to L3 · connection to * refused�\n")

	stdout, _, err = command(t, none, "analyze", file, "--json")
	require.NoError(t, err)
	var summary logs.Summary
	require.NoError(t, json.Unmarshal([]byte(stdout), &summary))
	assert.Equal(t, 2, summary.FirstError.Line)
	assert.Equal(t, logs.Group{Level: logs.LevelError, Shape: "connection to * refused\u202e", Text: "connection to 192.0.2.7 refused\u202e", Count: 2, First: 2, Last: 3}, summary.Groups[0])
}

func TestCompare_newAndGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	earlier, later := filepath.Join(dir, "a.log"), filepath.Join(dir, "b.log")
	require.NoError(t, os.WriteFile(earlier, []byte(failedLog), 0o600))
	require.NoError(t, os.WriteFile(later, []byte("2026-01-03 03:04:05 INFO start\n2026-01-03 03:04:06 FATAL no disk\n"), 0o600))
	stdout, _, err := command(t, none, "compare", earlier, later)
	require.NoError(t, err)
	assert.Equal(t, "New:\nfatal × 1 · L2 to L2 · no disk\nGone:\nerror × 2 · L2 to L3 · connection to * refused�\n"+
		"1 new, 1 gone, 0 more or less often, 1 the same\n", stdout)
	stdout, _, err = command(t, none, "compare", earlier, later, "--json")
	require.NoError(t, err)
	var difference logs.Comparison
	require.NoError(t, json.Unmarshal([]byte(stdout), &difference))
	assert.Equal(t, logs.LevelFatal, difference.Added[0].Level)
	_, _, err = command(t, none, "compare", "-", "-")
	assert.Equal(t, exitUsage, report(err, io.Discard), "it could be read for one of them")
	stdout, _, err = command(t, none, "compare", "-u", earlier, later)
	require.NoError(t, err)
	assert.Equal(t, "@@ -1,3 +1,2 @@\n 2026-01-03 03:04:05 INFO start\n"+
		"-2026-01-02 03:04:06 ERROR connection to 192.0.2.7 refused�\n-2026-01-02 03:04:07 ERROR connection to 192.0.2.8 refused�\n"+
		"+2026-01-03 03:04:06 FATAL no disk\n", stdout)
}

func TestScreenshot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	require.NoError(t, os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600))

	stdout, _, err := command(t, none, "screenshot", source)
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(dir, "main.png")+"\n", stdout)
	data, err := os.ReadFile(filepath.Join(dir, "main.png"))
	require.NoError(t, err)
	large, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)

	small := filepath.Join(dir, "small.png")
	_, _, err = command(t, none, "screenshot", source, "-o", small, "--scale=1", "--theme=ocean", "--no-line-numbers", "--no-shadow", "--lines=1-2", "--highlight=2,3")
	require.NoError(t, err)
	data, err = os.ReadFile(small)
	require.NoError(t, err)
	picture, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	assert.Less(t, picture.Bounds().Dy()*2, large.Bounds().Dy())

	var out, errs output
	err = run(t.Context(), []string{"screenshot", "-o", "-"}, none, strings.NewReader("print(1)"), &out, &errs)
	require.NoError(t, err)
	_, err = png.Decode(strings.NewReader(out.String()))
	assert.NoError(t, err)

	config := filepath.Join(dir, "config.json")
	_, _, err = command(t, none, "screenshot", source, "-o", config)
	require.NoError(t, err)
	data, err = os.ReadFile(config)
	require.NoError(t, err)
	assert.Contains(t, string(data), `"language": "go"`, "by its name")
}

// The fonts of the system are loaded for a character that needs them, which
// fails without a place for their index; the picture is drawn nevertheless.
func TestScreenshot_systemFontsWhenNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("draws pictures, which package screenshot does under the race detector")
	}
	t.Parallel()
	for code, want := range map[string]string{"plain": "", "漢": "system fonts: "} {
		var picture, errs bytes.Buffer
		process := exec.CommandContext(t.Context(), executable(t), "screenshot", "--system-fonts", "--output=-")
		process.Env = append(outside(), "TEST_AS_DEVKILN=1", "HOME=", "XDG_CACHE_HOME=", "LocalAppData=")
		process.Stdin, process.Stdout, process.Stderr = strings.NewReader(code), &picture, &errs
		require.NoError(t, process.Run(), errs.String())
		_, err := png.Decode(&picture)
		require.NoError(t, err)
		assert.Equal(t, want == "", errs.Len() == 0, errs.String())
		assert.Contains(t, errs.String(), want)
	}
}

// Each parameter of a picture is a flag with the same effect as in the library.
func TestScreenshot_parameters(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	t.Parallel()
	dir := t.TempDir()
	source, file := filepath.Join(dir, "main.go"), filepath.Join(dir, "main.png")
	code := strings.Repeat("package main // a => b\n", 12)
	require.NoError(t, os.WriteFile(source, []byte(code), 0o600))
	values := url.Values{
		"theme": {"nord"}, "highlight": {"3,7-9"}, "focus": {"3-9"}, "inserted": {"4"}, "deleted": {"5"}, "lines": {"3-10"}, "firstLine": {"2"}, "wrap": {"30"},
		"tabWidth": {"2"}, "lineHeight": {"1.25"}, "watermark": {"me"}, "window": {"windows"}, "ratio": {"1:1"}, "size": {"300"}, "ligatures": {"off"}, "input": nil, "embed": {"config"}, "fontFamily": nil,
	}
	args := []string{"screenshot", source, "--scale=1"}
	for _, p := range option.Of[screenshot.Options]().InQuery() {
		require.Contains(t, values, p.Name)
	}
	options := screenshot.Options{Language: "go"}
	require.NoError(t, option.Of[screenshot.Options]().InQuery().SetStrict(&options, values))
	for _, r := range option.Of[screenshot.Options]() {
		switch text, changed := r.Text(&options); {
		case changed && text == "off":
			args = append(args, "--no-"+r.Flag)
		case changed:
			args = append(args, "--"+r.Flag+"="+text)
		}
	}
	_, _, err := command(t, none, args...)
	require.NoError(t, err)
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	config, err := screenshot.New(code, options)
	require.NoError(t, err)
	var want bytes.Buffer
	require.NoError(t, config.WritePNG(t.Context(), &want, 1))
	assert.Equal(t, want.Bytes(), got)
}

// drawnAs compares a command's picture with the library's.
func drawnAs(t *testing.T, file, code string, o screenshot.Options) {
	t.Helper()
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	config, err := screenshot.New(code, o)
	require.NoError(t, err)
	var want bytes.Buffer
	require.NoError(t, config.WritePNG(t.Context(), &want, 1))
	assert.True(t, bytes.Equal(want.Bytes(), got), file)
}

func TestScreenshot_terminal(t *testing.T) {
	if testing.Short() {
		t.Skip("draws pictures, which package screenshot does under the race detector")
	}
	t.Parallel()
	source := filepath.Join(t.TempDir(), "output.txt")
	const code = "\x1b[1;31mFAIL\x1b[m example.com/kiln\n"
	require.NoError(t, os.WriteFile(source, []byte(code), 0o600))
	for _, c := range []struct {
		flags []string
		want  screenshot.Options
	}{
		{nil, screenshot.Options{HideLineNumbers: true, Extras: screenshot.Extras{Input: "ansi"}}},
		{[]string{"--line-numbers"}, screenshot.Options{Extras: screenshot.Extras{Input: "ansi"}}},
		{[]string{"--input=ansi", "--language=go"}, screenshot.Options{HideLineNumbers: true, Extras: screenshot.Extras{Input: "ansi"}}},
		{[]string{"--language=ansi"}, screenshot.Options{HideLineNumbers: true, Extras: screenshot.Extras{Input: "ansi"}}},
		{[]string{"--language=text"}, screenshot.Options{Language: "text"}},
	} {
		_, _, err := command(t, none, append([]string{"screenshot", source, "--scale=1"}, c.flags...)...)
		require.NoError(t, err)
		drawnAs(t, strings.TrimSuffix(source, ".txt")+".png", code, c.want)
	}
}

func TestScreenshot_diff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	source := filepath.Join(dir, "x.patch")
	const one, two = "--- a.go\n+++ a.go\n@@ -1 +1 @@\n-package a\n+package b\n", "--- b.py\n+++ b.py\n@@ -0,0 +1 @@\n+import os\n"
	require.NoError(t, os.WriteFile(source, []byte(one+two), 0o600))
	stdout, _, err := command(t, none, "screenshot", "--diff", source, "--scale=1")
	require.NoError(t, err)
	first, second := filepath.Join(dir, "x-1.png"), filepath.Join(dir, "x-2.png")
	assert.Equal(t, first+"\n"+second+"\n", stdout)
	configs, err := screenshot.FromPatch(one+two, screenshot.Options{})
	require.NoError(t, err)
	for i, file := range []string{first, second} {
		drawnAs(t, file, configs[i].Code, configs[i].Options())
	}
	_, _, err = command(t, none, "screenshot", "--diff", source, "-o", filepath.Join(dir, "one.png"))
	require.ErrorContains(t, err, "one.png names one file for the pictures of "+filepath.Join(dir, "x-1.patch")+" and "+filepath.Join(dir, "x-2.patch"))
	require.NoError(t, os.WriteFile(source, []byte("nothing"), 0o600))
	for _, flag := range []string{"--diff", "--input=patch"} {
		_, _, err = command(t, none, "screenshot", flag, source)
		assert.ErrorContains(t, err, source+": must be a patch that changes text")
		assert.Equal(t, exitUsage, report(err, io.Discard))
	}
}

func TestScreenshot_themeFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	source, theme := filepath.Join(dir, "a.go"), filepath.Join(dir, "mine.json")
	require.NoError(t, os.WriteFile(source, []byte("package a\n"), 0o600))
	require.NoError(t, os.WriteFile(theme, []byte(`{"colors": {"editor.background": "#123456", "editor.foreground": "#ffffff"}}`), 0o600))
	_, _, err := command(t, none, "screenshot", source, "--theme-file", theme, "--padding=0", "--border-radius=0", "--scale=1")
	require.NoError(t, err)
	f, err := os.Open(filepath.Join(dir, "a.png"))
	require.NoError(t, err)
	defer f.Close()
	m, err := png.Decode(f)
	require.NoError(t, err)
	assert.Equal(t, color.RGBA{0x12, 0x34, 0x56, 255}, m.At(2, 2))

	_, _, err = command(t, none, "screenshot", source, "--theme-file", source)
	assert.ErrorContains(t, err, "a.go")
	_, _, err = command(t, none, "serve", "--store=memory:", "--themes", filepath.Join(dir, "none"))
	assert.ErrorContains(t, err, "--themes")
}

func TestScreenshot_faults(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a command for each row, in one goroutine")
	}
	t.Parallel()
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	require.NoError(t, os.WriteFile(source, []byte("package main\n"), 0o600))
	huge := filepath.Join(dir, "huge.go")
	require.NoError(t, os.WriteFile(huge, bytes.Repeat([]byte("x\n"), 60_000), 0o600))
	hugest, empty := filepath.Join(dir, "hugest.go"), filepath.Join(dir, "empty.json")
	require.NoError(t, os.WriteFile(hugest, bytes.Repeat([]byte("x\n"), 200_000), 0o600))
	require.NoError(t, os.WriteFile(empty, []byte("{}"), 0o600))
	same, drawing, link := filepath.Join(dir, "main.py"), filepath.Join(dir, "drawing.svg"), filepath.Join(dir, "link.png")
	require.NoError(t, os.WriteFile(same, []byte("import os\n"), 0o600))
	require.NoError(t, os.WriteFile(drawing, []byte("<svg/>\n"), 0o600))
	require.NoError(t, os.Symlink(source, link))
	binary := filepath.Join(dir, "binary")
	require.NoError(t, os.WriteFile(binary, []byte("\x7fELF\xff\x00"), 0o600))
	for file, want := range map[string]int{source + ".none": exitFault, binary: exitUsage} {
		_, _, err := command(t, none, "screenshot", file)
		assert.Equal(t, want, report(err, io.Discard), file)
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"theme":                  {[]string{source, "--theme=neon"}, "dracula, monokai, github-dark, night-owl, synthwave, ocean"},
		"file":                   {[]string{source + ".none"}, "no such file"},
		"format":                 {[]string{source, "-o", "x.gif"}, "must end in .png"},
		"one output for several": {[]string{source, same, "-o", "x.png"}, "--output x.png names one file for the pictures of " + source + " and " + same},
		"names without endings":  {[]string{source, same}, "--output png names one file for the pictures of " + source + " and " + same + ": " + filepath.Join(dir, "main.png")},
		"the code itself":        {[]string{source, drawing, "-o", "svg"}, "--output svg would replace the code in " + drawing + " by its picture"},
		"the code as a link":     {[]string{source, "-o", link}, "--output " + link + " would replace the code in " + source},
		"range":                  {[]string{source, "--lines=9-3"}, "9-3"},
		"too long":               {[]string{huge}, "at most 50000"},
		"far too long":           {[]string{hugest}, "has more than 50000 characters"},
		"nothing":                {[]string{os.DevNull}, os.DevNull + " is empty"},
		"lines it lacks":         {[]string{source, "--lines=5-900"}, "main.go: --lines"},
		"language":               {[]string{source, "--language=klingon"}, `--language "klingon" is not known; see devkiln languages`},
		"a near language":        {[]string{source, "--language=pythn"}, `--language "pythn" is not known; did you mean "python"?`},
		"no font":                {[]string{source, "--fonts=nope"}, "--fonts: "},
		"no theme":               {[]string{source, "--theme-file=" + source}, `main.go": must be a VS Code (.json) or chroma (.xml) theme: `},
		"an empty theme":         {[]string{source, "--theme-file=" + empty}, "has no colors and no tokenColors"},
		"embedded in a WebP":     {[]string{source, "-o", "webp", "--embed=config"}, "--embed goes with PNG alone"},
		"scale":                  {[]string{source, "--scale=9"}, `--scale "9": must be 1 to 4`},
		"no number":              {[]string{source, "--scale=wide"}, `--scale "wide": must be a number from 1 to 4`},
		"all at once": {
			[]string{source + ".none", "--highlight=x", "--theme=drakula", "--wrap=5", "--scale=9", "--padding=999", "--title=" + strings.Repeat("x", 201)},
			`--highlight "x": must be a line or a range of lines such as 10-20, with numbers from 1 to 9999999; ` +
				`--theme "drakula": must be one of dracula, monokai, github-dark, night-owl, synthwave, ocean or another of devkiln themes; did you mean "dracula"?; ` +
				`--padding "999": must be 0 to 256; --title "` + strings.Repeat("x", 201) + `": has 201 characters, must have at most 200; --wrap "5": must be 10 to 1000; --scale "9": must be 1 to 4`,
		},
	} {
		_, _, err := command(t, none, append([]string{"screenshot"}, c.args...)...)
		code, text := reported(err)
		assert.Equal(t, name == "file", code == exitFault, name)
		assert.NotZero(t, code, name)
		assert.Contains(t, text, c.want, name)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 8, "nothing is left behind")
}

func TestScreenshot_fullDisk(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no full device")
	}
	file := filepath.Join(t.TempDir(), "x.png")
	require.NoError(t, os.Symlink("/dev/full", file))
	_, _, err := piped(t, none, "x", "screenshot", "-o", file)
	require.ErrorContains(t, err, "no space left on device")
	_, err = os.Lstat(file)
	assert.ErrorIs(t, err, os.ErrNotExist, "no half of a picture is left")
}
