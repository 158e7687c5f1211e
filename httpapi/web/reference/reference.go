// Package reference makes the content of the API reference out of an OpenAPI
// document: what the template of the page shows, with the server's own address
// in its examples.
package reference

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// exampleOrigin is the server of the document's examples. The page shows its
// own in its place.
const exampleOrigin = "https://kiln.example"

// failureSchema is the body of every response that tells what went wrong.
const failureSchema = "Failure"

// Reference is the API reference: a document as the page shows it.
type Reference struct {
	Title, Version, Licence string
	Summary                 string
	Text                    template.HTML
	Start                   []Sample // the first operation, as a command and its response
	Key                     keyHeader
	Groups                  []group
	Failure                 []field
	Failures                []outcome
	Headers                 []field
}

// keyHeader is the header field that carries the key.
type keyHeader struct {
	Name string
	Text template.HTML
}

// A group is the operations under one tag.
type group struct {
	ID, Name string
	Text     template.HTML
	Calls    []call
}

// A call is an operation.
type call struct {
	ID, Method, Path, Title string
	Text                    template.HTML
	Key                     string // the header field for the key; empty: none is needed
	Headers                 []field
	Params                  []field
	Body                    *field // its Name is the media type
	Samples                 []Sample
	Curls                   []Sample
	Responses               []outcome // of success
	Failures                []outcome
	Accepts                 []string // the media types of success
}

// An outcome is a response with one status.
type outcome struct {
	Status, Reason string
	Text           template.HTML
	Codes          []string // that a Failure has
	Headers        []field
	Bodies         []field // their names are media types
	IsFailure      bool    // the body is a Failure, and not among Bodies
	Samples        []Sample
}

// A Sample is an example.
type Sample struct {
	Name, Text string
	Folded     bool // it is shown when asked for
}

// Funcs are the functions that the template of the page needs.
func Funcs() template.FuncMap {
	return template.FuncMap{
		"sample": func(name, text string) Sample { return Sample{Name: name, Text: text} },
		"folded": func(i int, name, text string) Sample { return Sample{name, text, i > 0} },
		"titled": titled,
	}
}

// titled is the title of a sample that may have a name among others.
func titled(title, name string) string {
	if name == "" {
		return title
	}
	return title + ", " + name
}

// Reference returns the content of the page, with the origin in its examples.
func (d *Document) Reference(origin string) (*Reference, error) {
	b := builder{Document: d, origin: origin}
	ref := &Reference{
		Title: d.Info.Title, Version: d.Info.Version, Licence: d.Info.License.Name, Summary: d.Info.Summary,
		Text: b.prose(d.Info.Description), Groups: b.groups(), Failures: b.failures(),
	}
	ref.Start = start(ref.Groups)
	for _, m := range d.Components.SecuritySchemes {
		ref.Key = keyHeader{m.Value.Name, b.prose(m.Value.Description)}
	}
	for _, m := range d.Components.Headers {
		ref.Headers = append(ref.Headers, b.header(m.Name, m.Value))
	}
	if failure, ok := d.Components.Schemas.find(failureSchema); ok {
		b.inResponse = true
		ref.Failure = b.field("", failure, 0).Fields
	}
	return ref, errors.Join(b.faults...)
}

// start returns a command to begin with, and what it responds.
func start(groups []group) []Sample {
	for _, g := range groups {
		for _, c := range g.Calls {
			if len(c.Responses) > 0 && len(c.Responses[0].Samples) > 0 {
				return []Sample{c.Curls[0], {Name: "Response", Text: c.Responses[0].Samples[0].Text}}
			}
		}
	}
	return nil
}

// A builder turns a document into what the page shows, and notes what it cannot.
type builder struct {
	*Document
	origin     string
	inResponse bool // what is said is about responses
	faults     []error
}

func (b *builder) fault(err error) {
	if err != nil {
		b.faults = append(b.faults, err)
	}
}

// local puts the origin into an example.
func (b *builder) local(text string) string {
	return strings.ReplaceAll(text, exampleOrigin, b.origin)
}

