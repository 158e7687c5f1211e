// Package fault reads what the errors of all operations have in common: which
// field is at fault, and why.
package fault

import "strings"

// A Fault is what is wrong with one field.
type Fault struct {
	Field   string `json:"field"`   // such as "colors[2]"
	Code    string `json:"code"`    // such as "out_of_range"
	Message string `json:"message"` // for people, without the field
}

// Error returns the field and the message.
func (f Fault) Error() string { return f.Field + ": " + f.Message }

// Invalid makes a Fault itself an error of the kind that [Of] finds.
func (f Fault) Invalid() (field, reason string) { return f.Field, f.Code }

// List is faults as one error.
type List []Fault

// Error returns the faults, joined by semicolons.
func (l List) Error() string {
	parts := make([]string, len(l))
	for i, f := range l {
		parts[i] = f.Error()
	}
	return strings.Join(parts, "; ")
}

// Unwrap returns the faults.
func (l List) Unwrap() []error {
	all := make([]error, len(l))
	for i, f := range l {
		all[i] = f
	}
	return all
}

// With appends the faults of fields that are not at fault already, nor the
// arrays that they are elements of.
func (l List) With(more []Fault) List {
	seen := make(map[string]bool, len(l))
	for _, f := range l {
		seen[f.Field] = true
	}
	for _, f := range more {
		array, _, _ := strings.Cut(f.Field, "[")
		if !seen[f.Field] && !seen[array] {
			l = append(l, f)
		}
	}
	return l
}

// invalid is an error of an option. Its Error is the field, a colon, a space
// and a message.
type invalid interface {
	error
	Invalid() (field, reason string)
}

// Of returns the faults of fields in a tree of joined and wrapped errors, and
// the first error in it that is something else.
func Of(err error) (faults []Fault, other error) {
	switch node := any(err).(type) {
	case nil:
	case invalid:
		field, reason := node.Invalid()
		return []Fault{{field, reason, strings.TrimPrefix(node.Error(), field+": ")}}, nil
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
