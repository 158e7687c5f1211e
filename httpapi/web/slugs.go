package web

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/slugify"
)

// maxSlugText limits the text on the slug page, in characters, because the URL
// holds it.
const maxSlugText = 4000

// A choice is an option of a select element.
type choice struct {
	Value, Name string
	Chosen      bool
}

// slugView is the content of the slug page. Form values are kept as sent.
type slugView struct {
	Text       string
	Separators []choice
	Languages  []choice
	MaxLength  string
	Preserve   string
	Replace    string
	StopWords  string
	Fallback   string
	Checks     []slugCheck
	MaxText    int
	More       bool // an option in the collapsed section is set

	Problems []layout.Problem
	slugResult
}

// Wrong returns the problem of a field, or "".
func (v slugView) Wrong(field string) string { return wrong(v.Problems, field) }

// Others returns the problems without a place of their own in the form.
func (v slugView) Others() []layout.Problem {
	return others(v.Problems, "maxLength", "stopWords", "replace", "preserve", "html", "fallback")
}

// maxSteps limits the explanation steps shown.
const maxSteps = 200

// A slugCheck is a checkbox of the slug page.
type slugCheck struct {
	Name, Value, Label string
	On                 bool
}

// slugChecks are the checkboxes. All but the first are in the collapsed
// section.
var slugChecks = [...]slugCheck{
	{Name: "case", Value: "keep", Label: "Keep upper case"},
	{Name: "camel", Value: "split", Label: "Split camelCase"},
	{Name: "unicode", Value: "keep", Label: "Keep the letters of every script"},
	{Name: "html", Value: "read", Label: "Read the text as HTML"},
	{Name: "emoji", Value: "name", Label: "Name emoji"},
	{Name: "unique", Value: "number", Label: "Number equal slugs"},
}

var separators = [...]choice{
	{Value: "-", Name: "Hyphen -"}, {Value: "_", Name: "Underscore _"}, {Value: ".", Name: "Dot ."}, {Value: "~", Name: "Tilde ~"}, {Value: "", Name: "Nothing"},
}

