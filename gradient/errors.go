package gradient

import "strconv"

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
