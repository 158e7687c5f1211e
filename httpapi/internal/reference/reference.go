// Package reference converts an OpenAPI document to the data for the template
// of the API reference, with the server's own URL in the examples.
package reference

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// exampleOrigin is the origin in the document's examples. The page replaces it
// with its own.
const exampleOrigin = "https://kiln.example"

// failureSchema is the schema of every error response.
const failureSchema = "#/components/schemas/Failure"

// Reference is the data of the API reference.
type Reference struct {
	document

	Key      securityScheme // header field that carries the key
	Groups   []group
	Failure  field
	Failures []outcome
	Headers  []field
}

// A group holds the operations with one tag.
type group struct {
	tag

	ID    string
	Calls []call
}

// A call is an operation.
type call struct {
	*operation

	Method, Path string
	Key          string // header field for the key; empty if none is needed
	Headers      []field
	Params       []field
	Body         *field // its Name is the media type
	Samples      []Sample
	Curls        []Sample
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

// A Sample is an example.
type Sample struct {
	Name, Text string
	Folded     bool // collapsed by default
}

// Funcs returns the functions for the template of the page.
func Funcs() template.FuncMap {
	return template.FuncMap{
		"prose":  prose,
		"sample": func(name, text string) Sample { return Sample{Name: name, Text: text} },
		"folded": func(i int, name, text string) Sample { return Sample{name, text, i > 0} },
		"titled": titled,
	}
}

// titled returns the title of a sample, with its name if it has one.
func titled(title, name string) string {
	if name == "" {
		return title
	}
	return title + ", " + name
}

// New returns the reference for an OpenAPI document in JSON, with origin in its
// examples. The error describes what in the document cannot be shown.
func New(text, origin string) (*Reference, error) {
	quoted, err := json.Marshal(origin)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(strings.NewReader(strings.ReplaceAll(text, exampleOrigin, string(quoted[1:len(quoted)-1]))))
	d.DisallowUnknownFields()
	b := builder{origin: origin, failed: make(map[string]outcome)}
	if err := d.Decode(&b.document); err != nil {
		return nil, fmt.Errorf("reference: the OpenAPI document: %w", err)
	}
	ref := &Reference{document: b.document, Groups: b.groups(), Failures: b.failures()}
	for _, m := range b.Components.SecuritySchemes {
		ref.Key = m.Value
	}
	for _, m := range b.Components.Headers {
		ref.Headers = append(ref.Headers, b.parameter(m.Name, m.Value))
	}
	b.inResponse = true
	ref.Failure = b.field("", schema{Ref: failureSchema}, 0)
	return ref, errors.Join(b.faults...)
}

// A builder converts a document to what the page shows and collects the errors.
type builder struct {
	document

	origin     string
	inResponse bool               // describing a response
	failed     map[string]outcome // failures so far, by status and reference
	faults     []error
}

// fault records an error; errors.Join ignores nil.
func (b *builder) fault(err error) { b.faults = append(b.faults, err) }

func (b *builder) groups() []group {
	all := make([]group, len(b.Tags))
	for i, tag := range b.Tags {
		all[i] = group{tag: tag, ID: strings.ToLower(tag.Name)}
	}
	for _, p := range b.Paths {
		for _, o := range p.Value.operations() {
			i := slices.IndexFunc(all, func(g group) bool { return slices.Contains(o.Value.Tags, g.Name) })
			if i < 0 {
				b.fault(fmt.Errorf("reference: %s %s has none of the document's tags", o.Name, p.Name))
				continue
			}
			all[i].Calls = append(all[i].Calls, b.call(o.Name, p.Name, p.Value.Parameters, o.Value))
		}
	}
	return all
}

func (b *builder) call(method, path string, shared []parameter, o *operation) call {
	c := call{operation: o, Method: method, Path: path, Key: b.key(o)}
	for _, p := range slices.Concat(shared, o.Parameters) {
		c.Params = append(c.Params, b.parameter("", p))
	}
	for _, m := range o.RequestBody.Content {
		body := b.field(m.Name, m.Value.Schema, 0)
		body.Mark = b.mark(o.RequestBody.Required)
		c.Body = &body
		c.Samples = b.samples(m.Value)
	}
	for _, m := range o.Responses {
		if out := b.outcome(m.Name, m.Value); m.Name < "4" {
			c.Successes = append(c.Successes, out)
		} else {
			c.Failures = append(c.Failures, out)
		}
	}
	if len(c.Successes) > 0 {
		for _, m := range c.Successes[0].Content {
			c.Accepts = append(c.Accepts, m.Name)
		}
	}
	c.Headers = c.requestHeaders()
	c.Curls = c.curls(b.origin)
	return c
}

// key returns the name of the header field for the key, or "" if the operation
// needs none.
func (b *builder) key(o *operation) string {
	needs := o.Security
	if needs == nil {
		needs = b.Security
	}
	for _, scheme := range b.Components.SecuritySchemes {
		if slices.ContainsFunc(needs, func(n map[string][]string) bool { return n[scheme.Name] != nil }) {
			return scheme.Value.Name
		}
	}
	return ""
}

// requestHeaders returns the header fields that a request needs.
func (c call) requestHeaders() []field {
	var all []field
	if c.Key != "" {
		all = append(all, field{Name: c.Key, Type: "string", Mark: "required", Text: "Your key."})
	}
	if c.Body != nil && c.Body.Name == jsonType {
		all = append(all, field{Name: "Content-Type", Type: "string", Facts: []fact{{"always", []string{jsonType}}}})
	}
	if len(c.Accepts) > 1 {
		all = append(all, field{Name: "Accept", Type: "string", Facts: []fact{{"default", c.Accepts[:1]}, {"one of", c.Accepts}}})
	}
	return all
}

const jsonType = "application/json"

// parameter describes a parameter, or a header field if name is not empty.
func (b *builder) parameter(name string, p parameter) field {
	p = resolve(b, b.Components.Parameters, p.Ref, p)
	f := b.field(cmp.Or(name, p.Name), p.Schema, 0)
	f.Text, f.In, f.Example = p.Description, p.In, plainValue(p.Example)
	if name == "" {
		f.Mark = b.mark(p.Required)
	}
	return f
}

func (b *builder) outcome(status string, r response) outcome {
	b.inResponse = true
	defer func() { b.inResponse = false }()
	out := outcome{response: resolve(b, b.Components.Responses, r.Ref, r), Status: status}
	if code, err := strconv.Atoi(status); err == nil {
		out.Reason = http.StatusText(code)
	}
	for _, m := range out.Headers { // the page describes each of them once
		if m.Value.Ref == "" {
			b.fault(fmt.Errorf("reference: %s: a header field must be a reference", m.Name))
		}
	}
	for _, m := range out.Content {
		samples := b.samples(m.Value)
		out.Samples = append(out.Samples, samples...)
		if m.Value.Schema.Ref == failureSchema {
			out.IsFailure = true
			for _, s := range samples {
				var failure struct{ Error struct{ Code string } }
				b.fault(json.Unmarshal([]byte(s.Text), &failure))
				out.Codes = append(out.Codes, failure.Error.Code)
			}
			b.failed[status+r.Ref] = out
			continue
		}
		out.Bodies = append(out.Bodies, b.field(m.Name, m.Value.Schema, 0))
	}
	return out
}

// failures returns the failures of the operations read so far, without
// duplicates, by status.
func (b *builder) failures() []outcome {
	var all []outcome
	for _, name := range slices.Sorted(maps.Keys(b.failed)) {
		all = append(all, b.failed[name])
	}
	return all
}

// samples returns the examples of a body, with JSON indented.
func (b *builder) samples(m mediaType) []Sample {
	var all []Sample
	if m.Example != nil {
		all = append(all, Sample{Text: b.sample(m.Example)})
	}
	for _, e := range m.Examples {
		sample := Sample{Name: e.Name, Text: b.sample(resolve(b, b.Components.Examples, e.Value.Ref, e.Value).Value)}
		if len(m.Examples) == 1 {
			sample.Name = ""
		}
		all = append(all, sample)
	}
	return all
}

// short matches an indented array that fits on one line. JSON strings contain
// no line feeds.
var short = regexp.MustCompile(`\[\n[^\[\]{}]{1,72}\n *\]`)

var lineFeeds = regexp.MustCompile(`\n *`)

// sample formats an example: a string as text, other values as indented JSON.
func (b *builder) sample(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	var lines bytes.Buffer
	b.fault(json.Indent(&lines, value, "", "  "))
	return short.ReplaceAllStringFunc(lines.String(), func(array string) string {
		array = lineFeeds.ReplaceAllString(array, " ")
		return "[" + strings.Trim(array, "[] ") + "]"
	})
}
