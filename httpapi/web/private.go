package web

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
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
	log, err := s.Shares.Log(r.Context(), id)
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
	Kind     share.Kind
	Closed   bool   // not read yet; a button reads it
	Burnt    bool   // read for this page and deleted
	Sealed   string // the content for the script to decrypt; may be empty
	Headline headline
	Language string     // of a snippet
	Files    []diffFile // of a diff
	content  string
	file     string // name for a download
}

// private returns the view of a share, given the error of reading it.
func (s *site) private(r *http.Request, kind share.Kind, i share.Info, err error) privateView {
	return privateView{shareView: s.shareView(r, kind, i), Kind: kind, Closed: err != nil, Burnt: i.Burn && err == nil}
}

func (s *site) privateLog(r *http.Request, log share.Log, err error) privateView {
	v := s.private(r, share.KindLog, log.Info, err)
	if v.Burnt && !v.Encrypted {
		v.Headline = newHeadline(log.Summary().Report)
	}
	v.content, v.file = log.Content, fileName(log.Title, "log-"+log.ID, logExtension(log))
	return v
}

func (s *site) privateSnippet(r *http.Request, snippet share.Snippet, err error) privateView {
	v := s.private(r, share.KindSnippet, snippet.Info, err)
	v.content, v.Language, v.file = snippet.Code, snippet.Language, snippetFile(snippet)
	return v
}

// At returns the URL of a line.
func (privateView) At(line int) string { return fmt.Sprintf("#L%d", line) }

// showPrivate shows the page, with the content if it was read and is not
// encrypted.
func (s *site) showPrivate(r *http.Request, v privateView) (*layout.Response, error) {
	if err := reserve(r, codeWeight*len(v.content)); err != nil {
		return nil, err
	}
	v.Once = v.Closed
	switch {
	case v.Encrypted:
		v.Title, v.Facts, v.Sealed = "An encrypted "+string(v.Kind), []string{"Encrypted"}, v.content
	case v.Closed:
		v.Title = "This " + string(v.Kind) + " can be read once"
	default:
		v.Listing = listing.Log(v.content, listing.Options{Folds: listing.FoldsOf(v.content, 0, nil, v.Headline.Failures)})
		if v.Kind == share.KindSnippet {
			var err error
			if v.Listing, v.Files, err = codeListing(r.Context(), v.content, v.Language); err != nil {
				return nil, err
			}
		}
		v.Facts = []string{layout.Plural(v.Lines, "line"), layout.Size(len(v.content))}
	}
	p := layout.Page{Title: v.Title, Styles: []string{"lines.css", "viewer.css", "ansi.css"}, Scripts: v.scripts("private.js"), Private: true, Wide: true, HasForm: true, Negotiated: true, Content: v}
	if v.Burnt && !v.Encrypted {
		p.Large, p.Scripts = v.Listing, v.scripts("rows.js")
	}
	return s.Render("private", p)
}

// take returns the handler that reads and deletes a share of a kind.
func (s *site) take(kind share.Kind) handler {
	return func(r *http.Request) (*layout.Response, error) {
		if kind == share.KindLog {
			log, err := s.Shares.TakeLog(r.Context(), r.PathValue("id"))
			return s.showTaken(r, s.privateLog(r, log, nil), err)
		}
		snippet, err := s.Shares.TakeSnippet(r.Context(), r.PathValue("id"))
		return s.showTaken(r, s.privateSnippet(r, snippet, nil), err)
	}
}

// showTaken responds with a share that is now deleted. If the page cannot be
// made, it sends the content as text.
func (s *site) showTaken(r *http.Request, v privateView, err error) (*layout.Response, error) {
	switch {
	case err != nil:
		return nil, err
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

// Whoever shares without a key owns the share nevertheless: the page after
// sharing has a link that deletes it. The token in that link is not stored; the
// owner of the share is its hash.

// visitorOwner returns the owner of what a visitor shares with a token.
func visitorOwner(token string) string {
	sum := sha256.Sum256([]byte(token))
	return publicOwner + "/" + hex.EncodeToString(sum[:16])
}

// askDelete shows which share that is and a button that deletes it to whoever has
// its token, and to others who can delete it.
func (s *site) askDelete(r *http.Request) (*layout.Response, error) {
	token := r.URL.Query().Get("token")
	log, err := s.Shares.Log(r.Context(), r.PathValue("id"))
	snippet, alsoErr := s.Shares.Snippet(r.Context(), r.PathValue("id"))
	shared := log.Info
	if shared.Created.IsZero() {
		shared = snippet.Info
	}
	if shared.Created.IsZero() {
		return nil, errors.Join(err, alsoErr)
	}
	p := layout.Page{Title: "Delete this share?", Private: true, HasForm: true}
	if shared.Owner != visitorOwner(token) {
		p = layout.Page{Status: http.StatusForbidden, Title: "You cannot delete this share", Private: true}
	}
	p.Content = map[string]any{"Title": p.Title, "Token": token, "Path": s.Path(strings.TrimSuffix(r.URL.Path, "/delete")), "Shared": shared, "Own": p.HasForm}
	return s.Render("delete", p)
}

// deleted tells that a share was deleted.
var deleted = layout.Failure{
	Status: http.StatusOK, Title: "Share deleted",
	Text: "Its link stopped working, and nothing of it is kept.",
}

// deleteShare returns the handler that deletes shares of a kind.
func (s *site) deleteShare(kind share.Kind) handler {
	return func(r *http.Request) (*layout.Response, error) {
		err := s.Shares.Delete(r.Context(), kind, r.PathValue("id"), visitorOwner(r.URL.Query().Get("token")))
		if errors.Is(err, share.ErrNotFound) {
			return s.askDelete(r)
		}
		return nil, cmp.Or[error](err, deleted)
	}
}
