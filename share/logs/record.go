package logs

import (
	"encoding/json"
	"strings"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/head"
)

// Record is a line of JSON split into columns. Its texts are as in the log,
// with strings unquoted.
type Record struct {
	Prefix  string // added before the line by a container runtime or a service
	Time    string
	Level   string
	Message string
	Fields  []Field // all other members, in order
}

// Field is one member of a [Record]. Value is the text of a string, or else
// JSON.
type Field struct {
	Name, Value string
}

// ParseRecord splits a line that is one JSON object into columns. The time, the
// level and the message are the first members whose names loggers use for them.
// It returns false for any other line.
func ParseRecord(line string) (Record, bool) {
	text := terminal.Text(line)
	brace := strings.IndexByte(text, '{')
	if brace < 0 || brace > maxHead {
		return Record{}, false
	}
	wrapper := len(text) - len(new(head.Reader).Unwrap([]byte(text)))
	if wrapper+ascii.SkipSpace([]byte(text[wrapper:]), 0) != brace {
		return Record{}, false
	}
	r := Record{Prefix: text[:brace]}
	d := json.NewDecoder(strings.NewReader(text[brace:]))
	_, err := d.Token()
	for err == nil && d.More() {
		var name json.Token
		var value json.RawMessage
		if name, err = d.Token(); err == nil {
			err = d.Decode(&value)
		}
		if err == nil {
			r.add(name.(string), value)
		}
	}
	if err != nil {
		return Record{}, false
	}
	end, err := d.Token()
	return r, err == nil && end == json.Delim('}') && strings.TrimSpace(text[brace+int(d.InputOffset()):]) == ""
}

// add stores a member in its column, or in Fields.
func (r *Record) add(name string, value json.RawMessage) {
	text := string(value)
	var quoted string
	if json.Unmarshal(value, &quoted) == nil && text != "null" {
		text = quoted
	}
	column := (*string)(nil)
	switch meaning := head.KeyOf([]byte(name)); {
	case meaning.IsLevel():
		column = &r.Level
	case meaning.IsTime():
		column = &r.Time
	case meaning.IsMessage() && value[0] == '"':
		column = &r.Message
	}
	if column == nil || *column != "" {
		r.Fields = append(r.Fields, Field{name, text})
		return
	}
	*column = text
}
