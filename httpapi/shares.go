package httpapi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/internal/fields"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/share"
)

// ownShares is the response to GET /api/v1/shares.
type ownShares struct {
	Success bool       `json:"success"`
	Shares  []ownShare `json:"shares"`
	Next    *string    `json:"next"` // null on the last page
}

// ownShare is a share of the requesting key's owner.
type ownShare struct {
	Kind      share.Kind    `json:"kind"`
	ID        string        `json:"id"`
	URL       string        `json:"url"`
	Title     string        `json:"title"`
	Format    *share.Format `json:"format"`   // null for a snippet
	Language  *string       `json:"language"` // null for a log
	Bytes     int           `json:"bytes"`
	CreatedAt *timestamp    `json:"createdAt"`
	ExpiresAt *timestamp    `json:"expiresAt"`
}

// decodeShareQuery reads the filter for shares from a query.
func decodeShareQuery(f *fields.Set) share.Query {
	query := share.Query{Kind: share.Kind(f.Filled("kind", "not_one_of")), Text: f.Text("q"), After: f.Filled("after", "invalid_format")}
	if text, ok := f.Lookup("limit"); ok {
		limit, err := strconv.Atoi(text)
		if query.Limit = limit; err != nil || limit == 0 {
			f.Reject("limit", "out_of_range", fmt.Sprintf("must be a whole number from 1 to %d", share.MaxFound))
		}
	}
	return query
}

// listShares lists the shares of the requesting key's owner.
func (s *server) listShares(q *request) (response, error) {
	f, err := fields.FromQuery(q.URL.RawQuery, "kind", "q", "after", "limit")
	if err != nil {
		return response{}, err
	}
	query := decodeShareQuery(f)
	if err := f.Check(query.Validate()); err != nil {
		return response{}, err
	}
	query.Owner = q.key.ShareOwner()
	page, err := s.Shares.Find(q.Context(), query)
	if err != nil {
		return response{}, err
	}
	out := ownShares{Success: true, Shares: make([]ownShare, len(page.Shares)), Next: nullIfEmpty(page.Next)}
	for i, item := range page.Shares {
		out.Shares[i] = ownShare{
			item.Kind, item.ID, item.Kind.Path(item.ID), item.Title, nullIfEmpty(item.Format), nullIfEmpty(item.Language), item.Bytes,
			timestampOf(item.Created), timestampOf(item.Expires),
		}
	}
	return encodeJSON(out)
}

// nullIfEmpty returns nil, which is null in JSON, for the empty string.
func nullIfEmpty[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}

// maxDeletions is the maximum number of shares that one request can delete.
const maxDeletions = 100

// deletions is the response to POST /api/v1/shares/delete.
type deletions struct {
	Success bool       `json:"success"`
	Results []deletion `json:"results"`
}

// deletion is the outcome for one share.
type deletion struct {
	URL     string `json:"url"`
	Deleted bool   `json:"deleted"` // false if the owner has no such share, or it has expired
}

// decodeDeletion reads which shares to delete.
func decodeDeletion(f *fields.Set) (urls []string) {
	f.Require("urls")
	urls = f.Texts("urls")
	if len(urls) > maxDeletions {
		f.Reject("urls", "too_many", fmt.Sprintf("must be at most %d, not %d", maxDeletions, len(urls)))
		return nil
	}
	for i, url := range urls {
		if _, _, ok := share.ParsePath(url); !ok {
			f.Reject(fmt.Sprintf("urls[%d]", i), "invalid_format", "must be the url of a share, /logs/ or /snippets/ and its id")
		}
	}
	return urls
}

// deleteShares deletes shares of the requesting key's owner, one after another.
func (s *server) deleteShares(q *request) (response, error) {
	urls := decodeDeletion(q.fields)
	if err := q.fields.Check(nil); err != nil {
		return response{}, err
	}
	out := deletions{Success: true, Results: make([]deletion, len(urls))}
	var removed []string
	defer func() { s.recordDeletion(q, removed...) }()
	for i, url := range urls {
		kind, id, _ := share.ParsePath(url)
		err := s.Shares.Delete(q.Context(), kind, id, q.key.ShareOwner())
		if err != nil && !errors.Is(err, share.ErrNotFound) {
			return response{}, err
		}
		if out.Results[i] = (deletion{url, err == nil}); err == nil {
			removed = append(removed, url)
		}
	}
	return encodeJSON(out)
}

// deleteShare deletes the share that the path names. A share of another owner
// is treated as missing.
func deleteShare(kind share.Kind) operation {
	return func(s *server, q *request) (response, error) {
		err := s.Shares.Delete(q.Context(), kind, q.PathValue("id"), q.key.ShareOwner())
		if errors.Is(err, share.ErrNotFound) {
			return response{}, notFound("this key made no share with this id, or it has expired")
		}
		if err != nil {
			return response{}, err
		}
		s.recordDeletion(q, kind.Path(q.PathValue("id")))
		return encodeJSON(deleted{true})
	}
}

// recordDeletion records deleted shares in the audit trail. The deletion stands
// even if that fails.
func (s *server) recordDeletion(q *request, urls ...string) {
	if len(urls) == 0 {
		return
	}
	err := s.Audit.Add(q.Context(), audit.Event{
		At: q.now, Kind: audit.Deleted, Actor: q.key.ShareOwner(), Object: strings.Join(urls, " "), From: origin.ClientAddr(q.Request, s.TrustedProxies),
	})
	if err != nil {
		s.Log.WarnContext(q.Context(), "deletion not recorded in the audit trail", "request_id", q.id, "error", err)
	}
}