func (b *builder) groups() []group {
	all := make([]group, len(b.Tags))
	for i, tag := range b.Tags {
		all[i] = group{ID: strings.ToLower(tag.Name), Name: tag.Name, Text: b.prose(tag.Description)}
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

func (b *builder) call(method, path string, shared []parameterObject, o *operationObject) call {
	c := call{ID: o.OperationID, Method: method, Path: path, Title: o.Summary, Text: b.prose(o.Description), Key: b.key(o)}
	for _, p := range slices.Concat(shared, o.Parameters) {
		c.Params = append(c.Params, b.parameter(p))
	}
	for _, m := range o.RequestBody.Content {
		body := b.body(m)
		body.Mark = b.mark(o.RequestBody.Required)
		c.Body = &body
		c.Samples = b.samples(m.Value)
	}
	for _, m := range o.Responses {
		out := b.outcome(m.Name, m.Value)
		if m.Name < "4" {
			c.Responses = append(c.Responses, out)
		} else {
			c.Failures = append(c.Failures, out)
		}
	}
	c.Accepts = accepts(c.Responses)
	c.Headers = b.requestHeaders(c)
	c.Curls = b.curls(c)
	return c
}

// key returns the name of the header field that carries the key, or nothing if
// an operation needs none.
func (b *builder) key(o *operationObject) string {
	needs := o.Security
	if needs == nil {
		needs = b.Security
	}
	for _, scheme := range b.Components.SecuritySchemes {
		for _, needed := range needs {
			if _, ok := needed[scheme.Name]; ok {
				return scheme.Value.Name
			}
		}
	}
	return ""
}

// accepts returns the media types of the first response.
func accepts(responses []outcome) []string {
	var all []string
	for _, out := range responses[:min(1, len(responses))] {
		for _, body := range out.Bodies {
			all = append(all, body.Name)
		}
	}
	return all
}

// requestHeaders are the header fields that follow from the rest.
func (b *builder) requestHeaders(c call) []field {
	var all []field
	if c.Key != "" {
		all = append(all, field{Name: c.Key, Type: "string", Mark: b.mark(true), Text: b.prose("Your key.")})
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

func (b *builder) parameter(p parameterObject) field {
	if p.Ref != "" {
		found, err := follow(b.Components.Parameters, "parameters", p.Ref)
		b.fault(err)
		p = found
	}
	f := b.field(p.Name, p.Schema, 0)
	f.Text, f.Mark, f.In, f.Example = b.prose(p.Description), b.mark(p.Required), p.In, plainValue(p.Example)
	return f
}

func (b *builder) header(name string, h headerObject) field {
	f := b.field(name, h.Schema, 0)
	f.Text, f.Example = b.prose(h.Description), plainValue(h.Example)
	return f
}

// headers follows the references to the header fields of a response, which the
// page explains once.
func (b *builder) headers(all ordered[headerObject]) []field {
	fields := make([]field, len(all))
	for i, m := range all {
		if _, err := follow(b.Components.Headers, "headers", m.Value.Ref); err != nil {
			b.fault(fmt.Errorf("reference: %s: a header field must be a reference", m.Name))
		}
		fields[i] = field{Name: m.Name}
	}
	return fields
}

func (b *builder) body(m member[mediaType]) field {
	if m.Value.Schema == nil {
		return field{Name: m.Name}
	}
	return b.field(m.Name, *m.Value.Schema, 0)
}

func (b *builder) outcome(status string, r responseObject) outcome {
	if r.Ref != "" {
		found, err := follow(b.Components.Responses, "responses", r.Ref)
		b.fault(err)
		r = found
	}
	b.inResponse = true
	defer func() { b.inResponse = false }()
	out := outcome{Status: status, Text: b.prose(r.Description), Headers: b.headers(r.Headers)}
	if code, err := strconv.Atoi(status); err == nil {
		out.Reason = http.StatusText(code)
	}
	for _, m := range r.Content {
		samples := b.samples(m.Value)
		out.Samples = append(out.Samples, samples...)
		if s := m.Value.Schema; s != nil && s.Ref == "#/components/schemas/"+failureSchema {
			out.IsFailure = true
			out.Codes = append(out.Codes, b.codes(samples)...)
			continue
		}
		out.Bodies = append(out.Bodies, b.body(m))
	}
	return out
}

// codes returns the codes of the failures that are examples.
func (b *builder) codes(samples []Sample) []string {
	all := make([]string, len(samples))
	for i, s := range samples {
		var failure struct{ Error struct{ Code string } }
		b.fault(json.Unmarshal([]byte(s.Text), &failure))
		all[i] = failure.Error.Code
	}
	return all
}

// failures are the responses that several operations have, by their status.
func (b *builder) failures() []outcome {
	var all []outcome
	told := make(map[string]bool)
	for _, p := range b.Paths {
		for _, o := range p.Value.operations() {
			for _, r := range o.Value.Responses {
				if out := b.outcome(r.Name, r.Value); out.IsFailure && !told[r.Value.Ref] {
					told[r.Value.Ref] = true
					all = append(all, out)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(x, y outcome) int { return cmp.Compare(x.Status, y.Status) })
	return all
}

// samples are the examples of a body, JSON spread over lines.
func (b *builder) samples(m mediaType) []Sample {
	var all []Sample
	if m.Example != nil {
		all = append(all, Sample{Text: b.sample(m.Example)})
	}
	for _, e := range m.Examples {
		example := e.Value
		if example.Ref != "" {
			found, err := follow(b.Components.Examples, "examples", example.Ref)
			b.fault(err)
			example = found
		}
		name := e.Name
		if len(m.Examples) == 1 {
			name = ""
		}
		all = append(all, Sample{Name: name, Text: b.sample(example.Value)})
	}
	return all
}

// short finds an array that is spread over lines and fits into one. A string of
// JSON has no line feed in it.
var short = regexp.MustCompile(`\[\n[^\[\]{}]{1,72}\n *\]`)

var lineFeeds = regexp.MustCompile(`\n *`)

// spread writes JSON over lines.
func spread(value json.RawMessage) (string, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, value, "", "  "); err != nil {
		return "", err
	}
	return short.ReplaceAllStringFunc(b.String(), func(array string) string {
		array = lineFeeds.ReplaceAllString(array, " ")
		return "[" + strings.Trim(array, "[] ") + "]"
	}), nil
}

// sample writes an example: text as it is, anything else as JSON.
func (b *builder) sample(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return b.local(text)
	}
	text, err := spread(value)
	b.fault(err)
	return b.local(text)
}
