package web

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/internal/drawing"
	"github.com/devkiln/devkiln/httpapi/web/layout"
	"github.com/devkiln/devkiln/httpapi/web/listing"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/share"
)

// A snippetView is the content of the page of a snippet.
type snippetView struct {
	shareView

	Language string
	Image    template.URL // the fragment that opens the studio with it; may be empty
	NoImage  string       // then: why not
}

// codeWeight is how many bytes a byte of code takes with its tokens and markup.
const codeWeight = 12

func (s *site) viewSnippet(r *http.Request) (*layout.Response, error) {
	if id, kind, ok := picturePath(r); ok {
		return s.snippetPicture(r, id, kind)
	}
	snippet, err := s.Shares.Snippet(r.Context(), r.PathValue("id"))
	if s.wantsPage(r) && isPrivate(snippet.Encrypted, err) {
		return s.showPrivate(r, s.privateSnippet(r, snippet, err))
	}
	if err != nil {
		return nil, err
	}
	if !s.wantsPage(r) {
		return negotiated(raw(snippet.Code)), nil
	}
	if err := hold(r, codeWeight*len(snippet.Code)); err != nil {
		return nil, err
	}
	v := snippetView{shareView: s.shareView(r, "/snippets/"+snippet.ID, or(snippet.Title, "Untitled snippet"), snippet.Expires)}
	err = drawing.Do(r.Context(), 0, func() error {
		v.Listing = listing.Code(snippet.Code, snippet.Language, listing.Options{})
		return nil
	})
	if err != nil {
		return nil, err
	}
	v.Language = snippet.Language
	v.Masked = maskedNote(snippet.Masked)
	v.Image, v.NoImage = imageFragment(snippet)
	v.Facts = append([]string{languageLabel(snippet.Language), layout.Plural(v.Lines, "line"), layout.Size(len(snippet.Code))}, blank(snippet.Code)...)
	a, err := s.Render("snippet", layout.Page{Title: v.Title, Description: s.preview(v.Facts), Styles: []string{"lines.css", "viewer.css"}, Picture: v.Card, Scripts: v.scripts("snippet.js"), Private: true, Wide: true, Content: v, Large: v.Listing})
	if err != nil {
		return nil, err
	}
	return negotiated(a), nil
}

func (s *site) rawSnippet(r *http.Request) (*layout.Response, error) {
	snippet, err := s.Shares.Snippet(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return raw(snippet.Code), nil
}

func (s *site) downloadSnippet(r *http.Request) (*layout.Response, error) {
	snippet, err := s.Shares.Snippet(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return attached(raw(snippet.Code), fileName(snippet.Title, "snippet-"+snippet.ID, strings.ToLower(language.Extension(snippet.Language)))), nil
}

// imageFragment returns the fragment that opens the studio with a snippet, or
// says why there is none.
func imageFragment(snippet share.Snippet) (fragment template.URL, whyNot string) {
	if n := utf8.RuneCountInString(snippet.Code); n > screenshot.MaxCode {
		return "", fmt.Sprintf("An image takes %s characters, and this snippet has %s.", layout.Thousands(screenshot.MaxCode), layout.Thousands(n))
	}
	title := snippet.Title
	if utf8.RuneCountInString(title) > screenshot.MaxTitle {
		title = ""
	}
	c, err := screenshot.New(snippet.Code, screenshot.Options{Language: snippet.Language, WindowTitle: title})
	if err != nil {
		return "", "This snippet cannot become an image."
	}
	text, err := c.Fragment()
	if err != nil {
		return "", "This snippet cannot become an image."
	}
	return template.URL(text), ""
}

// languageLabel is how a language is called by those who made it.
func languageLabel(name string) string {
	label := map[string]string{"jsx": "JSX", language.Text: "Text"}[name]
	label = cmp.Or(label, language.Display(name))
	return strings.ToUpper(label[:1]) + label[1:]
}
