package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/devkiln/devkiln/httpapi/internal/fault"
)

func TestOf(t *testing.T) {
	a, b := fault.Fault{Field: "a", Code: "too_long", Message: "is long"}, fault.Fault{Field: "b[1]", Code: "required", Message: "is required"}
	wrapped := fmt.Errorf("reading: %w", io.EOF)
	for name, c := range map[string]struct {
		err    error
		faults []fault.Fault
		other  error
	}{
		"no error":      {nil, nil, nil},
		"one":           {a, []fault.Fault{a}, nil},
		"wrapped":       {fmt.Errorf("config: %w", a), []fault.Fault{a}, nil},
		"joined":        {errors.Join(a, errors.Join(b)), []fault.Fault{a, b}, nil},
		"another":       {io.EOF, nil, io.EOF},
		"another below": {wrapped, nil, wrapped},
		"both":          {errors.Join(a, io.EOF, b), []fault.Fault{a, b}, io.EOF},
	} {
		faults, other := fault.Of(c.err)
		assert.Equal(t, c.faults, faults, name)
		assert.Equal(t, c.other, other, name)
	}
}
