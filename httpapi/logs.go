package httpapi

import (
	"context"
	"encoding/json"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/fields"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
)

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

// decodeLogOptions reads the options of a log, which plain text has in its
// query.
func (s *server) decodeLogOptions(q *request, f *fields.Set) share.LogOptions {
	o := share.LogOptions{Title: f.Text("title"), Expiry: share.Expiry(f.Word("expiry")), Format: share.Format(f.Word("format"))}
	o.Burn, o.Encrypted, o.IdempotencyKey = s.decodePrivacy(q, f)
	o.Owner, o.MaxExpiry = q.key.ShareOwner(), q.key.MaxExpiry
	return o
}

func (s *server) createLog(q *request) (response, error) {
	f := q.fields
	f.Require("content")
	content, o := f.Text("content"), s.decodeLogOptions(q, f)
	o.Stats = f.Object("stats")
	if f.Faulty() {
		return response{}, f.Check(o.Validate(content))
	}
	log, err := s.Shares.CreateLog(q.Context(), content, o)
	return s.logCreated(q, log, err)
}

// Approximate processor time of a long log for each piece of its text and for
// its analysis, and the memory for the messages that the analysis holds.
const (
	receivingLog   = 10 * time.Millisecond
	analyzingLog   = time.Second
	analysisMemory = 16 << 20
)

// createPlainLog shares a log of any size that is sent as plain text. It reads
// the text as it arrives; a long log takes turns with pictures.
func (s *server) createPlainLog(q *request) (response, error) {
	f, err := fields.FromQuery(q.URL.RawQuery, "title", "expiry", "format", "fit", "burn", "encrypted")
	if err != nil {
		return response{}, err
	}
	o := s.decodeLogOptions(q, f)
	fit := f.Word("fit")
	if o.FitEnds = fit != ""; o.FitEnds && fit != "ends" {
		f.Reject("fit", "not_one_of", "must be ends; leave it out to have a log refused that is too long")
	}
	w := s.Shares.NewLog(o)
	text, err := s.openBody(q, w.MaxBytes())
	if err != nil {
		return response{}, err
	}
	defer func() { _ = text.Close() }()
	err = q.lease.Copy(w, logs.UTF8(&bounded{text, w.MaxBytes(), w.MaxBytes()}), func(write func() error) error {
		if !w.Long() {
			return write()
		}
		return q.lease.Do(q.Context(), receivingLog, write)
	})
	if err != nil {
		return response{}, err
	}
	if f.Faulty() {
		return response{}, f.Check(w.Validate())
	}
	if !w.Long() {
		log, err := w.Create(q.Context())
		return s.logCreated(q, log, err)
	}
	if err := q.lease.Grow(analysisMemory); err != nil {
		return response{}, err
	}
	var log share.Log
	err = q.lease.Do(q.Context(), analyzingLog, func() (err error) {
		log, err = w.Create(q.Context())
		return err
	})
	return s.logCreated(q, log, err)
}

func (s *server) logCreated(q *request, log share.Log, err error) (response, error) {
	url := share.KindLog.Path(log.ID)
	return s.created(q, url, log.Replayed, logCreated{true, log.ID, url, timestampOf(log.Expires)}, err)
}

// created encodes the share that a request has created, as JSON or, for plain
// text, as a line with its link.
func (s *server) created(q *request, url string, replay bool, resource any, err error) (response, error) {
	if err != nil {
		return response{}, err
	}
	if replay {
		q.recorder.Header().Set(replayed, "true")
	}
	if q.route.plain && !q.prefersJSON() {
		return encodeLine(0, s.baseURL(q)+url), nil
	}
	return encodeJSON(resource)
}

// readLog reads a log by one of two methods: taking deletes it if it is read
// once.
func readLog(read func(*share.Service, context.Context, string) (share.Log, error)) operation {
	return func(s *server, q *request) (response, error) {
		log, err := read(s.Shares, q.Context(), q.PathValue("id"))
		if err == nil && log.Content == "" {
			err = largeLog // it has several parts
		}
		if err != nil {
			return response{}, err
		}
		return encodeTagged(q, logResource{
			true, log.ID, share.KindLog.Path(log.ID), timestampOf(log.Expires), log.Content, log.Title, log.Format, log.Statistics(),
		})
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
