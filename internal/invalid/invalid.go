// Package invalid holds the error for an invalid input. Packages that know
// nothing of each other return it, and [Of] extracts it for display.
package invalid

import (
	"errors"
	"fmt"
	"strings"
)

// Input describes what is wrong with one input of an operation. If several are
// wrong, the operation joins an Input for each with errors.Join.
type Input struct {
	Field   string `json:"field"`   // the name of the input in the HTTP API, such as "title"
	Reason  string `json:"code"`    // one word for programs, such as "too_long"
	Message string `json:"message"` // description of the fault and the allowed range, for people
}

// Error returns the field and the message.
func (e *Input) Error() string { return e.Field + ": " + e.Message }

// Invalid returns the field and the reason.
func (e *Input) Invalid() (field, reason string) { return e.Field, e.Reason }

// Inputs collects the invalid inputs of an operation.
type Inputs []*Input

// Add adds an [Input].
func (f *Inputs) Add(field, reason, message string) {
	*f = append(*f, &Input{Field: field, Reason: reason, Message: message})
}

// Addf adds an [Input] with a message formatted as by fmt.Sprintf.
func (f *Inputs) Addf(field, reason, format string, args ...any) {
	f.Add(field, reason, fmt.Sprintf(format, args...))
}

// Err returns the inputs joined, or nil if there are none.
func (f Inputs) Err() error {
	errs := make([]error, len(f))
	for i, e := range f {
		errs[i] = e
	}
	return errors.Join(errs...)
}

// With returns f and those inputs of more whose field is not in f, nor the
// array that it is an element of.
func (f Inputs) With(more Inputs) Inputs {
	seen := make(map[string]bool, len(f))
	for _, e := range f {
		seen[e.Field] = true
	}
	for _, e := range more {
		array, _, _ := strings.Cut(e.Field, "[")
		if !seen[e.Field] && !seen[array] {
			f = append(f, e)
		}
	}
	return f
}

// Of returns the inputs in a tree of joined and wrapped errors, and the first
// error in it that is not an Input.
func Of(err error) (inputs Inputs, other error) {
	switch node := any(err).(type) {
	case nil:
	case *Input:
		return Inputs{node}, nil
	case interface{ Unwrap() []error }:
		for _, e := range node.Unwrap() {
			some, rest := Of(e)
			inputs = append(inputs, some...)
			if other == nil {
				other = rest
			}
		}
	case interface{ Unwrap() error }:
		if inputs, other = Of(node.Unwrap()); other != nil || len(inputs) == 0 {
			other = err
		}
	default:
		other = err
	}
	return inputs, other
}
