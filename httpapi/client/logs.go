package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"
	"unicode/utf8"
)

const logs = "/api/v1/log-share"

// LogRequest is a request to share a log. Only Content is required.
type LogRequest struct {
	Content string `json:"content"`          // UTF-8, of any size that the server accepts, by default 32 MiB
	Title   string `json:"title,omitempty"`  // at most 1,000 characters
	Expiry  string `json:"expiry,omitempty"` // 1h, 6h, 24h (the default), 7d, 30d or never

	// Burn makes the log readable once, by [Client.TakeLog] or by a button on its
	// page. It may have at most 500,000 characters, and so may an encrypted one.
	Burn bool `json:"-"`

	Format string          `json:"format,omitempty"` // auto (the default), json or text
	Stats  json.RawMessage `json:"stats,omitempty"`  // an object of at most 64 KiB; computed if nil, or if Content has over 500,000 characters

	// FitEnds makes the server leave out the middle of a log that is too long,
	// and insert a line that says so. Otherwise it refuses such a log.
	FitEnds bool `json:"-"`

	// IdempotencyKey identifies the request: within 24 hours the server creates
	// one log for it, and returns that log for repeated requests. "" means a
	// random key for each call.
	IdempotencyKey string `json:"-"`
	// Encrypted says that the content was encrypted by package share/seal.
	// Title, Format and Stats must be empty.
	Encrypted bool `json:"-"`
}

// SharedLog describes a log that was just shared.
type SharedLog struct {
	ID        string     `json:"id"`
	URL       string     `json:"url"`       // the path of its page; see [Client.Link]
	ExpiresAt *time.Time `json:"expiresAt"` // nil means never
}

// Log is a shared log.
type Log struct {
	SharedLog
	Content string `json:"content"`
	Title   string `json:"title"`
	Format  string `json:"format"` // json or text
	Stats   Stats  `json:"stats"`
}

// Stats count the entries of a log by level. If statistics were sent with the
// log, they are those; fields that they do not have are zero.
type Stats struct {
	Lines, Errors, Warnings, Info, Debug, Other int
	FirstTimestamp, LastTimestamp               *time.Time // nil if the log has none or does not state the year

	Raw json.RawMessage `json:"-"` // the object as the server returned it; one that was sent with the log may have any fields
}

// UnmarshalJSON reads any JSON into Raw, and what it can into the other fields.
func (s *Stats) UnmarshalJSON(data []byte) error {
	type fields Stats
	_ = json.Unmarshal(data, (*fields)(s)) // what was sent with a log may have other types
	s.Raw = bytes.Clone(data)
	return nil
}

// MarshalJSON returns Raw.
func (s Stats) MarshalJSON() ([]byte, error) { return s.Raw.MarshalJSON() }

// ShareLog shares a log.
func (c *Client) ShareLog(ctx context.Context, in LogRequest) (SharedLog, error) {
	x := exchange{method: http.MethodPost, path: withQuery(logs, readers(in.Burn, in.Encrypted)), in: in, key: cmp.Or(in.IdempotencyKey, rand.Text())}
	if !in.Burn && !in.Encrypted && utf8.RuneCountInString(in.Content) > 500_000 { // characters in JSON
		x.in, x.text = nil, in.Content
		x.path = withQuery("/logs", map[string]string{"title": in.Title, "expiry": in.Expiry, "format": in.Format, "fit": valueIf(in.FitEnds, "ends")})
	}
	return call[SharedLog](ctx, c, x)
}

// Log returns a log. If it does not exist or has expired, the error is an
// *Error with status 404; if it is read once, one with the code "read_once".
// Of a log of more than 500,000 characters, only ID, URL and Content are set.
func (c *Client) Log(ctx context.Context, id string) (Log, error) {
	log, err := call[Log](ctx, c, exchange{method: http.MethodGet, path: logs + "/" + url.PathEscape(id)})
	if refused, ok := errors.AsType[*Error](err); ok && refused.Code == "too_large" {
		path := "/logs/" + url.PathEscape(id)
		text, err := c.send(ctx, exchange{method: http.MethodGet, path: path + "/raw", accept: "text/plain"})
		return Log{SharedLog: SharedLog{ID: id, URL: path}, Content: string(text)}, err
	}
	return log, err
}

// TakeLog is like Log, but also reads a log that is read once, which deletes
// it. The request is not repeated if the response is lost, since the log may be
// lost with it.
func (c *Client) TakeLog(ctx context.Context, id string) (Log, error) {
	return call[Log](ctx, c, exchange{method: http.MethodPost, path: logs + "/" + url.PathEscape(id) + "/read", notIdempotent: true})
}

// AnalyzeLog stores a summary of what went wrong in a log of at most
// 10,485,760 bytes of UTF-8 in the value that summary points to: a Summary of
// package share/logs, or a struct with some of its fields. The server does not
// store the log.
func (c *Client) AnalyzeLog(ctx context.Context, log string, summary any) error {
	response, err := c.send(ctx, exchange{method: http.MethodPost, path: "/analyze", text: log})
	if err != nil {
		return err
	}
	return json.Unmarshal(response, summary)
}
