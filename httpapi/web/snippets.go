package web

import (
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/httpapi/internal/markdown"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share"
)

// A snippetView is the content of the page of a snippet.
type snippetView struct {
	shareView

	Language string
	Edit     string        // URL of a new share that starts with the code; may be empty
	Markdown bool          // the code can be shown as a document
	Document template.HTML // the rendered document, unless its source is requested

	NoColors   string       // why the code has no colours; may be empty
	NoDocument bool         // the document costs too much to render
	Image      template.URL // URL fragment that opens the studio with the code; may be empty
	NoImage    string       // why Image is empty
}

// codeWeight is the memory in bytes for each byte of code, with tokens and
// markup.
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
	if err := reserve(r, codeWeight*len(snippet.Code)); err != nil {
		return nil, err
	}
	v := snippetView{shareView: s.shareView(r, "/snippets/"+snippet.ID, or(snippet.Title, "Untitled snippet"), snippet.Expires)}
	v.Language, v.Markdown = snippet.Language, snippet.Language == "markdown"
	if v.Markdown && r.URL.Query().Get("view") != "source" {
		if err := fair.Do(r.Context(), markdown.Work(snippet.Code)+fenceTime, func() error { return v.read(snippet.Code) }); err != nil {
			return nil, err
		}
	}
	if v.Document == "" {
		code, err := s.colored.code(r.Context(), snippet.ID, snippet.Code, snippet.Language)
		if err != nil {
			return nil, err
		}
		v.Listing, v.NoColors = code.Listing, code.Note()
	} else {
		v.Lines = 1 + strings.Count(highlight.NormalNewlines(snippet.Code), "\n")
	}
	if s.Sharing.enabled() {
		v.Edit = s.Path("/?from=" + snippet.ID)
	}
	v.Masked = maskedNote(snippet.Masked)
	v.Image, v.NoImage = imageFragment(snippet)
	v.Facts = append([]string{layout.LanguageName(snippet.Language), layout.Plural(v.Lines, "line"), layout.Size(len(snippet.Code))}, blank(snippet.Code)...)
	return s.renderSnippet(v)
}

func (s *site) renderSnippet(v snippetView) (*layout.Response, error) {
	p := layout.Page{
		Title: v.Title, Description: s.preview(v.Facts), Picture: v.Card,
		Styles: []string{"lines.css", "viewer.css"}, Scripts: v.scripts("snippet.js"), Private: true, Wide: true, Content: v,
	}
	if v.Document == "" {
		p.Large = v.Listing
	} else {
		p.Styles = append(p.Styles, "document.css")
	}
	a, err := s.Render("snippet", p)
	if err != nil {
		return nil, err
	}
	return negotiated(a), nil
}

// fenceTime limits the time of lexers for the code in a document.
const fenceTime = 300 * time.Millisecond

// read fills in the document, if it is possible.
func (v *snippetView) read(code string) error {
	shown, err := markdown.HTML(code, listing.Blocks(fenceTime))
	if errors.Is(err, markdown.ErrTooMuch) {
		v.NoDocument, err = true, nil
	}
	v.Document = shown
	return err
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

// imageFragment returns the URL fragment that opens the studio with a snippet,
// or the reason why there is none.
func imageFragment(snippet share.Snippet) (fragment template.URL, whyNot string) {
	if n := utf8.RuneCountInString(snippet.Code); n > screenshot.MaxCode {
		return "", fmt.Sprintf("An image takes %s characters, and this snippet has %s.", layout.Thousands(screenshot.MaxCode), layout.Thousands(n))
	}
	fragment = studioFragment(snippet.Code, screenshot.Options{Language: snippet.Language, WindowTitle: shortTitle(snippet.Title)})
	if fragment == "" {
		whyNot = "This snippet cannot become an image."
	}
	return fragment, whyNot
}