// slugLanguages returns the supported languages sorted by name.
func slugLanguages() []choice {
	all := []choice{{Name: "Any language"}}
	for _, l := range slugify.Languages() {
		all = append(all, choice{Value: l.Tag, Name: l.Name})
	}
	slices.SortFunc(all[1:], func(a, b choice) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func chosen(all []choice, value string) []choice {
	out := make([]choice, len(all))
	for i, c := range all {
		c.Chosen = c.Value == value
		out[i] = c
	}
	return out
}

func (s *site) slug(r *http.Request) (*layout.Response, error) {
	v := readSlugForm(r)
	if negotiate.WantsJSON(r.Header) {
		if v.Problems != nil {
			return layout.Refuse(v.Problems)
		}
		return layout.JSON(v.slugResult)
	}
	return s.Render("slug", layout.Page{
		Title: "Slug", Path: "/slug", Styles: []string{"tool.css"}, Scripts: []string{"slug.js"},
		Description: "Make a slug: any text as a clean part of an address.", Content: v,
	})
}

// slugResult is the result of the form, also sent to the page's script.
type slugResult struct {
	Slugs   string         `json:"slugs"` // one per line of the text
	Request string         `json:"request"`
	Beyond  string         `json:"beyond"` // the options that the API lacks; may be empty
	Go      string         `json:"go"`
	Command string         `json:"command"`
	Steps   []slugify.Step `json:"steps"`   // for the first line, at most maxSteps
	Omitted string         `json:"omitted"` // how many steps are not shown; may be empty
}

// readSlugForm parses the query of the slug page and makes the slugs. Without a
// text it uses the example.
func readSlugForm(r *http.Request) slugView {
	q := r.URL.Query()
	v := slugView{
		Text: exampleSlug, MaxLength: q.Get("max"), Preserve: q.Get("preserve"), Replace: q.Get("replace"), StopWords: q.Get("stop"),
		Fallback: q.Get("fallback"), MaxText: maxSlugText,
	}
	if q.Has("text") {
		v.Text = strings.ReplaceAll(q.Get("text"), "\r\n", "\n")
	}
	separator := "-"
	if q.Has("separator") {
		separator = q.Get("separator")
	}
	v.Separators = chosen(separators[:], separator)
	v.Languages = chosen(slugLanguages(), q.Get("language"))
	on := make(map[string]bool)
	for _, c := range slugChecks {
		c.On = q.Get(c.Name) == c.Value
		on[c.Name] = c.On
		v.Checks = append(v.Checks, c)
		v.More = v.More || c.On && c.Name != "case"
	}
	v.More = v.More || v.Preserve+v.Replace+v.StopWords+v.Fallback != ""
	o := slugify.Options{
		Separator: &separator, Language: q.Get("language"), Preserve: v.Preserve, StopWords: wordList(v.StopWords), Fallback: v.Fallback,
		KeepCase: on["case"], SplitCamel: on["camel"], Unicode: on["unicode"], HTML: on["html"], Emoji: on["emoji"],
	}
	var fault string
	var whole bool
	if o.MaxLength, whole = layout.Whole(v.MaxLength); !whole && v.MaxLength != "" {
		v.Problems = append(v.Problems, layout.Problem{Field: "maxLength", Message: "must be a whole number"})
	}
	if o.Replace, fault = readReplace(v.Replace); fault != "" {
		v.Problems = append(v.Problems, layout.Problem{Field: "replace", Message: fault})
	}
	if n := utf8.RuneCountInString(v.Text); n > maxSlugText {
		v.Problems = append(v.Problems, layout.Problem{Field: "text", Message: fmt.Sprintf("has %s characters; this page takes %s, the API any number", layout.Thousands(n), layout.Thousands(maxSlugText))})
	}
	v.makeSlugs(o, on["unique"])
	return v
}

// wordList splits s at commas and white space.
func wordList(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// readReplace parses replacements in the command's syntax: C++=cpp;♥=love.
func readReplace(s string) (all map[string]string, fault string) {
	for pair := range strings.SplitSeq(s, ";") {
		key, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		switch {
		case pair == "":
		case !ok:
			return nil, "must be pairs such as C++=cpp;♥=love"
		case all == nil:
			all = map[string]string{key: value}
		default:
			all[key] = value
		}
	}
	return all, ""
}

// makeSlugs makes a slug of each line unless there are problems, and adds the
// equivalent calls.
func (v *slugView) makeSlugs(o slugify.Options, unique bool) {
	set, err := slugify.NewSet(o)
	found, _ := layout.Problems(err)
	if v.Problems = append(v.Problems, found...); v.Problems != nil {
		return
	}
	lines := strings.Split(v.Text, "\n")
	slugs := make([]string, len(lines))
	for i, line := range lines {
		slug, err := slugify.Make(line, o)
		if unique {
			slug, err = set.Add(line)
		}
		if err != nil {
			v.Problems = []layout.Problem{{Field: "maxLength", Message: "has no room for the numbers of equal slugs"}}
			return
		}
		slugs[i] = slug
	}
	v.Slugs = strings.Join(slugs, "\n")
	if x, err := slugify.Explain(lines[0], o); err == nil {
		v.Steps = x.Steps
	}
	if more := len(v.Steps) - maxSteps; more > 0 {
		v.Steps, v.Omitted = v.Steps[:maxSteps], layout.Thousands(more)+" more steps are not shown."
	}
	v.addCalls(lines, o, unique)
}

// A slugOption is an option with its names in Go and on the command line, and,
// if the API lacks it, its description.
type slugOption struct {
	goName, flag, words string
	value               any
}

// slugOptions returns the options that differ from their defaults.
func slugOptions(o slugify.Options) []slugOption {
	if *o.Separator == "-" {
		o.Separator = nil
	}
	all := []slugOption{
		{"Separator", "separator", "", o.Separator},
		{"KeepCase", "keep-case", "", o.KeepCase},
		{"Language", "language", "language", o.Language},
		{"MaxLength", "max-length", "max length", o.MaxLength},
		{"Fallback", "fallback", "fallback", o.Fallback},
		{"Preserve", "preserve", "preserved signs", o.Preserve},
		{"Replace", "replace", "replacements", o.Replace},
		{"StopWords", "stop-words", "stop words", o.StopWords},
		{"Unicode", "unicode", "letters of every script", o.Unicode},
		{"SplitCamel", "split-camel", "camelCase", o.SplitCamel},
		{"HTML", "html", "HTML", o.HTML},
		{"Emoji", "emoji", "names of emoji", o.Emoji},
	}
	return slices.DeleteFunc(all, func(s slugOption) bool {
		v := reflect.ValueOf(s.value)
		return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
	})
}

// field returns the option as a field of a Go literal.
func (s slugOption) field() string {
	if separator, ok := s.value.(*string); ok {
		return fmt.Sprintf("%s: new(%q)", s.goName, *separator)
	}
	return fmt.Sprintf("%s: %#v", s.goName, s.value)
}

// argument returns the option as a command-line argument.
func (s slugOption) argument() string {
	value := ""
	switch v := s.value.(type) {
	case bool:
		return "--" + s.flag
	case *string:
		value = *v
	case []string:
		value = strings.Join(v, ",")
	case map[string]string:
		var pairs []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			pairs = append(pairs, key+"="+v[key])
		}
		value = strings.Join(pairs, ";")
	default:
		value = fmt.Sprint(v)
	}
	return "--" + s.flag + "=" + shellWord(value)
}

// shellWord quotes s for a shell if necessary.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	if s != "" && strings.TrimFunc(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// addCalls adds the equivalent API request, Go code and command, and names what
// the API lacks.
func (v *slugResult) addCalls(lines []string, o slugify.Options, unique bool) {
	fields := []any{"text", lines[0]}
	var lacks, goFields []string
	words := []string{"devkiln", "slug"}
	for _, s := range slugOptions(o) {
		goFields = append(goFields, s.field())
		words = append(words, s.argument())
		switch s.goName {
		case "Separator":
			fields = append(fields, "separator", s.value)
		case "KeepCase":
			fields = append(fields, "lowercase", false)
		default:
			lacks = append(lacks, s.words)
		}
	}
	options := "slugify.Options{" + strings.Join(goFields, ", ") + "}"
	v.Go = fmt.Sprintf("slug, err := slugify.Make(%q, %s)", lines[0], options)
	if unique {
		lacks, words = append(lacks, "numbers"), append(words, "--unique")
		v.Go = fmt.Sprintf("set, err := slugify.NewSet(%s)\nslug, err := set.Add(%q)", options, lines[0])
	}
	if len(lines) > 1 {
		lacks, words = append(lacks, "lines after the first"), append(words, "<titles.txt")
	} else {
		words = append(words, "--", shellWord(lines[0]))
	}
	if lacks != nil {
		v.Beyond = "The API does not have: " + strings.Join(lacks, ", ") + ". The Go package and the command do."
	}
	v.Request, v.Command = request(fields...), strings.Join(words, " ")
}
