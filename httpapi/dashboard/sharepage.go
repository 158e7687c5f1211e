package dashboard

import (
	"errors"
	"net/http"

	"github.com/devkiln/devkiln/share"
)

// sharedView is the content of the page of one share.
type sharedView struct {
	page
	shareView
	Link string
}

func (s *site) sharePage(r *http.Request, current session) (response, error) {
	item, err := s.findShare(r, share.Kind(r.PathValue("kind")), r.PathValue("id"))
	if err != nil && !errors.Is(err, share.ErrReadOnce) {
		return response{}, err
	}
	if !current.sees(item.Owner) {
		return response{}, share.ErrNotFound
	}
	names, err := s.keyNames(r.Context())
	if err != nil {
		return response{}, err
	}
	v := sharedView{page: current.page("shares"), shareView: s.shareView(item, names)}
	v.Link = s.base(r) + v.Path
	title := item.Title
	if title == "" {
		title = "Untitled " + string(item.Kind)
	}
	return response{view: "share-page", title: title, content: v}, nil
}

// findShare returns the summary of a share.
func (s *site) findShare(r *http.Request, kind share.Kind, id string) (share.Summary, error) {
	switch kind {
	case share.KindLog:
		log, err := s.Shares.OpenLog(r.Context(), id)
		return share.Summary{
			Kind: kind, ID: id, Title: log.Title, Format: log.Format, Bytes: log.Bytes(),
			Owner: log.Owner, Created: log.Created, Expires: log.Expires,
		}, err
	case share.KindSnippet:
		snippet, err := s.Shares.Snippet(r.Context(), id)
		return share.Summary{
			Kind: kind, ID: id, Title: snippet.Title, Language: snippet.Language, Bytes: len(snippet.Code),
			Owner: snippet.Owner, Created: snippet.Created, Expires: snippet.Expires,
		}, err
	default:
		return share.Summary{}, share.ErrNotFound
	}
}
