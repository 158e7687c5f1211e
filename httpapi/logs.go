package httpapi

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/fields"
	"github.com/devkiln/devkiln/share"
)

// logRequest is the body of POST /api/v1/log-share.
type logRequest struct {
	content string
	options share.LogOptions
}

// logCreated is the response to it.
type logCreated struct {
	Success   bool       `json:"success"`
	ID        string     `json:"id"`
	URL       string     `json:"url"`
	ExpiresAt *timestamp `json:"expiresAt"`
}

// logResource is the response to GET /api/v1/log-share/{id}.
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

// deleted is the response to a DELETE.
type deleted struct {
	Success bool `json:"success"`
}

func decodeLog(f *fields.Set) logRequest {
	f.Require("content")
	in := logRequest{f.Text("content"), decodeLogOptions(f)}
	in.options.Stats = f.Object("stats")
	return in
}

// decodeLogOptions reads what a plain text has in its query.
func decodeLogOptions(f *fields.Set) share.LogOptions {
	return share.LogOptions{
		Title:  f.Text("title"),
		Expiry: share.Expiry(f.Word("expiry")),
		Format: share.Format(f.Word("format")),
	}
}

func (s *server) createLog(q *request) (response, error) {
	log, err := s.shareLog(q, q.fields, decodeLog(q.fields))
	if err != nil {
		return response{}, err
	}
	return encodeJSON(logCreated{true, log.ID, share.KindLog.Path(log.ID), timestampOf(log.Expires)})
}

// createPlainLog shares a log that is sent as plain text.
func (s *server) createPlainLog(q *request) (response, error) {
	content, f, err := s.decodeText(q, "title", "expiry", "format", "burn", "encrypted")
	if err != nil {
		return response{}, err
	}
	log, err := s.shareLog(q, f, logRequest{content, decodeLogOptions(f)})
	return encodeLine(0, s.baseURL(q)+share.KindLog.Path(log.ID)), err
}

func (s *server) shareLog(q *request, f *fields.Set, in logRequest) (share.Log, error) {
	in.options.IdempotencyKey = decodeIdempotencyKey(q, f)
	in.options.Burn, in.options.Encrypted = decodeHandling(q, f)
	if f.Faulty() {
		return share.Log{}, f.Check(in.options.Validate(in.content))
	}
	in.options.Owner, in.options.MaxExpiry = q.key.ShareOwner(), q.key.MaxExpiry
	log, err := s.Shares.CreateLog(q.Context(), in.content, in.options)
	q.tellReplayed(log.Replayed)
	return log, err
}

func (s *server) readLog(q *request) (response, error) {
	log, err := s.Shares.Log(q.Context(), q.PathValue("id"))
	if err != nil {
		return response{}, err
	}
	return encodeTagged(s.logOnWire(log))
}

// takeLog reads a log that is read once, and any other.
func (s *server) takeLog(q *request) (response, error) {
	log, err := s.Shares.TakeLog(q.Context(), q.PathValue("id"))
	if err != nil {
		return response{}, err
	}
	return encodeJSON(s.logOnWire(log))
}

func (s *server) logOnWire(log share.Log) logResource {
	return logResource{
		true, log.ID, share.KindLog.Path(log.ID), timestampOf(log.Expires),
		log.Content, log.Title, log.Format, s.Shares.Stats(log),
	}
}

func (s *server) deleteLog(q *request) (response, error) {
	return encodeDeleted(s.Shares.Delete(q.Context(), share.KindLog, q.PathValue("id"), q.key.ShareOwner()))
}

// encodeDeleted returns the response to a DELETE. Somebody else's share is like
// one that does not exist.
func encodeDeleted(err error) (response, error) {
	if errors.Is(err, share.ErrNotFound) {
		return response{}, notFound("this key made no share with this id, or it has expired")
	}
	if err != nil {
		return response{}, err
	}
	return encodeJSON(deleted{true})
}

// timestamp is a time on the wire: RFC 3339 in UTC with milliseconds.
type timestamp string

// timestampOf returns nil, null on the wire, for the zero time.
func timestampOf(t time.Time) *timestamp {
	if t.IsZero() {
		return nil
	}
	return new(timestamp(t.UTC().Format("2006-01-02T15:04:05.000Z")))
}
