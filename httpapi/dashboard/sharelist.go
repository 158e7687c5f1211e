package dashboard

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/share"
)

// sharesPerPage limits the shares shown on a page and deleted at once.
const sharesPerPage = 50

var unknownPage = layout.Failure{
	Status: http.StatusNotFound, Title: "There is no such page of shares",
	Text: "The address may be mistyped. The newest shares are on the first page.",
}

// Filtered reports whether the page shows search results or is not the first
// one.
func (v sharesView) Filtered() bool {
	return v.After != "" || v.Kind != "" || v.Text != "" || v.Admin && v.Owner != ""
}

// visitors starts the owners of what is shared without a key.
const visitors = "public/"

// shareView is a share as displayed.
type shareView struct {
	share.Summary
	Path  string // of its viewer
	Type  string // Log or Snippet
	Label string // format or language
	Made  string
	Key   string // name of the key that it was made with
	KeyID string // empty if there is no page about the key
	Own   bool   // made without a key in a session of the password
	// Visitor means that it was made without a key and a session.
	Visitor bool
	User    string // owner of the share; may be empty
	Left    string
}

// sharesView is the content of the page of shares.
type sharesView struct {
	page
	share.Query
	Shares  []shareView
	Older   string // query of the next page; empty on the last page
	Deleted int

	NoneSelected bool // deletion without a selection
}

func (s *site) sharesPage(r *http.Request, current session) (response, error) {
	query := share.Query{After: r.Form.Get("after"), Kind: share.Kind(r.Form.Get("kind")), Text: strings.TrimSpace(r.Form.Get("q")), Owner: cmp.Or(current.scope(), r.Form.Get("owner")), Limit: sharesPerPage}
	found, err := s.Shares.Find(r.Context(), query)
	if problems, _ := invalid.Of(err); len(problems) > 0 {
		return response{}, unknownPage
	}
	if err != nil {
		return response{}, err
	}
	v := sharesView{page: current.page("shares"), Query: query, NoneSelected: r.Form.Has("none")}
	if found.Next != "" {
		v.Older = "?" + url.Values{"after": {found.Next}, "kind": {string(query.Kind)}, "q": {query.Text}, "owner": {r.Form.Get("owner")}}.Encode()
	}
	if v.Deleted, err = strconv.Atoi(r.Form.Get("deleted")); err != nil {
		v.Deleted = 0
	}
	names, err := s.keyNames(r.Context())
	if err != nil {
		return response{}, err
	}
	for _, item := range found.Shares {
		v.Shares = append(v.Shares, s.shareView(item, names))
	}
	return response{view: "share-list", title: "Shares", content: v}, nil
}

// formatLabels maps formats of logs to labels.
var formatLabels = map[share.Format]string{share.FormatJSON: "JSON", share.FormatText: "Text"}

func (s *site) shareView(item share.Summary, names map[string]apikey.Key) shareView {
	v := shareView{Summary: item, Left: timeLeft(item.Expires, s.Now()), Made: ago(item.Created, s.Now()), Own: item.Owner == Owner, Visitor: strings.HasPrefix(item.Owner, visitors)}
	switch item.Kind {
	case share.KindLog:
		v.Path, v.Type, v.Label = "/logs/"+item.ID, "Log", formatLabels[item.Format]
	case share.KindSnippet:
		v.Path, v.Type, v.Label = "/snippets/"+item.ID, "Snippet", layout.LanguageName(item.Language)
	}
	v.User, _ = apikey.UserOf(item.Owner) // empty for a share made with a key
	if k, ok := names[item.Owner]; ok {
		v.Key, v.KeyID = k.Name, k.ID
	}
	return v
}

// keyNames returns all keys by ID.
func (s *site) keyNames(ctx context.Context) (map[string]apikey.Key, error) {
	keys, err := s.Keys.List(ctx)
	return byID(keys), err
}

func byID(keys []apikey.Key) map[string]apikey.Key {
	names := make(map[string]apikey.Key, len(keys))
	for _, k := range keys {
		names[k.ID] = k
	}
	return names
}

// deleteView is the content of the page that confirms a deletion.
type deleteView struct {
	page
	Shares []shareView
}

// deleteShares asks for confirmation or, once confirmed, deletes the shares.
func (s *site) deleteShares(r *http.Request, current session) (response, error) {
	chosen := r.PostForm["share"]
	if only := r.PostForm.Get("only"); only != "" {
		chosen = []string{only}
	}
	if len(chosen) > sharesPerPage {
		return response{}, layout.Unreadable
	}
	if len(chosen) == 0 {
		return response{to: "/dashboard/shares?none"}, nil
	}
	if r.PostForm.Get("sure") == "" {
		return s.confirmDelete(r.Context(), current, chosen)
	}
	var paths []string
	defer func() {
		if len(paths) > 0 {
			s.record(r, audit.Deleted, current.owner, strings.Join(paths, " "))
		}
	}()
	for _, cursor := range chosen {
		item, err := s.listed(r.Context(), current, cursor)
		if err == nil {
			err = s.Shares.Discard(r.Context(), cursor)
		}
		if errors.Is(err, share.ErrNotFound) {
			continue
		}
		if err != nil {
			return response{}, err
		}
		paths = append(paths, item.Kind.Path(item.ID))
	}
	s.Log.InfoContext(r.Context(), "shares deleted", "count", len(paths), "owner", current.owner, "address", s.ClientAddr(r))
	return response{to: "/dashboard/shares?deleted=" + strconv.Itoa(len(paths))}, nil
}

func (s *site) confirmDelete(ctx context.Context, current session, chosen []string) (response, error) {
	v := deleteView{page: current.page("shares")}
	for _, cursor := range chosen {
		item, err := s.listed(ctx, current, cursor)
		if errors.Is(err, share.ErrNotFound) {
			continue
		}
		if err != nil {
			return response{}, err
		}
		v.Shares = append(v.Shares, s.shareView(item, nil))
	}
	if len(v.Shares) == 0 {
		return response{to: "/dashboard/shares"}, nil
	}
	return response{view: "delete", title: "Delete shares", content: v}, nil
}

// listed returns the share at a cursor if the user may see it.
func (s *site) listed(ctx context.Context, current session, cursor string) (share.Summary, error) {
	item, err := s.Shares.Listed(ctx, cursor)
	if err == nil && !current.sees(item.Owner) {
		return share.Summary{}, share.ErrNotFound
	}
	return item, err
}

// countedPages limits counting to that many pages of shares.
const countedPages = 10

// liveShares counts the shares of an owner, or all if owner is "". It stops
// after countedPages; more reports whether it did.
func (s *site) liveShares(ctx context.Context, owner string) (n int, more bool, err error) {
	query := share.Query{Owner: owner, Limit: share.MaxFound}
	for range countedPages {
		found, err := s.Shares.Find(ctx, query)
		if err != nil {
			return 0, false, err
		}
		n += len(found.Shares)
		if query.After = found.Next; query.After == "" {
			return n, false, nil
		}
	}
	return n, true, nil
}
