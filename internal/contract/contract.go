// Package contract plays cases of the HTTP API that are kept as data.
//
// A case is a server and a conversation with it. Cases stand in JSON files, an
// array in each; a new case needs no Go. Field by field:
//
//	name      what the case shows; unique in its file
//	server    settings that differ from the default, see Server
//	steps     the conversation, in order, see Step
//
// In what is sent, {"$repeat": ["text", 3]} stands for "texttexttext". In what
// is expected, a string that starts with $ matches by kind: "$id", "$requestId",
// "$re <pattern>", and "$any", which every value matches. ${name} anywhere in a
// string is what an earlier step saved under that name.
package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
)

// Case is one conversation.
type Case struct {
	File   string `json:"-"`
	Name   string `json:"name"`
	Server Server `json:"server"`
	Steps  []Step `json:"steps"`
}

// Server is what of a server's settings a case may choose.
type Server struct {
	PerMinute      *int     `json:"perMinute"` // 100 unless told; 0 is off
	PerDay         *int     `json:"perDay"`    // 10,000 unless told; 0 is off
	BaseURL        string   `json:"baseUrl"`
	TrustedProxies []string `json:"trustedProxies"`
	CORSOrigins    []string `json:"corsOrigins"`
	Broken         string   `json:"broken"`   // a store that cannot create or get: "store" is unavailable, "unforeseen" fails otherwise, "panic" panics
	Leaving        bool     `json:"leaving"`  // the service will soon stop
	Draining       bool     `json:"draining"` // the service takes no more work
}

// Step is one request and the response that must come.
type Step struct {
	After   Duration          `json:"after"`   // how much time passes before
	Times   int               `json:"times"`   // how often the step is played; 1 unless told
	Method  string            `json:"method"`  // POST unless told
	Path    string            `json:"path"`    // with the query
	Key     string            `json:"key"`     // alice unless told; bob, carol, carol's laptop and dave of users, sharing, reading and tools with that scope, narrow with 2 a minute and 2h; static, expired, revoked, unknown, none, or = and the text itself
	Headers map[string]string `json:"headers"` // Content-Type is application/json unless told; "" sends none
	Body    json.RawMessage   `json:"body"`    // the body, as JSON
	Raw     *string           `json:"raw"`     // or the body as it is
	Base64  *[]byte           `json:"base64"`  // or the body in base64, for what JSON cannot hold
	PadTo   int               `json:"padTo"`   // spaces are added behind the body up to this length

	Status      int               `json:"status"`
	WantHeaders map[string]string `json:"wantHeaders"` // "" means: must be absent
	Want        json.RawMessage   `json:"want"`        // the whole response; $repeat works here too
	WantText    *string           `json:"wantText"`    // or the whole response, if it is not JSON
	Save        []string          `json:"save"`        // fields of the response to remember
}

// Duration is a time.Duration that reads "90s" in JSON.
type Duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	*d = Duration(parsed)
	return err
}

// Load reads all cases of the files in a folder. A field that is not known, a
// name that stands twice or a step that expects nothing is an error.
func Load(dir string) ([]Case, error) {
	files, err := fs.Glob(os.DirFS(dir), "*.json")
	if err != nil {
		return nil, err
	}
	var all []Case
	for _, file := range files {
		cases, err := load(dir, file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, cases...)
	}
	return all, nil
}

func load(dir, file string) ([]Case, error) {
	data, err := os.ReadFile(dir + "/" + file)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var cases []Case
	if err := d.Decode(&cases); err != nil {
		return nil, err
	}
	names := make(map[string]bool)
	for i := range cases {
		c := &cases[i]
		c.File = strings.TrimSuffix(file, ".json")
		if c.Name == "" || names[c.Name] || len(c.Steps) == 0 {
			return nil, fmt.Errorf("case %d, %q, needs a name of its own and steps", i, c.Name)
		}
		names[c.Name] = true
		for j, s := range c.Steps {
			if s.Status == 0 || (s.Want == nil) == (s.WantText == nil) {
				return nil, fmt.Errorf("case %q, step %d, needs a status and one of want and wantText", c.Name, j)
			}
		}
	}
	return cases, nil
}

// expand replaces every {"$repeat": [text, n]} in a JSON value.
func expand(value any) (any, error) {
	switch v := value.(type) {
	case map[string]any:
		if args, ok := v["$repeat"].([]any); ok && len(v) == 1 && len(args) == 2 {
			text, isText := args[0].(string)
			n, isNumber := args[1].(json.Number)
			count, err := n.Int64()
			if !isText || !isNumber || err != nil {
				return nil, fmt.Errorf("$repeat takes a text and a number, not %v", args)
			}
			return strings.Repeat(text, int(count)), nil
		}
		for name, field := range v {
			expanded, err := expand(field)
			if err != nil {
				return nil, err
			}
			v[name] = expanded
		}
	case []any:
		for i, element := range v {
			expanded, err := expand(element)
			if err != nil {
				return nil, err
			}
			v[i] = expanded
		}
	}
	return value, nil
}

// parse reads JSON without losing digits of numbers.
func parse(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	err := d.Decode(&value)
	return value, err
}
