// Package reference converts an OpenAPI document to the data for the template
// of the API reference.
package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ExampleOrigin is the origin in the document's examples, which a page replaces
// by its own.
const ExampleOrigin = "https://kiln.example"

const (
	failureSchema = "#/components/schemas/Failure" // of every error response
	jsonType      = "application/json"
)

// A Reference holds the operations of a document and what they share.
type Reference struct {
	document

	Groups  []group
	Failure field
	Headers []field // of responses
}

// A group holds the operations with one tag.
type group struct {
	Name, Description string
	Calls             []*Call
}

// A Call is an operation.
type Call struct {
	*operation

	Method, Path string
	Tag          string
	Key          string // header field for the key; empty if none is needed
	Params       []field
	Body         *field   // its Name is the media type
	Samples      []Sample // of the body
	Code         []Sample
	Successes    []outcome
	Failures     []outcome
	Accepts      []string // media types of a successful response
}

// An outcome describes the response with one status.
type outcome struct {
	response

	Status, Reason string
	Codes          []string // error codes
	Bodies         []field  // by media type
	IsFailure      bool     // the body is a Failure, which Bodies does not list
	Samples        []Sample
}

// New returns the reference for an OpenAPI document in JSON.
func New(text string) (*Reference, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	ref := new(Reference)
	if err := d.Decode(&ref.document); err != nil {
		return nil, fmt.Errorf("reference: the OpenAPI document: %w", err)
	}
	for _, tag := range ref.Tags {
		g := group{Name: tag.Name, Description: tag.Description}
		for _, p := range ref.Paths {
			for _, o := range p.Value.operations() {
				if !slices.Contains(o.Value.Tags, tag.Name) {
					continue
				}
				c, err := ref.call(o.Name, p.Name, p.Value.Parameters, o.Value)
				if err != nil {
					return nil, fmt.Errorf("reference: %s: %w", o.Value.OperationID, err)
				}
				g.Calls = append(g.Calls, c)
			}
		}
		ref.Groups = append(ref.Groups, g)
	}
	for _, m := range ref.Components.Headers {
		ref.Headers = append(ref.Headers, ref.parameter(m.Name, m.Value))
	}
	ref.Failure = ref.field("", schema{Ref: failureSchema}, optional)
	return ref, nil
}

// Call returns the operation with an id, and nil if there is none.
func (ref *Reference) Call(id string) *Call {
	for _, g := range ref.Groups {
		for _, c := range g.Calls {
			if c.OperationID == id {
				return c
			}
		}
	}
	return nil
}

func (d *document) call(method, path string, shared []parameter, o *operation) (*Call, error) {
	c := &Call{operation: o, Method: method, Path: path, Tag: o.Tags[0]}
	if o.Security == nil { // empty if no key is needed
		c.Key = d.Components.SecuritySchemes[0].Value.Name
	}
	for _, p := range slices.Concat(shared, o.Parameters) {
		c.Params = append(c.Params, d.parameter("", p))
	}
	for _, m := range o.RequestBody.Content {
		body := d.field(m.Name, m.Value.Schema, required)
		c.Body, c.Samples = &body, d.samples(m.Value)
	}
	for _, m := range o.Responses {
		if out := d.outcome(m.Name, m.Value); m.Name < "4" {
			c.Successes = append(c.Successes, out)
		} else {
			c.Failures = append(c.Failures, out)
		}
	}
	for _, m := range c.Successes[0].Content {
		c.Accepts = append(c.Accepts, m.Name)
	}
	var err error
	c.Code, err = c.code()
	return c, err
}

// parameter describes a parameter, or a header field if name is not empty.
func (d *document) parameter(name string, p parameter) field {
	p = resolve(d.Components.Parameters, p.Ref, p)
	mark := ""
	if name == "" {
		name = p.Name
		if p.Required {
			mark = required
		}
	}
	f := d.field(name, p.Schema, "")
	f.Text, f.In, f.Example, f.Mark = p.Description, p.In, plainValue(p.Example), mark
	return f
}

func (d *document) outcome(status string, r response) outcome {
	out := outcome{response: resolve(d.Components.Responses, r.Ref, r), Status: status}
	if code, err := strconv.Atoi(status); err == nil {
		out.Reason = http.StatusText(code)
	}
	for _, m := range out.Content {
		samples := d.samples(m.Value)
		out.Samples = append(out.Samples, samples...)
		if m.Value.Schema.Ref != failureSchema {
			out.Bodies = append(out.Bodies, d.field(m.Name, m.Value.Schema, optional))
			continue
		}
		out.IsFailure = true
		for _, s := range samples {
			var failure struct{ Error struct{ Code string } }
			if json.Unmarshal([]byte(s.Text), &failure) == nil {
				out.Codes = append(out.Codes, failure.Error.Code)
			}
		}
	}
	return out
}

// samples returns the examples of a body, with JSON indented.
func (d *document) samples(m mediaType) []Sample {
	var all []Sample
	if m.Example != nil {
		all = append(all, sample("", m.Example))
	}
	for _, e := range m.Examples {
		name := e.Name
		if len(m.Examples) == 1 {
			name = ""
		}
		all = append(all, sample(name, resolve(d.Components.Examples, e.Value.Ref, e.Value).Value))
	}
	return all
}

// short matches an indented array that fits on one line. JSON strings contain
// no line feeds.
var short = regexp.MustCompile(`\[\n[^\[\]{}]{1,72}\n *\]`)

var lineFeeds = regexp.MustCompile(`\n *`)

// sample formats an example: a string as text, other values as indented JSON.
func sample(name string, value json.RawMessage) Sample {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return Sample{name, "text", text}
	}
	var lines bytes.Buffer
	_ = json.Indent(&lines, value, "", "  ") // it was decoded
	return Sample{name, "json", short.ReplaceAllStringFunc(lines.String(), func(array string) string {
		array = lineFeeds.ReplaceAllString(array, " ")
		return "[" + strings.Trim(array, "[] ") + "]"
	})}
}
