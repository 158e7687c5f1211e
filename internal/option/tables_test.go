package option_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/slugify"
	"github.com/devkiln/devkiln/store"
)

// checkTable checks that every exported field of O, but for those in except, has a row
// with an example; that the example can be read back, is valid and changes what
// effect returns for it; and that validate refuses numbers outside the range.
func checkTable[O any](t *testing.T, table option.Table[O], validate func(O) error, effect func(O) string, except ...string) {
	t.Helper()
	all := new(O)
	var rows []uintptr
	for _, r := range table {
		rows = append(rows, reflect.ValueOf(r.Field(all)).Pointer())
		t.Run(r.Name, func(t *testing.T) {
			var o O
			require.NotEmpty(t, r.Doc)
			require.NotEmpty(t, r.Example)
			require.NoError(t, r.Set(&o, r.Example))
			text, changed := r.Text(&o)
			assert.True(t, changed, "the example is the default")
			var again O
			require.NoError(t, r.Set(&again, text))
			assert.Equal(t, o, again)
			require.NoError(t, validate(o))
			var zero O
			assert.NotEqual(t, effect(zero), effect(o), "%s has no effect", r.Name)
			checkBounds(t, r, validate)
		})
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[O]()) {
		if f.IsExported() && !f.Anonymous && !slices.Contains(except, f.Name) {
			assert.Contains(t, rows, reflect.ValueOf(all).Elem().FieldByIndex(f.Index).Addr().Pointer(), "%s has no row", f.Name)
		}
	}
}

// checkBounds checks that a number outside the range of an option is refused by
// its name.
func checkBounds[O any](t *testing.T, r option.Option[O], validate func(O) error) {
	t.Helper()
	beyond := []float64{r.Min - 1, r.Max + 1}
	if r.Max == 0 {
		beyond = beyond[:1]
	}
	if r.Kind != option.Integer && r.Kind != option.Number {
		return
	}
	for _, n := range beyond {
		var o O
		err := r.Set(&o, strconv.FormatFloat(n, 'f', -1, 64))
		if err == nil {
			err = validate(o)
		}
		faults, other := invalid.Of(err)
		require.NoError(t, other)
		if assert.Len(t, faults, 1, "%s: %v is accepted", r.Name, n) {
			assert.Equal(t, r.Name, faults[0].Field)
		}
	}
}

func TestOf_gradient(t *testing.T) {
	colors := []string{"#ff7e5f", "#3060c0"}
	validate := func(o gradient.Options) error {
		_, err := gradient.New(colors, o)
		return err
	}
	// An option may have an effect only in some kinds and spaces.
	effect := func(o gradient.Options) string {
		var all []string
		for _, kind := range []gradient.Kind{o.Kind, gradient.Radial} {
			for _, space := range []gradient.Space{o.Space, gradient.OKLCH} {
				o.Kind, o.Space = kind, space
				g, err := gradient.New(colors, o)
				require.NoError(t, err)
				all = append(all, g.CSS())
			}
		}
		return strings.Join(all, "\n")
	}
	checkTable(t, option.Of[gradient.Options](), validate, effect, "CSSColors")
}

func TestOf_slugify(t *testing.T) {
	checkTable(t, option.Of[slugify.Options](), slugify.Options.Validate, func(o slugify.Options) string {
		var slugs []string
		for _, text := range []string{"Die Größe of parseHTML, v1.5 in C++ 🎉 für Привет " + strings.Repeat("long ", 20), "?!"} {
			slug, err := slugify.Make(text, o)
			slugs = append(slugs, slug)
			if err != nil {
				return err.Error()
			}
		}
		return strings.Join(slugs, "\n")
	})
}

func TestOf_log(t *testing.T) {
	s, err := share.New(store.NewMemory(), share.Options{})
	require.NoError(t, err)
	validate := func(o share.LogOptions) error { return o.Validate("{}") }
	checkTable(t, option.Of[share.LogOptions](), validate, func(o share.LogOptions) string {
		text := "{}"
		if o.Format == "" {
			text = "text"
		}
		log, err := s.CreateLog(t.Context(), text, o)
		require.NoError(t, err)
		return fmt.Sprint(log.Title, log.Format, log.Expires.Sub(log.Created))
	}, "Stats", "Owner", "Mask", "Burn", "FitEnds", "Encrypted", "MaxExpiry", "IdempotencyKey")
}

func TestOf_snippet(t *testing.T) {
	s, err := share.New(store.NewMemory(), share.Options{})
	require.NoError(t, err)
	validate := func(o share.SnippetOptions) error { return o.Validate("x") }
	checkTable(t, option.Of[share.SnippetOptions](), validate, func(o share.SnippetOptions) string {
		snippet, err := s.CreateSnippet(t.Context(), "x", o)
		require.NoError(t, err)
		return fmt.Sprint(snippet.Title, snippet.Language, snippet.Expires.Sub(snippet.Created))
	}, "Owner", "Burn", "Encrypted", "MaxExpiry", "IdempotencyKey")
}

// Every option that can be text has a row, and every row an effect.
func TestOf_screenshot(t *testing.T) {
	if testing.Short() {
		t.Skip("draws a picture for each option")
	}
	fonts, err := screenshot.LoadFonts("../../screenshot/testdata/fonts/arabic.ttf")
	require.NoError(t, err)
	code := strings.Repeat("if\tx => 1 { // \x1b[31mred and a line that is longer than eighty columns, so that it wraps there\n", 24)
	drawn := func(o screenshot.Options) (string, error) {
		o.Fonts = fonts
		config, err := screenshot.New(code, o)
		if err != nil {
			return "", err
		}
		var file bytes.Buffer
		err = config.WritePNG(t.Context(), &file, 1)
		return file.String(), err
	}
	validate := func(o screenshot.Options) error {
		o.Fonts = fonts
		_, err := screenshot.New("x", o)
		return err
	}
	effect := func(o screenshot.Options) string {
		file, err := drawn(o)
		require.NoError(t, err)
		return file
	}
	checkTable(t, option.Of[screenshot.Options](), validate, effect, "Tints", "Themes", "Fonts", "Workers")
}
