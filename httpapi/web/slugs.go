package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/slugify"
)

// maxSlugText limits the text on the slug page, in characters, because the URL
// holds it.
const maxSlugText = 4000

// slugView is the content of the slug page.
type slugView struct {
	Text    string
	Form    layout.Form
	MaxText int
	Faults  layout.Faults
	slugResult
}

// slugResult is the result of the form, also sent to the page's script.
type slugResult struct {
	Slugs  string     `json:"slugs"` // one per line of the text
	Titles []slugLine `json:"titles"`
}

// A slugLine is a line of the text with its slug.
type slugLine struct {
	Title string `json:"title"`
	Slug  string `json:"slug"`
	Note  string `json:"note"` // which line has the same slug; may be empty
}

func (s *site) slug(r *http.Request) (*layout.Response, error) {
	v := readSlugForm(r.URL.Query())
	if negotiate.WantsJSON(r.Header) {
		if v.Faults != nil {
			return layout.Refuse(v.Faults)
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
	table := option.Of[slugify.Options]()
	err := table.SetQuery(&o, q)
	if err == nil {
		err = o.Validate()
	}
	v.Faults, _ = layout.FaultsOf(err)
	if n := utf8.RuneCountInString(v.Text); n > maxSlugText {
		v.Faults = append(v.Faults, layout.Fault{Field: "text", Message: fmt.Sprintf("has %s characters; this page takes %s, the API any number", layout.Thousands(n), layout.Thousands(maxSlugText))})
	}
	if v.Faults == nil {
		v.makeSlugs(o, numbered)
	}
	v.Form = layout.NewForm(table, q, v.Faults)
	unique := layout.Field{Name: "unique", Label: "Number equal slugs", IsSwitch: true}
	if numbered {
		unique.Value = "on"
	}
	v.Form.Main = append(v.Form.Main, unique)
	return v
}

// makeSlugs makes a slug of each line.
func (v *slugView) makeSlugs(o slugify.Options, numbered bool) {
	lines := strings.Split(v.Text, "\n")
	slugs, err := slugsOf(lines, o, numbered)
	if err != nil {
		v.Faults = layout.Faults{{Field: "maxLength", Message: "has no room for the numbers of equal slugs"}}
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
