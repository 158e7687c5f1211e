// Package optiontest checks a table of options against the operation that has
// them.
package optiontest

import (
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/option"
)

// Run checks that every exported field of O, but for those in except, has a row
// with an example; that the example can be read back, is valid and changes what
// effect returns for it; and that validate refuses numbers outside the range.
func Run[O any](t *testing.T, table option.Table[O], validate func(O) error, effect func(O) string, except ...string) {
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
