package invalid_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/devkiln/devkiln/internal/invalid"
)

func TestOf(t *testing.T) {
	a, b := &invalid.Fault{Field: "a", Reason: "too_long", Message: "is long"}, &invalid.Fault{Field: "b[1]", Reason: "required", Message: "is required"}
	wrapped := fmt.Errorf("reading: %w", io.EOF)
	for name, c := range map[string]struct {
		err    error
		faults invalid.Faults
		other  error
	}{
		"no error":      {nil, nil, nil},
		"one":           {a, invalid.Faults{a}, nil},
		"wrapped":       {fmt.Errorf("config: %w", a), invalid.Faults{a}, nil},
		"joined":        {errors.Join(a, errors.Join(b)), invalid.Faults{a, b}, nil},
		"another":       {io.EOF, nil, io.EOF},
		"another below": {wrapped, nil, wrapped},
		"both":          {errors.Join(a, io.EOF, b), invalid.Faults{a, b}, io.EOF},
	} {
		faults, other := invalid.Of(c.err)
		assert.Equal(t, c.faults, faults, name)
		assert.Equal(t, c.other, other, name)
	}
}

// A field that f reports is not reported again, nor are the elements of such an
// array.
func TestInputs_With(t *testing.T) {
	input := func(field string) *invalid.Fault { return &invalid.Fault{Field: field} }
	first := invalid.Faults{input("title"), input("colors"), input("urls[1]")}
	more := invalid.Faults{input("title"), input("colors[2]"), input("urls[1]"), input("urls[2]"), input("stops")}
	assert.Equal(t, invalid.Faults{input("title"), input("colors"), input("urls[1]"), input("urls[2]"), input("stops")}, first.With(more))
}
