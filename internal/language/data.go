package language

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
)

// looksLikeJSON reports whether s is one JSON object or array, or several of
// them one after the other, as in JSON lines. When cut is set, s is the head of
// a longer text and may end anywhere. An empty array or object is JSON too; a
// bare string or number is not taken for it.
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

// jsonStart is how an object or an array of values begins that is not whole.
var jsonStart = regexp.MustCompile(`^[\[\s]*\{\s*"|^\[\s*[\[{]`)

// fromTable returns [Text] for lines that have one number of cells, three or more,
// and no sign that is common in code.
func fromTable(s string) string {
	s = s[:strings.LastIndexByte(s, '\n')+1]
	rows, err := csv.NewReader(strings.NewReader(s)).ReadAll()
	if err != nil || len(rows) < 2 || len(rows[0]) < 3 || strings.Contains(s, ",\n") || strings.ContainsAny(s, "(){}=;<>") {
		return ""
	}
	return Text
}
