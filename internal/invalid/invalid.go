// Package invalid holds the error for an invalid input. Packages that know
// nothing of each other return it, and [Of] extracts it for display.
package invalid

import (
	"errors"
	"fmt"
	"strings"
)

// Fault describes what is wrong with one input of an operation. If several are
// wrong, the error of the operation unwraps to a Fault for each. Callers of
// Devkiln, who cannot name this type, list them with InvalidFields of the root
// package.
type Fault struct {
	Field   string `json:"field"`   // the name of the input in the HTTP API, such as "title"
	Reason  string `json:"code"`    // one word for programs, such as "too_long"
	Message string `json:"message"` // description of the fault and the allowed range, for people
}

// Error returns the field and the message.
func (e *Fault) Error() string { return e.Field + ": " + e.Message }

// Invalid returns the field and the reason.
func (e *Fault) Invalid() (field, reason string) { return e.Field, e.Reason }

// Faults collects the faults of the inputs of an operation.
type Faults []*Fault

// Add adds a [Fault].
func (f *Faults) Add(field, reason, message string) {
	*f = append(*f, &Fault{Field: field, Reason: reason, Message: message})
}

// Addf adds a [Fault] with a message formatted as by fmt.Sprintf.
func (f *Faults) Addf(field, reason, format string, args ...any) {
	f.Add(field, reason, fmt.Sprintf(format, args...))
}

// Err returns the faults as one error, or nil if there are none.
func (f Faults) Err() error {
	errs := make([]error, len(f))
	for i, e := range f {
		errs[i] = e
	}
	return errors.Join(errs...)
}

// With returns f and those faults of more whose field is not in f, nor the
// array that it is an element of.
func (f Faults) With(more Faults) Faults {
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

// Of returns the faults in a tree of joined and wrapped errors, and the first
// error in it that is not a Fault.
func Of(err error) (faults Faults, other error) {
	switch node := any(err).(type) {
	case nil:
	case *Fault:
		return Faults{node}, nil
	case interface{ Unwrap() []error }:
		for _, e := range node.Unwrap() {
			some, rest := Of(e)
			faults = append(faults, some...)
			if other == nil {
				other = rest
			}
		}
	case interface{ Unwrap() error }:
		if faults, other = Of(node.Unwrap()); other != nil || len(faults) == 0 {
			other = err
		}
	default:
		other = err
	}
	return faults, other
}
