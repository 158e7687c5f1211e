package dashboard

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/share"
)

// sharesPerPage limits the shares shown on a page and deleted at once.
const sharesPerPage = 50

// sharesView is the content of the page of shares.
type sharesView struct {
	page
	share.Query
	Now     time.Time
	Shares  []share.Summary
	Older   string // query of the next page; empty on the last page
	Deleted int

	Filtered     bool // search results, or not the first page
	NoneSelected bool // deletion without a selection
}

func (s *site) sharesPage(r *http.Request, current session) (*layout.Response, error) {
	query := share.Query{After: r.Form.Get("after"), Kind: share.Kind(r.Form.Get("kind")), Text: strings.TrimSpace(r.Form.Get("q")), Owner: cmp.Or(current.scope(), r.Form.Get("owner")), Limit: sharesPerPage}
	found, err := s.Shares.Find(r.Context(), query)
	if faults, _ := invalid.Of(err); len(faults) > 0 {
		return nil, layout.NoPage
	}
	if err != nil {
		return nil, err
	}
	v := sharesView{page: current.page("shares"), Query: query, Now: s.Now(), Shares: found.Shares, NoneSelected: r.Form.Has("none")}
	v.Filtered = v.After != "" || v.Kind != "" || v.Text != "" || v.Admin && v.Owner != ""
	if found.Next != "" {
		v.Older = "?" + url.Values{"after": {found.Next}, "kind": {string(query.Kind)}, "q": {query.Text}, "owner": {r.Form.Get("owner")}}.Encode()
	}
	v.Deleted, _ = strconv.Atoi(r.Form.Get("deleted")) // 0 unless shares were just deleted
	keys, err := s.Keys.List(r.Context())
	v.Names = byID(keys)
	if err != nil {
		return nil, err
	}
	return s.show(http.StatusOK, "share-list", "Shares", v)
}

// shareLabel returns the format or language of a share.
func shareLabel(item share.Summary) string {
	if item.Kind == share.KindSnippet {
		return layout.LanguageName(item.Language)
	}
	return map[share.Format]string{share.FormatJSON: "JSON"}[item.Format]
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
	Now    time.Time
	Shares []share.Summary
}

// deleteShares asks for confirmation or, once confirmed, deletes the shares.
func (s *site) deleteShares(r *http.Request, current session) (*layout.Response, error) {
	chosen := r.PostForm["share"]
	if only := r.PostForm.Get("only"); only != "" {
		chosen = []string{only}
	}
	if len(chosen) > sharesPerPage {
		return nil, layout.Unreadable
	}
	if len(chosen) == 0 {
		return s.redirect("/dashboard/shares?none"), nil
	}
	v := deleteView{page: current.page("shares"), Now: s.Now()}
	for _, cursor := range chosen {
		item, err := s.Shares.Listed(r.Context(), cursor)
		if err != nil && !errors.Is(err, share.ErrNotFound) {
			return nil, err
		}
		if err == nil && current.sees(item.Owner) {
			v.Shares = append(v.Shares, item)
		}
	}
	switch {
	case len(v.Shares) == 0:
		return s.redirect("/dashboard/shares"), nil
	case r.PostForm.Get("sure") == "":
		return s.show(http.StatusOK, "delete", "Delete shares", v)
	}
	return s.discard(r, current, v.Shares)
}

// discard deletes shares that the user has confirmed.
func (s *site) discard(r *http.Request, current session, shares []share.Summary) (*layout.Response, error) {
	var paths []string
	defer func() {
		if len(paths) > 0 {
			s.record(r, audit.Deleted, current.owner, strings.Join(paths, " "))
		}
	}()
	for _, item := range shares {
		err := s.Shares.Discard(r.Context(), item.Cursor())
		if err == nil {
			paths = append(paths, item.Kind.Path(item.ID))
		} else if !errors.Is(err, share.ErrNotFound) {
			return nil, err
		}
	}
	s.Log.InfoContext(r.Context(), "shares deleted", "count", len(paths), "owner", current.owner, "address", origin.ClientAddr(r, s.TrustedProxies))
	return s.redirect("/dashboard/shares?deleted=" + strconv.Itoa(len(paths))), nil
}
