package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/devkiln/devkiln/share"
)

// logRequest is the body of POST /api/v1/log-share.
type logRequest struct {
	content string
	options share.LogOptions
}

// logCreated answers it.
type logCreated struct {
	Success   bool       `json:"success"`
	ID        string     `json:"id"`
	URL       string     `json:"url"`
	ExpiresAt *timestamp `json:"expiresAt"`
}

// logResource answers GET /api/v1/log-share/{id}.
type logResource struct {
	Success   bool            `json:"success"`
	ID        string          `json:"id"`
	URL       string          `json:"url"`
	ExpiresAt *timestamp      `json:"expiresAt"`
	Content   string          `json:"content"`
	Title     string          `json:"title"`
	Format    share.Format    `json:"format"`
	Stats     json.RawMessage `json:"stats"`
}

// deleted answers a DELETE.
type deleted struct {
	Success bool `json:"success"`
}

func decodeLog(f *fields) logRequest {
	f.required("content")
	return logRequest{f.text("content"), share.LogOptions{
		Title:  f.text("title"),
		Expiry: share.Expiry(f.word("expiry")),
		Format: share.Format(f.word("format")),
		Stats:  f.object("stats"),
	}}
}

func checkLog(in logRequest) error { return in.options.Validate(in.content) }

func (s *server) createLog(ctx context.Context, c caller, in logRequest) (logCreated, error) {
	in.options.Owner = c.key.ID
	log, err := s.Shares.CreateLog(ctx, in.content, in.options)
	if err != nil {
		return logCreated{}, err
	}
	return logCreated{true, log.ID, logURL(log.ID), timestampOf(log.Expires)}, nil
}

func (s *server) readLog(ctx context.Context, c caller) (logResource, error) {
	log, err := s.Shares.Log(ctx, c.request.PathValue("id"))
	if err != nil {
		return logResource{}, err
	}
	return logResource{
		true, log.ID, logURL(log.ID), timestampOf(log.Expires),
		log.Content, log.Title, log.Format, log.Stats,
	}, nil
}

func (s *server) deleteLog(ctx context.Context, c caller) (deleted, error) {
	return deletion(s.Shares.DeleteLog(ctx, c.request.PathValue("id"), c.key.ID))
}

// deletion answers what came of a DELETE. Somebody else's share is answered
// like one that does not exist.
func deletion(err error) (deleted, error) {
	if errors.Is(err, share.ErrNotFound) {
		err = notFound("this key made no share with this id, or it has expired")
	}
	return deleted{true}, err
}

func logURL(id string) string { return "/logs/" + id }

// timestamp is a time on the wire: RFC 3339 in UTC with milliseconds.
type timestamp string

// timestampOf returns nil, null on the wire, for the zero time.
func timestampOf(t time.Time) *timestamp {
	if t.IsZero() {
		return nil
	}
	return new(timestamp(t.UTC().Format("2006-01-02T15:04:05.000Z")))
}
