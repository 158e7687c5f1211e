package web

import (
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/httpapi/web/layout"
	"github.com/devkiln/devkiln/slugify"
)

// maxSlugText is how many characters the slug page takes at a time: they are in
// its address.
const maxSlugText = 4000

// A choice is an option of a select.
type choice struct {
	Value, Name string
	Chosen      bool
}

// slugView is the content of the slug page.
type slugView struct {
	Text       string
	Separators []choice
	Languages  []choice
	KeepCase   bool
	MaxLength  string
	MaxText    int

	Problems []layout.Problem
	Slugs    []string // one for each line of the text
	Request  string
	Beyond   string // what was chosen that the API does not have; may be empty
}

var separators = [...]choice{
	{Value: "-", Name: "Hyphen -"}, {Value: "_", Name: "Underscore _"}, {Value: ".", Name: "Dot ."}, {Value: "~", Name: "Tilde ~"}, {Value: "", Name: "Nothing"},
}

var slugLanguages = [...]choice{
	{Value: "", Name: "Any language"},
	{Value: "bg", Name: "Bulgarian"},
	{Value: "cs", Name: "Czech"},
	{Value: "nl", Name: "Dutch"},
	{Value: "en", Name: "English"},
	{Value: "fi", Name: "Finnish"},
	{Value: "fr", Name: "French"},
	{Value: "de", Name: "German"},
	{Value: "el", Name: "Greek"},
	{Value: "hu", Name: "Hungarian"},
	{Value: "id", Name: "Indonesian"},
	{Value: "it", Name: "Italian"},
	{Value: "kk", Name: "Kazakh"},
	{Value: "nb", Name: "Norwegian Bokmål"},
	{Value: "nn", Name: "Norwegian Nynorsk"},
	{Value: "pl", Name: "Polish"},
	{Value: "pt", Name: "Portuguese"},
	{Value: "ro", Name: "Romanian"},
	{Value: "sl", Name: "Slovenian"},
	{Value: "es", Name: "Spanish"},
	{Value: "sv", Name: "Swedish"},
	{Value: "tr", Name: "Turkish"},
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
		return layout.JSON(map[string]string{"slugs": strings.Join(v.Slugs, "\n"), "request": v.Request, "beyond": v.Beyond})
	}
	return s.Render("slug", layout.Page{
		Title: "Slug", Path: "/slug", Styles: []string{"tool.css"}, Scripts: []string{"slug.js"},
		Description: "Make a slug: any text as a clean part of an address.", Content: v,
	})
}

// readSlugForm reads the query of the slug page and does what it asks. Without
// a text it shows the example.
func readSlugForm(r *http.Request) slugView {
	q := r.URL.Query()
	v := slugView{Text: exampleSlug, KeepCase: q.Get("case") == "keep", MaxLength: q.Get("max"), MaxText: maxSlugText}
	if q.Has("text") {
		v.Text = strings.ReplaceAll(q.Get("text"), "\r\n", "\n")
	}
	separator := "-"
	if q.Has("separator") {
		separator = q.Get("separator")
	}
	v.Separators = chosen(separators[:], separator)
	v.Languages = chosen(slugLanguages[:], q.Get("language"))
	o := slugify.Options{Separator: &separator, KeepCase: v.KeepCase, Language: q.Get("language")}
	if v.MaxLength != "" {
		n, ok := layout.Whole(v.MaxLength)
		if !ok {
			v.Problems = append(v.Problems, layout.Problem{Field: "maxLength", Message: "must be a whole number"})
		}
		o.MaxLength = n
	}
	maker, err := slugify.NewMaker(o)
	found, _ := layout.Problems(err)
	v.Problems = append(v.Problems, found...)
	if n := utf8.RuneCountInString(v.Text); n > maxSlugText {
		v.Problems = append(v.Problems, layout.Problem{Field: "text", Message: fmt.Sprintf("has %s characters; this page takes %s, the API any number", layout.Thousands(n), layout.Thousands(maxSlugText))})
	}
	if v.Problems != nil {
		return v
	}
	for line := range strings.SplitSeq(v.Text, "\n") {
		v.Slugs = append(v.Slugs, maker.Make(line))
	}
	first, _, _ := strings.Cut(v.Text, "\n")
	fields := []any{"text", first}
	if separator != "-" {
		fields = append(fields, "separator", separator)
	}
	if v.KeepCase {
		fields = append(fields, "lowercase", false)
	}
	v.Request, v.Beyond = request(fields...), beyondAPI(o, len(v.Slugs))
	return v
}

// beyondAPI says which of the options a request cannot have.
func beyondAPI(o slugify.Options, lines int) string {
	var all []string
	if o.Language != "" {
		all = append(all, "language")
	}
	if o.MaxLength > 0 {
		all = append(all, "longest slug")
	}
	if lines > 1 {
		all = append(all, "lines after the first")
	}
	if all == nil {
		return ""
	}
	return "The API does not have: " + strings.Join(all, ", ") + ". The Go package and the command do."
}
