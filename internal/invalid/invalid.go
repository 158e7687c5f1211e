// Package invalid holds the error for an input that cannot be used. Packages
// that know nothing of each other return it, and those who show it to people
// match it by its method.
package invalid

import (
	"errors"
	"fmt"
)

// Input says what is wrong with one input of an operation. When several are
// wrong, the operation joins an Input for each with errors.Join.
type Input struct {
	Field   string // the name of the input in the HTTP API, such as "title"
	Reason  string // one word for programs, such as "too_long"
	Message string // the fault and the allowed range, for people
}

// Error returns the field and the message.
func (e *Input) Error() string { return e.Field + ": " + e.Message }

// Invalid returns the field and the reason.
func (e *Input) Invalid() (field, reason string) { return e.Field, e.Reason }

// Inputs collects what is wrong with the inputs of an operation.
type Inputs []error

// Add adds an [Input].
func (f *Inputs) Add(field, reason, message string) {
	*f = append(*f, &Input{Field: field, Reason: reason, Message: message})
}

// Addf adds an [Input] with a message as fmt.Sprintf makes it.
func (f *Inputs) Addf(field, reason, format string, args ...any) {
	f.Add(field, reason, fmt.Sprintf(format, args...))
}

// Err joins what was added; it is nil for nothing.
func (f Inputs) Err() error { return errors.Join(f...) }
