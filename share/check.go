package share

import (
	"fmt"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/share/seal"
)

// checkContent returns an error unless text is 1 to limit code points of valid
// UTF-8, or the sealed form of such a text if encrypted is set.
func checkContent(field, text string, limit int, encrypted bool) error {
	switch {
	case text == "":
		return &invalid.Fault{Field: field, Reason: "too_short", Message: "must not be empty"}
	case encrypted && !seal.Valid(text):
		return &invalid.Fault{Field: field, Reason: "invalid_format", Message: "is not encrypted as Devkiln does it"}
	case encrypted:
		limit = seal.MaxLength(limit)
	}
	return checkText(field, text, limit)
}

// titleLimit returns the maximum length of a title in code points.
func titleLimit(limit int, encrypted bool) int {
	if encrypted {
		return 0
	}
	return limit
}

// checkText is checkContent for an unencrypted text that may be empty.
func checkText(field, text string, limit int) error {
	if !utf8.ValidString(text) {
		return &invalid.Fault{Field: field, Reason: "invalid_format", Message: "must be valid UTF-8"}
	}
	if len(text) <= limit {
		return nil
	}
	if n := utf8.RuneCountInString(text); n > limit {
		return &invalid.Fault{Field: field, Reason: "too_long", Message: fmt.Sprintf("has %d characters, must have at most %d", n, limit)}
	}
	return nil
}
