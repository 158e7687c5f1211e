// Package invalid holds the error for an invalid input. Packages that know
// nothing of each other return it, and [Of] extracts it for display.
package invalid

import (
	"errors"
	"fmt"
	"strings"
)

// Input describes what is wrong with one input of an operation. If several are
// wrong, the error of the operation unwraps to an Input for each. Callers of
// Devkiln, who cannot name these types, list them by a method of either:
//
//	if e, ok := errors.AsType[interface {
//		error
//		InvalidFields() map[string]string // messages by field
//	}](err); ok { … }
type Input struct {
	Field   string `json:"field"`   // the name of the input in the HTTP API, such as "title"
	Reason  string `json:"code"`    // one word for programs, such as "too_long"
	Message string `json:"message"` // description of the fault and the allowed range, for people
}

// Error returns the field and the message.
func (e *Input) Error() string { return e.Field + ": " + e.Message }

// Invalid returns the field and the reason.
func (e *Input) Invalid() (field, reason string) { return e.Field, e.Reason }

// InvalidFields returns the message of the field.
func (e *Input) InvalidFields() map[string]string { return map[string]string{e.Field: e.Message} }

// list is the error for several inputs.
type list []*Input

// Error returns the errors, one on each line.
func (l list) Error() string { return errors.Join(l.Unwrap()...).Error() }

// Unwrap returns the errors of the inputs.
func (l list) Unwrap() []error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errs
}

// InvalidFields returns the message of each field.
func (l list) InvalidFields() map[string]string {
	fields := make(map[string]string, len(l))
	for _, e := range l {
		fields[e.Field] = e.Message
	}
	return fields
}

// Join is [errors.Join], except that callers can list all invalid inputs of the
// error by its method InvalidFields if errs have nothing else.
func Join(errs ...error) error {
	joined := errors.Join(errs...)
	if inputs, other := Of(joined); other == nil {
		return inputs.Err()
	}
	return joined
}

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

// Err returns the inputs as one error, or nil if there are none.
func (f Inputs) Err() error {
	if len(f) == 0 {
		return nil
	}
	return list(f)
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
