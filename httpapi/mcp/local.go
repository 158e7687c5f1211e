package mcp

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/share"
)

// Local is a Sharer in this process.
type Local struct {
	Service   *share.Service       // requires a list for list_shares
	Owner     string               // owner of what is shared
	MaxExpiry time.Duration        // longest life of what is shared; zero means Service's
	BaseURL   string               // prefix of links, without a trailing slash
	Deleted   func(urls ...string) // called with the URLs of deleted shares; may be nil
	Hold      func(int64) error    // called before bytes of memory are held for a call; may be nil
}

// Link returns the URL for the path of a share.
func (l Local) Link(path string) string { return l.BaseURL + path }

// ShareLog shares a log.
func (l Local) ShareLog(ctx context.Context, in client.LogRequest) (client.SharedLog, error) {
	log, err := l.Service.CreateLog(ctx, in.Content, share.LogOptions{
		Title: in.Title, Expiry: share.Expiry(in.Expiry), Format: share.Format(in.Format), Stats: in.Stats,
		Owner: l.Owner, MaxExpiry: l.MaxExpiry, IdempotencyKey: in.IdempotencyKey, Burn: in.Burn, Encrypted: in.Encrypted,
	})
	return sharedLog(log), err
}

// Log returns a log.
func (l Local) Log(ctx context.Context, id string) (client.Log, error) {
	log, err := l.Service.Log(ctx, id)
	return client.Log{SharedLog: sharedLog(log), Content: log.Content, Title: log.Title, Format: string(log.Format), Stats: log.Stats}, err
}

// ShareLogText shares a log of any size that the Service accepts.
func (l Local) ShareLogText(ctx context.Context, text io.Reader, in client.LogTextRequest) (client.SharedLog, error) {
	log, err := l.Service.CreateLogFrom(ctx, text, share.LogOptions{
		Title: in.Title, Expiry: share.Expiry(in.Expiry), Format: share.Format(in.Format), FitEnds: in.FitEnds,
		Owner: l.Owner, MaxExpiry: l.MaxExpiry, IdempotencyKey: in.IdempotencyKey,
	})
	return sharedLog(log), err
}

// textGrowth is how many bytes a tool holds for a byte of a log: the log, the
// masked log, and what it found in it.
const textGrowth = 4

// LogText returns the text of a log of any size.
func (l Local) LogText(ctx context.Context, id string) (io.ReadCloser, error) {
	log, err := l.Service.OpenLog(ctx, id)
	if err == nil && l.Hold != nil {
		err = l.Hold(textGrowth * int64(log.Bytes()))
	}
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	for part, err := range l.Service.LogText(ctx, log) {
		if err != nil {
			return nil, err
		}
		text.WriteString(part)
	}
	return io.NopCloser(strings.NewReader(text.String())), nil
}

func sharedLog(log share.Log) client.SharedLog {
	return client.SharedLog{ID: log.ID, URL: share.KindLog.Path(log.ID), ExpiresAt: optional(log.Expires)}
}

// ShareSnippet shares a snippet.
func (l Local) ShareSnippet(ctx context.Context, in client.SnippetRequest) (client.SharedSnippet, error) {
	snippet, err := l.Service.CreateSnippet(ctx, in.Code, share.SnippetOptions{
		Language: in.Language, Title: in.Title, Expiry: share.Expiry(in.Expiry), Owner: l.Owner, MaxExpiry: l.MaxExpiry, IdempotencyKey: in.IdempotencyKey, Burn: in.Burn, Encrypted: in.Encrypted,
	})
	return l.sharedSnippet(snippet), err
}

// Snippet returns a snippet.
func (l Local) Snippet(ctx context.Context, id string) (client.Snippet, error) {
	snippet, err := l.Service.Snippet(ctx, id)
	return client.Snippet{SharedSnippet: l.sharedSnippet(snippet), Code: snippet.Code, Title: snippet.Title}, err
}

func (l Local) sharedSnippet(s share.Snippet) client.SharedSnippet {
	url := share.KindSnippet.Path(s.ID)
	return client.SharedSnippet{ID: s.ID, URL: url, FullURL: l.Link(url), Language: s.Language, ExpiresAt: optional(s.Expires)}
}

// Shares lists the shares of the owner.
func (l Local) Shares(ctx context.Context, q client.SharesQuery) (client.SharesPage, error) {
	page, err := l.Service.Find(ctx, share.Query{Kind: share.Kind(q.Kind), Owner: l.Owner, Text: q.Text, After: q.After, Limit: q.Limit})
	list := make([]client.Share, len(page.Shares))
	for i, s := range page.Shares {
		list[i] = client.Share{
			Kind: string(s.Kind), ID: s.ID, URL: s.Kind.Path(s.ID), Title: s.Title, Format: string(s.Format),
			Language: s.Language, Bytes: s.Bytes, CreatedAt: s.Created, ExpiresAt: optional(s.Expires),
		}
	}
	return client.SharesPage{Shares: list, Next: page.Next}, err
}

// DeleteShares deletes shares of the owner, and reports for each whether it was
// deleted.
func (l Local) DeleteShares(ctx context.Context, urls ...string) ([]bool, error) {
	deleted := make([]bool, len(urls))
	for i, url := range urls {
		kind, id, _ := share.ParsePath(url)
		err := l.Service.Delete(ctx, kind, id, l.Owner)
		if err != nil && !errors.Is(err, share.ErrNotFound) {
			return deleted, err
		}
		deleted[i] = err == nil
		if deleted[i] && l.Deleted != nil {
			l.Deleted(url)
		}
	}
	return deleted, nil
}

func optional(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
