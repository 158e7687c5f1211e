package export_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/gradient/export"
)

// Each case is a gradient in one format: its text or its error. Tests in
// internal/e2e compare what the texts paint with Chromium.
func TestWrite_formats(t *testing.T) {
	data, err := os.ReadFile("testdata/formats.json")
	require.NoError(t, err)
	var cases []struct{ CSS, Format, Text, Error string }
	require.NoError(t, json.Unmarshal(data, &cases))
	seen := make(map[string]bool)
	for _, c := range cases {
		g, err := gradient.Parse(c.CSS)
		require.NoError(t, err)
		var b strings.Builder
		err = export.Write(&b, g, c.Format, export.Options{Name: "kiln-glow", Width: 200, Height: 100})
		if c.Error != "" {
			assert.EqualError(t, err, c.Error, c.CSS)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.Text+"\n", b.String())
		seen[c.Format] = true
	}
	assert.Len(t, seen, len(export.Formats()))
}

func TestWrite_refusesOptions(t *testing.T) {
	g, err := gradient.New([]string{"#ff0000", "#0000ff"}, gradient.Options{})
	require.NoError(t, err)
	var b strings.Builder
	err = export.Write(&b, g, "scss", export.Options{Name: "a b", Width: -1, Height: 1 << 22, MaxError: 99})
	require.EqualError(t, err, strings.Join([]string{
		"format: must be one of " + strings.Join(export.FormatNames(), ", "),
		"name: must be a letter, then letters, digits and hyphens, at most 64",
		"width: must be from 1 to 2097152 pixels",
		"height: must be from 1 to 2097152 pixels",
		"maxError: must be from 0.75 to 64",
	}, "\n"))
	for format, name := range map[string]string{"swiftui": "default", "compose": "object", "flutter": "const"} {
		err := export.Write(&b, g, format, export.Options{Name: name})
		require.EqualError(t, err, "name: must not be "+name+", which is a reserved word")
	}
	require.Empty(t, b.String())
	require.NoError(t, export.Write(&b, g, "json", export.Options{Name: "default"}))
	for _, name := range export.FormatNames() {
		require.NoError(t, export.Write(&b, gradient.Gradient{}, name, export.Options{}), name)
	}
}

func ExampleWrite() {
	g, err := gradient.New([]string{"#ff7e5f", "#feb47b"}, gradient.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := export.Write(os.Stdout, g, "compose", export.Options{Name: "sunset"}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// val sunset = Brush.linearGradient(
	//     0f to Color(0xFFFF7E5F),
	//     1f to Color(0xFFFEB47B),
	//     start = Offset(0f, 150f),
	//     end = Offset(400f, 150f),
	// )
}

func ExampleFormatNames() {
	fmt.Println(strings.Join(export.FormatNames(), " "))
	// Output: css css-fallback tailwind4 swiftui compose flutter android-xml svg json
}

func ExampleFormats() {
	for _, f := range export.Formats()[:3] {
		fmt.Println(f.Name, f.Language, f.Error, f.About)
	}
	fmt.Println(len(export.FormatNames()))
	// Output:
	// css css 0 a declaration for any element
	// css-fallback css 3 declarations for any element, with prefixes and plain stops for old browsers
	// tailwind4 text 0 a class for any element
	// 9
}
