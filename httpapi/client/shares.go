package client

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SharesQuery selects the shares that [Client.Shares] returns. The zero value
// selects the 50 newest.
type SharesQuery struct {
	Kind  string // log or snippet; "" means both
	Text  string // a substring of the title, ignoring case
	After string // SharesPage.Next of the previous page; "" for the first
	Limit int    // the maximum number of shares, 1 to 1,000; 0 means 50
}

// SharesPage is a page of the list of shares. It may hold fewer shares than the
// limit, or none, and still have a Next.
type SharesPage struct {
	Shares []Share `json:"shares"` // newest first
	Next   string  `json:"next"`   // After of the next page; "" on the last page
}

// Share is a log or a snippet without its content.
type Share struct {
	Kind      string     `json:"kind"` // log or snippet
	ID        string     `json:"id"`
	URL       string     `json:"url"`                // the path of its page
	Title     string     `json:"title"`              // the first 200 characters of the title
	Format    string     `json:"format,omitempty"`   // format of a log
	Language  string     `json:"language,omitempty"` // language of a snippet
	Bytes     int        `json:"bytes"`              // length of its content
	CreatedAt time.Time  `json:"createdAt"`
	ExpiresAt *time.Time `json:"expiresAt"` // nil means never
}

const shares = "/api/v1/shares"

// Shares returns a page of the list of shares of this client's key.
func (c *Client) Shares(ctx context.Context, q SharesQuery) (SharesPage, error) {
	parameters := map[string]string{"kind": q.Kind, "q": q.Text, "after": q.After}
	if q.Limit != 0 {
		parameters["limit"] = strconv.Itoa(q.Limit)
	}
	return call[SharesPage](ctx, c, exchange{method: http.MethodGet, path: withQuery(shares, parameters)})
}

// DeleteShares deletes shares of this client's key, given the paths of their
// pages, with a request for every 100. It reports for each share whether it was
// deleted; after an error, for those whose request succeeded.
func (c *Client) DeleteShares(ctx context.Context, urls ...string) (deleted []bool, err error) {
	for batch := range slices.Chunk(urls, 100) { // what one request deletes
		out, err := call[struct{ Results []struct{ Deleted bool } }](ctx, c, exchange{
			method: http.MethodPost, path: shares + "/delete", in: map[string][]string{"urls": batch}, notIdempotent: true,
		})
		if err != nil {
			return deleted, err
		}
		for _, result := range out.Results {
			deleted = append(deleted, result.Deleted)
		}
	}
	return deleted, nil
}

// readers returns the parameters that say who can read a new share.
func readers(burn, encrypted bool) map[string]string {
	return map[string]string{"burn": valueIf(burn, "1"), "encrypted": valueIf(encrypted, "1")}
}

// valueIf returns value if set, else "".
func valueIf(set bool, value string) string {
	if set {
		return value
	}
	return ""
}

// withQuery returns path with the parameters that are not empty.
func withQuery(path string, parameters map[string]string) string {
	query := make(url.Values)
	for name, value := range parameters {
		if value != "" {
			query.Set(name, value)
		}
	}
	return strings.TrimSuffix(path+"?"+query.Encode(), "?")
}
