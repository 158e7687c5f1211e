package language

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
)

// looksLikeJSON reports whether s is a JSON object or array, or a sequence of
// them, as in JSON lines. Empty ones count; a bare string or number does not.
// If cut is set, s is the start of a longer text and may end anywhere.
func looksLikeJSON(s string, cut bool) bool {
	d := json.NewDecoder(strings.NewReader(s))
	for values := 0; ; values++ {
		var value json.RawMessage
		err := d.Decode(&value)
		switch {
		case errors.Is(err, io.EOF):
			return values > 0
		case errors.Is(err, io.ErrUnexpectedEOF):
			return cut
		case err != nil || value[0] != '{' && value[0] != '[':
			return false
		}
	}
}

// jsonStart matches the start of an object or array that may be incomplete.
var jsonStart = regexp.MustCompile(`^[\[\s]*\{\s*"|^\[\s*[\[{]`)

// fromTable returns [Text] for rows with equally many cells, three or more, and
// no characters that are common in code.
func fromTable(s string) string {
	s = s[:strings.LastIndexByte(s, '\n')+1]
	rows, err := csv.NewReader(strings.NewReader(s)).ReadAll()
	if err != nil || len(rows) < 2 || len(rows[0]) < 3 || strings.Contains(s, ",\n") || strings.ContainsAny(s, "(){}=;<>") {
		return ""
	}
	return Text
}
