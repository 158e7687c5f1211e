package gradient

import (
	"errors"
	"strconv"
)

// OptionError says which option cannot be used, and why.
type OptionError struct {
	Field   string // the wire's name, such as colors[2]
	Reason  string // a word for machines, such as out_of_range
	Message string // for a person, without the field
}

func (e *OptionError) Error() string { return e.Field + ": " + e.Message }

// Invalid returns the field and the reason as a machine reads them.
func (e *OptionError) Invalid() (field, reason string) { return e.Field, e.Reason }

// faults collects every fault of the options.
type faults []error

func (f *faults) add(field, reason, message string) {
	*f = append(*f, &OptionError{Field: field, Reason: reason, Message: message})
}

func (f faults) err() error { return errors.Join(f...) }

// ParseError says where CSS text stops making sense.
type ParseError struct {
	Offset   int    // in bytes from the start of the text
	Expected string // what could have stood there, such as "a color"
	Found    string // the beginning of what stands there, empty at the end
}

func (e *ParseError) Error() string {
	found := "the end"
	if e.Found != "" {
		found = strconv.Quote(e.Found)
	}
	return "offset " + strconv.Itoa(e.Offset) + ": expected " + e.Expected + ", found " + found
}

// maxFound is how many bytes of the text a ParseError repeats at most.
const maxFound = 24

func parseErrorAt(s string, offset int, expected string) *ParseError {
	found := s[offset:]
	if len(found) > maxFound {
		found = found[:maxFound]
	}
	return &ParseError{Offset: offset, Expected: expected, Found: found}
}
