package share

import (
	"fmt"
	"unicode/utf8"
)

// OptionError says what is wrong with one input of an operation. When several
// are wrong, the operation returns an OptionError for each, joined with
// errors.Join.
type OptionError struct {
	Field   string // the name of the input in the HTTP API, such as "title"
	Reason  string // one word for programs, such as "too_long"
	Message string // the fault and the allowed range, for people
}

// Error returns the field and the message.
func (e *OptionError) Error() string { return e.Field + ": " + e.Message }

// Invalid returns the field and the reason.
func (e *OptionError) Invalid() (field, reason string) { return e.Field, e.Reason }

// checkContent returns an error unless text is 1 to limit code points of
// valid UTF-8.
func checkContent(field, text string, limit int) error {
	if text == "" {
		return &OptionError{field, "too_short", "must not be empty"}
	}
	return checkText(field, text, limit)
}

// checkText is checkContent for a text that may be empty.
func checkText(field, text string, limit int) error {
	if !utf8.ValidString(text) {
		return &OptionError{field, "invalid_format", "must be valid UTF-8"}
	}
	if len(text) <= limit {
		return nil
	}
	if n := utf8.RuneCountInString(text); n > limit {
		return &OptionError{field, "too_long", fmt.Sprintf("has %d characters, must have at most %d", n, limit)}
	}
	return nil
}
