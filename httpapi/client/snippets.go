package client

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
	"time"
)

const snippets = "/api/v1/code-snippet-share"

// SnippetRequest is a request to share a snippet. Code is required.
type SnippetRequest struct {
	Code     string `json:"code"`             // 1 to 100,000 characters
	Language string `json:"language"`         // a name or alias; "auto" or "" is detected
	Title    string `json:"title,omitempty"`  // at most 100 characters
	Expiry   string `json:"expiry,omitempty"` // 1h, 24h (the default), 7d, 30d or never

	// Burn makes the snippet readable once, by [Client.TakeSnippet] or by a button
	// on its page.
	Burn bool `json:"-"`

	// IdempotencyKey identifies the request: within 24 hours the server creates
	// one snippet for it, and returns that snippet for repeated requests. ""
	// means a random key for each call.
	IdempotencyKey string `json:"-"`

	// Encrypted says that the content was encrypted by package share/seal. Title
	// must be empty.
	Encrypted bool `json:"-"`
}

// SharedSnippet describes a snippet that was just shared.
type SharedSnippet struct {
	ID        string     `json:"id"`
	URL       string     `json:"url"`      // the path of its page
	FullURL   string     `json:"fullUrl"`  // the whole URL of its page
	Language  string     `json:"language"` // as sent, or as detected
	ExpiresAt *time.Time `json:"expiresAt"`
}

// Snippet is a shared snippet.
type Snippet struct {
	SharedSnippet
	Code  string `json:"code"`
	Title string `json:"title"`
}

// ShareSnippet shares a snippet.
func (c *Client) ShareSnippet(ctx context.Context, in SnippetRequest) (SharedSnippet, error) {
	return call[SharedSnippet](ctx, c, exchange{method: http.MethodPost, path: withQuery(snippets, readers(in.Burn, in.Encrypted)), in: in, key: cmp.Or(in.IdempotencyKey, rand.Text())})
}

// Snippet returns a snippet. If it does not exist or has expired, the error is
// an *Error with status 404; if it is read once, one with the code "read_once".
func (c *Client) Snippet(ctx context.Context, id string) (Snippet, error) {
	return call[Snippet](ctx, c, exchange{method: http.MethodGet, path: snippets + "/" + url.PathEscape(id)})
}

// TakeSnippet is like Snippet, but also reads a snippet that is read once, as
// [Client.TakeLog] does.
func (c *Client) TakeSnippet(ctx context.Context, id string) (Snippet, error) {
	return call[Snippet](ctx, c, exchange{method: http.MethodPost, path: snippets + "/" + url.PathEscape(id) + "/read", notIdempotent: true})
}
