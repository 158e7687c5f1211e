package httpapi

import (
	"fmt"
	"strings"
	"time"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
)

// A log can be analysed without being shared; nothing is stored:
//
//	make 2>&1 | curl --data-binary @- -H "X-API-Key: $KEY" https://kiln.example/analyze

// analyzeLog returns what went wrong in a log, as text or, if the client's
// Accept prefers it, as JSON.
func (s *server) analyzeLog(q *request) (response, error) {
	log, f, err := s.decodeText(q)
	if err == nil {
		err = f.Check(nil)
	}
	if err != nil {
		return response{}, err
	}
	if log == "" {
		return response{}, &invalid.Fault{Field: "content", Reason: "too_short", Message: "must not be empty"}
	}
	if lines := strings.Count(log, "\n"); lines > share.MaxLogLines {
		return response{}, &invalid.Fault{Field: "content", Reason: "too_long", Message: fmt.Sprintf("has %d lines, must have at most %d", lines, share.MaxLogLines)}
	}
	if err := q.lease.Grow(int64(len(log))); err != nil { // for the messages that the analysis holds
		return response{}, err
	}
	var summary logs.Summary
	err = q.lease.Do(q.Context(), time.Duration(len(log))*100*time.Nanosecond, func() error {
		summary = logs.Summarize(log, logs.Options{Now: q.now})
		return nil
	})
	if err != nil {
		return response{}, err
	}
	if q.prefersJSON() {
		return encodeJSON(summary)
	}
	return response{mediaType: textType, data: []byte(summary.String())}, nil
}
