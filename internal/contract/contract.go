// Package contract plays test cases of the HTTP API that are stored as data.
//
// A case is a server and a conversation with it. Cases are in JSON files, each
// of which is an array; a new case needs no Go. Its fields are:
//
//	name      what the case shows; unique in its file
//	server    settings that differ from the default, see Server
//	steps     the conversation, in order, see Step
//
// In requests, {"$repeat": ["text", 3]} stands for "texttexttext". In expected
// responses, a string that starts with $ is a pattern: "$id", "$requestId",
// "$re <pattern>", and "$any", which matches every value. ${name} in any string
// is the value that an earlier step saved under that name; ${operations} is the
// list of operations in the response to an unknown path.
package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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

// Server is the settings of a server that a case may choose.
type Server struct {
	PerMinute      *int     `json:"perMinute"` // default 100; 0 is off
	PerDay         *int     `json:"perDay"`    // default 10,000; 0 is off
	BaseURL        string   `json:"baseUrl"`
	TrustedProxies []string `json:"trustedProxies"`
	CORSOrigins    []string `json:"corsOrigins"`
	Broken         string   `json:"broken"` // how creating and getting fail: "store" is unavailable, "unforeseen" any other error, "panic" a panic
	State          string   `json:"state"`  // draining or stopping; default is serving
}

// Step is one request and its expected response.
type Step struct {
	After   Duration          `json:"after"`   // time that passes before the request
	Times   int               `json:"times"`   // number of requests; default 1
	Method  string            `json:"method"`  // default POST
	Path    string            `json:"path"`    // including the query
	Key     string            `json:"key"`     // default alice; bob; carol, carol's laptop and dave belong to users; sharing, reading and tools have only that scope; narrow has 2 requests a minute and shares for 2h; static, expired, revoked, unknown, none; or = and the key itself
	Headers map[string]string `json:"headers"` // Content-Type defaults to application/json; "" omits a field
	Body    json.RawMessage   `json:"body"`    // the body, as JSON
	Raw     *string           `json:"raw"`     // or the body verbatim
	Base64  *[]byte           `json:"base64"`  // or the body in base64, for what JSON cannot hold
	PadTo   int               `json:"padTo"`   // pads the body with spaces to this length

	Status      int               `json:"status"`
	WantHeaders map[string]string `json:"wantHeaders"` // "" means must be absent
	Want        json.RawMessage   `json:"want"`        // the whole response; may contain $repeat
	WantText    *string           `json:"wantText"`    // or the whole response, if it is not JSON
	Save        []string          `json:"save"`        // fields of the response to save
}

// Duration is a time.Duration that is written "90s" in JSON.
type Duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	*d = Duration(parsed)
	return err
}

// Load reads all cases of the files in a folder. An unknown field, a duplicate
// name and a step that expects nothing are errors.
func Load(dir string) ([]Case, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []Case
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		cases, err := decode(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for i := range cases {
			cases[i].File = strings.TrimSuffix(filepath.Base(file), ".json")
		}
		all = append(all, cases...)
	}
	return all, nil
}

// decode decodes the cases of a file.
func decode(data []byte) ([]Case, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var cases []Case
	if err := d.Decode(&cases); err != nil {
		return nil, err
	}
	names := make(map[string]bool)
	for i, c := range cases {
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

var repetition = regexp.MustCompile(`\{"\$repeat": \["((?:[^"\\]|\\.)*)", (\d+)\]\}`)

// expand replaces every {"$repeat": ["text", 3]} in a JSON text.
func expand(text []byte) ([]byte, error) {
	text = repetition.ReplaceAllFunc(text, func(match []byte) []byte {
		groups := repetition.FindSubmatch(match)
		count, _ := strconv.Atoi(string(groups[2])) // it is digits
		return fmt.Appendf(nil, `"%s"`, bytes.Repeat(groups[1], count))
	})
	if bytes.Contains(text, []byte(`"$repeat"`)) {
		return nil, fmt.Errorf("$repeat takes a text and a number: %s", clip(text))
	}
	return text, nil
}

// parse parses JSON and keeps all digits of numbers.
func parse(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	err := d.Decode(&value)
	return value, err
}
