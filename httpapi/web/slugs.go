package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/slugify"
)

// maxSlugText limits the text on the slug page, in characters, because the URL
// holds it.
const maxSlugText = 4000

// slugView is the content of the slug page.
type slugView struct {
	Text    string
	Fields  []layout.Field
	MaxText int

	Problems []layout.Problem
	slugResult
}

// slugResult is the result of the form, also sent to the page's script.
type slugResult struct {
	Slugs   string     `json:"slugs"` // one per line of the text
	Titles  []slugLine `json:"titles"`
	Request string     `json:"request"`
	Beyond  string     `json:"beyond"` // the options that the API lacks; may be empty
	Go      string     `json:"go"`
	Command string     `json:"command"`
}

// A slugLine is a line of the text with its slug.
type slugLine struct {
	Title string `json:"title"`
	Slug  string `json:"slug"`
	Note  string `json:"note"` // which line has the same slug; may be empty
}

// Unplaced returns the problems that no field shows.
func (v slugView) Unplaced() []layout.Problem { return layout.Unplaced(v.Problems, v.Fields) }

// Main returns the fields that are always shown.
func (v slugView) Main() []layout.Field { return v.fields(false) }

// Advanced returns the fields of the collapsed section.
func (v slugView) Advanced() []layout.Field { return v.fields(true) }

func (v slugView) fields(advanced bool) []layout.Field {
	return slices.DeleteFunc(slices.Clone(v.Fields), func(f layout.Field) bool { return f.Advanced != advanced })
}

// More reports whether the collapsed section has a value.
func (v slugView) More() bool { return slices.ContainsFunc(v.Fields, layout.Field.Changed) }

func (s *site) slug(r *http.Request) (*layout.Response, error) {
	v := readSlugForm(r.URL.Query())
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

// readSlugForm parses the query of the slug page and makes the slugs. Without a
// text it uses the example.
func readSlugForm(q url.Values) slugView {
	v := slugView{Text: exampleSlug, MaxText: maxSlugText}
	if q.Has("text") {
		v.Text = strings.ReplaceAll(q.Get("text"), "\r\n", "\n")
	}
	numbered := q.Get("unique") == "on" || q.Get("unique") == "number" // as the page sent it before
	var o slugify.Options
	table := slugify.Parameters()
	err := table.SetQuery(&o, q)
	if err == nil {
		err = o.Validate()
	}
	v.Problems, _ = layout.Problems(err)
	if n := utf8.RuneCountInString(v.Text); n > maxSlugText {
		v.Problems = append(v.Problems, layout.Problem{Field: "text", Message: fmt.Sprintf("has %s characters; this page takes %s, the API any number", layout.Thousands(n), layout.Thousands(maxSlugText))})
	}
	if v.Problems == nil {
		v.makeSlugs(o, numbered)
	}
	v.Fields = layout.Fields(table, q, v.Problems)
	unique := layout.Field{Name: "unique", Label: "Number equal slugs", IsSwitch: true, Advanced: true}
	if numbered {
		unique.Value = "on"
	}
	v.Fields = append(v.Fields, unique)
	return v
}

// makeSlugs makes a slug of each line, and adds the equivalent calls.
func (v *slugView) makeSlugs(o slugify.Options, numbered bool) {
	lines := strings.Split(v.Text, "\n")
	slugs, err := slugsOf(lines, o, numbered)
	if err != nil {
		v.Problems = []layout.Problem{{Field: "maxLength", Message: "has no room for the numbers of equal slugs"}}
		return
	}
	v.Slugs = strings.Join(slugs, "\n")
	numbers := make(map[string][]int) // of the lines with a slug
	for i, slug := range slugs {
		numbers[slug] = append(numbers[slug], i+1)
	}
	for i, slug := range slugs {
		line := slugLine{Title: lines[i], Slug: slug}
		if same := numbers[slug]; slug != "" && len(same) > 1 {
			other := same[0]
			if other == i+1 {
				other = same[1]
			}
			line.Note = "Same as line " + layout.Thousands(other)
		}
		v.Titles = append(v.Titles, line)
	}
	v.addCalls(lines, o, numbered)
}

// slugsOf returns the slug of each line. Equal ones are numbered on request;
// the options must leave room for the numbers.
func slugsOf(lines []string, o slugify.Options, numbered bool) ([]string, error) {
	maker, err := slugify.NewMaker(o)
	if err != nil {
		return nil, err
	}
	set, err := slugify.NewSet(o)
	if err != nil {
		return nil, err
	}
	slugs := make([]string, len(lines))
	for i, line := range lines {
		if !numbered {
			slugs[i] = maker.Make(line)
		} else if slugs[i], err = set.Add(line); err != nil {
			return nil, err
		}
	}
	return slugs, nil
}

// addCalls adds the equivalent API request, Go code and command, and names what
// the API lacks.
func (v *slugResult) addCalls(lines []string, o slugify.Options, numbered bool) {
	fields := []any{"text", lines[0]}
	var lacks []string
	table := slugify.Parameters()
	for _, r := range table {
		text, changed := r.Text(&o)
		switch {
		case !changed:
		case r.Name == "separator":
			fields = append(fields, "separator", text)
		case r.Name == "keepCase":
			fields = append(fields, "lowercase", false)
		default:
			lacks = append(lacks, r.Label)
		}
	}
	options := table.Literal("slugify.Options", &o)
	words := append([]string{"devkiln", "slug"}, table.Arguments(&o)...)
	v.Go = fmt.Sprintf("slug, err := slugify.Make(%q, %s)", lines[0], options)
	if numbered {
		lacks, words = append(lacks, "Number equal slugs"), append(words, "--unique")
		v.Go = fmt.Sprintf("set, err := slugify.NewSet(%s)\nslug, err := set.Add(%q)", options, lines[0])
	}
	if len(lines) > 1 {
		lacks = append(lacks, "Lines after the first")
		v.Command = shellCommand(words...) + " <titles.txt"
	} else {
		v.Command = shellCommand(append(words, "--", lines[0])...)
	}
	if lacks != nil {
		v.Beyond = "Not in the API: " + strings.Join(lacks, ", ") + ". The Go package and the command have them."
	}
	v.Request = request(fields...)
}
