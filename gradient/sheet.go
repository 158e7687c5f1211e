package gradient

import (
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/internal/invalid"
)

// MaxSheet is the longest style sheet that [Scan] reads, in bytes.
const MaxSheet = 16 << 20

// ScanOptions says how to read the gradients of a style sheet.
type ScanOptions struct {
	// Box is what gradients are painted into, for those with lengths. Nil leaves
	// these unread.
	Box *Box
}

// Found is a gradient of a style sheet.
type Found struct {
	Offset       int // of its first byte, from 0
	Line, Column int // from 1, columns in bytes
	Text         string
	Gradient     Gradient
	Err          error // a [*ParseError] if it could not be read, its offset that in Text
}

// gradientName finds what could be the name of a gradient function, and what may
// hold such a name without being one: comments, strings and addresses.
var gradientName = regexp.MustCompile(`(?is)/\*.*?(?:\*/|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|url\([^)]*\)?|[\w-]*gradient\(`)

// Scan finds every gradient of a style sheet, in the order of the text and the
// readable ones as [Parse] returns them. Comments, strings and url() are passed
// over. The error is one of r, joins those of [ParseIn] for the box, or is an
// option error for the field sheet if it is longer than [MaxSheet].
func Scan(r io.Reader, o ScanOptions) ([]Found, error) {
	if o.Box != nil {
		if err := o.Box.check(); err != nil {
			return nil, err
		}
	}
	data, err := io.ReadAll(io.LimitReader(r, MaxSheet+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxSheet {
		return nil, &invalid.Input{Field: "sheet", Reason: "too_long", Message: "must have at most " + strconv.Itoa(MaxSheet) + " bytes"}
	}
	var all []Found
	sheet := string(data)
	line, lineStart, counted, end := 1, 0, 0, 0
	for _, at := range gradientName.FindAllStringIndex(sheet, -1) {
		start, open := at[0], at[1]
		if start < end || !strings.HasSuffix(strings.ToLower(sheet[start:open]), "gradient(") {
			continue
		}
		line += strings.Count(sheet[counted:start], "\n")
		if last := strings.LastIndexByte(sheet[counted:start], '\n'); last >= 0 {
			lineStart = counted + last + 1
		}
		counted, end = start, closing(sheet, open)
		f := Found{Offset: start, Line: line, Column: start - lineStart + 1, Text: sheet[start:end]}
		f.Gradient, f.Err = parse(f.Text, o.Box)
		all = append(all, f)
	}
	return all, nil
}

// closing returns where the parenthesis that opens before i is closed, the end
// of what [Parse] would read, or of the text.
func closing(s string, i int) int {
	limit := min(len(s), i+maxText+1)
	for depth := 1; i < limit; i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return limit
}
