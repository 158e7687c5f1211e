package share

import (
	"fmt"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/invalid"
)

// checkContent returns an error unless text is 1 to limit code points of
// valid UTF-8.
func checkContent(field, text string, limit int) error {
	if text == "" {
		return &invalid.Input{Field: field, Reason: "too_short", Message: "must not be empty"}
	}
	return checkText(field, text, limit)
}

// checkText is checkContent for a text that may be empty.
func checkText(field, text string, limit int) error {
	if !utf8.ValidString(text) {
		return &invalid.Input{Field: field, Reason: "invalid_format", Message: "must be valid UTF-8"}
	}
	if len(text) <= limit {
		return nil
	}
	if n := utf8.RuneCountInString(text); n > limit {
		return &invalid.Input{Field: field, Reason: "too_long", Message: fmt.Sprintf("has %d characters, must have at most %d", n, limit)}
	}
	return nil
}
