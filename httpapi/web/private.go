package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/share"
)

// Read-once and encrypted shares have a page of their own. For a read-once
// share it shows only a button, because programs that fetch links for previews
// do not press buttons. A script decrypts encrypted shares.

// readOnce refuses to read a read-once share in any other way.
var readOnce = layout.Failure{
	Status: http.StatusConflict, Title: "This can be read once",
	Text: "Reading deletes it. Open its link in a browser, or send a POST to the link with /read appended.",
}

// encrypted refuses an operation that needs the plain content.
var encrypted = layout.Failure{
	Status: http.StatusConflict, Title: "This is encrypted",
	Text: "The server cannot read it. Open its whole link, with what follows the #, in a browser.",
}

// isPrivate reports whether a share has the page of private shares, given the
// error of reading it.
func isPrivate(encrypted bool, err error) bool {
	return errors.Is(err, share.ErrReadOnce) || err == nil && encrypted
}

// openLog returns a log of any size that is not encrypted.
func (s *site) openLog(r *http.Request, id string) (share.Log, error) {
	log, err := s.Shares.OpenLog(r.Context(), id)
	if err == nil && log.Encrypted {
		err = encrypted
	}
	return log, err
}

// openSnippet returns a snippet that is not encrypted.
func (s *site) openSnippet(r *http.Request, id string) (share.Snippet, error) {
	snippet, err := s.Shares.Snippet(r.Context(), id)
	if err == nil && snippet.Encrypted {
		err = encrypted
	}
	return snippet, err
}

// A privateView is the content of the page of a private share.
type privateView struct {
	shareView
	Kind      share.Kind
	Closed    bool // not read yet; a button reads it
	Burnt     bool // read for this page and deleted
	Encrypted bool
	content   string
	language  string // for a snippet
	file      string // name for a download
}

// Sealed returns the content for the script to decrypt; it may be empty.
func (v privateView) Sealed() string {
	if v.Encrypted {
		return v.content
	}
	return ""
}

func (s *site) privateLog(r *http.Request, log share.Log, err error) privateView {
	return privateView{
		shareView: s.shareView(r, "/logs/"+log.ID, or(log.Title, "Untitled log"), log.Expires),
		Kind:      share.KindLog, Closed: err != nil, Burnt: log.Burn && err == nil, Encrypted: log.Encrypted,
		content: log.Content, file: fileName(log.Title, "log-"+log.ID, logExtension(log)),
	}
}

func (s *site) privateSnippet(r *http.Request, snippet share.Snippet, err error) privateView {
	return privateView{
		shareView: s.shareView(r, "/snippets/"+snippet.ID, or(snippet.Title, "Untitled snippet"), snippet.Expires),
		Kind:      share.KindSnippet, Closed: err != nil, Burnt: snippet.Burn && err == nil, Encrypted: snippet.Encrypted,
		content: snippet.Code, language: snippet.Language, file: fileName(snippet.Title, "snippet-"+snippet.ID, strings.ToLower(language.Extension(snippet.Language))),
	}
}

// showPrivate shows the page, with the content if it was read and is not
// encrypted.
func (s *site) showPrivate(r *http.Request, v privateView) (*layout.Response, error) {
	if err := reserve(r, codeWeight*len(v.content)); err != nil {
		return nil, err
	}
	v.Once = v.Closed
	switch {
	case v.Encrypted:
		v.Title, v.Facts = "An encrypted "+string(v.Kind), []string{"Encrypted"}
	case v.Closed:
		v.Title = "A " + string(v.Kind) + " to be read once"
	default:
		err := fair.Do(r.Context(), firstView, func() error {
			if v.Kind == share.KindLog {
				v.Listing = listing.Log(v.content, listing.Options{})
			} else {
				v.Listing = listing.Code(v.content, v.language, listing.Options{MaxWork: firstView})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		v.Facts = []string{layout.Plural(v.Lines, "line"), layout.Size(len(v.content))}
	}
	p := layout.Page{Title: v.Title, Styles: []string{"lines.css", "viewer.css", "ansi.css"}, Scripts: v.scripts("private.js"), Private: true, Wide: true, Content: v}
	if v.Burnt && !v.Encrypted {
		p.Large = v.Listing
	}
	a, err := s.Render("private", p)
	if err != nil {
		return nil, err
	}
	return negotiated(a.NameOrigin()), nil
}

func (s *site) takeLog(r *http.Request) (*layout.Response, error) {
	if s.foreign(r) != nil {
		return nil, layout.Foreign
	}
	log, err := s.Shares.TakeLog(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return s.showTaken(r, s.privateLog(r, log, nil))
}

func (s *site) takeSnippet(r *http.Request) (*layout.Response, error) {
	if s.foreign(r) != nil {
		return nil, layout.Foreign
	}
	snippet, err := s.Shares.TakeSnippet(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return s.showTaken(r, s.privateSnippet(r, snippet, nil))
}

// showTaken responds with a share that is now deleted. If the page cannot be
// made, it sends the content as text.
func (s *site) showTaken(r *http.Request, v privateView) (*layout.Response, error) {
	switch {
	case !v.Burnt:
		return layout.SeeOther(v.Path), nil
	case r.URL.Query().Has("file"):
		return attached(raw(v.content), v.file), nil
	case !s.wantsPage(r):
		return raw(v.content), nil
	}
	a, err := s.showPrivate(r, v)
	if err != nil {
		s.Log.WarnContext(r.Context(), "no page for a share that is read once: sent as text", "error", err)
		return raw(v.content), nil
	}
	return a, nil
}
