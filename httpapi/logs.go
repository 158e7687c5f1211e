package httpapi

import (
	"encoding/json"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/fields"
	"github.com/devkiln/devkiln/share"
)

// logRequest is the body of POST /api/v1/log-share.
type logRequest struct {
	content string
	options share.LogOptions
}

// logCreated is the response to a logRequest.
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

// decodeLogOptions reads the options in the query of a plain text request.
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

// createPlainLog shares a log of any size that is sent as plain text. A long
// one is analysed once it is complete, in turn with pictures.
func (s *server) createPlainLog(q *request) (response, error) {
	f, queryErr := fields.FromQuery(q.URL.RawQuery, "title", "expiry", "format", "fit", "burn", "encrypted")
	var o share.LogOptions
	if queryErr == nil {
		o = decodeLogOptions(f)
		o.FitEnds = decodeFit(f)
		o.Burn, o.Encrypted = decodePrivacy(q, f)
		o.IdempotencyKey = decodeIdempotencyKey(q, f)
	}
	o.Owner, o.MaxExpiry = q.key.ShareOwner(), q.key.MaxExpiry
	w, err := s.receiveLog(q, o)
	switch {
	case err != nil:
		return response{}, err
	case queryErr != nil:
		return response{}, queryErr
	case f.Faulty():
		return response{}, f.Check(w.Validate())
	}
	log, err := s.createReceived(q, w)
	if err != nil {
		return response{}, err
	}
	q.markReplayed(log.Replayed)
	if q.prefersJSON() {
		return encodeJSON(logCreated{true, log.ID, share.KindLog.Path(log.ID), timestampOf(log.Expires)})
	}
	return encodeLine(0, s.baseURL(q)+share.KindLog.Path(log.ID)), nil
}

// decodeFit reports whether to keep only the ends of a log that is too long.
func decodeFit(f *fields.Set) bool {
	fit := f.Word("fit")
	if fit != "" && fit != "ends" {
		f.Reject("fit", "not_one_of", "must be ends; leave it out to have a log refused that is too long")
	}
	return fit != ""
}

const (
	// largeLogWork is the approximate time to analyse the largest log.
	largeLogWork = time.Second
	// largeLogMemory is the memory for the messages that the analysis holds.
	largeLogMemory = 16 << 20
)

func (s *server) createReceived(q *request, w *share.LogWriter) (log share.Log, err error) {
	if !w.Large() {
		return w.Create(q.Context())
	}
	if err := q.lease.Grow(largeLogMemory); err != nil {
		return share.Log{}, err
	}
	err = q.lease.Do(q.Context(), largeLogWork, func() error {
		log, err = w.Create(q.Context())
		return err
	})
	return log, err
}

func (s *server) shareLog(q *request, f *fields.Set, in logRequest) (share.Log, error) {
	in.options.IdempotencyKey = decodeIdempotencyKey(q, f)
	in.options.Burn, in.options.Encrypted = decodePrivacy(q, f)
	if f.Faulty() {
		return share.Log{}, f.Check(in.options.Validate(in.content))
	}
	in.options.Owner, in.options.MaxExpiry = q.key.ShareOwner(), q.key.MaxExpiry
	log, err := s.Shares.CreateLog(q.Context(), in.content, in.options)
	q.markReplayed(log.Replayed)
	return log, err
}

func (s *server) readLog(q *request) (response, error) {
	log, err := s.Shares.Log(q.Context(), q.PathValue("id"))
	if err != nil {
		return response{}, err
	}
	return encodeTagged(s.logOnWire(log))
}

// takeLog reads a log, and deletes it if it is read once.
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

// timestamp is a time in JSON: RFC 3339 in UTC with milliseconds.
type timestamp string

// timestampOf returns nil, which is null in JSON, for the zero time.
func timestampOf(t time.Time) *timestamp {
	if t.IsZero() {
		return nil
	}
	return new(timestamp(t.UTC().Format("2006-01-02T15:04:05.000Z")))
}
