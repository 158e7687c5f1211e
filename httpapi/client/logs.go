package client

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const logs = "/api/v1/log-share"

// LogRequest is a request to share a log. Only Content is required.
type LogRequest struct {
	Content string          `json:"content"`          // 1 to 500,000 characters
	Title   string          `json:"title,omitempty"`  // at most 1,000 characters
	Expiry  string          `json:"expiry,omitempty"` // 1h, 6h, 24h (the default), 7d, 30d or never
	Format  string          `json:"format,omitempty"` // auto (the default), json or text
	Stats   json.RawMessage `json:"stats,omitempty"`  // an object of at most 64 KiB; computed if nil

	// IdempotencyKey identifies the request: within 24 hours the server creates
	// one log for it, and returns that log for repeated requests. "" means a
	// random key for each call.
	IdempotencyKey string `json:"-"`

	// Burn makes the log readable once, by [Client.TakeLog] or by a button on its
	// page.
	Burn bool `json:"-"`
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
	Content string          `json:"content"`
	Title   string          `json:"title"`
	Format  string          `json:"format"` // json or text
	Stats   json.RawMessage `json:"stats"`  // as sent, or as computed
}

// ShareLog shares a log.
func (c *Client) ShareLog(ctx context.Context, in LogRequest) (SharedLog, error) {
	return call[SharedLog](ctx, c, exchange{method: http.MethodPost, path: readableBy(logs, in.Burn, in.Encrypted), in: in, key: cmp.Or(in.IdempotencyKey, rand.Text())})
}

// Log returns a log. If it does not exist or has expired, the error is an
// *Error with status 404; if it is read once, one with the code "read_once".
func (c *Client) Log(ctx context.Context, id string) (Log, error) {
	return call[Log](ctx, c, exchange{method: http.MethodGet, path: logs + "/" + url.PathEscape(id)})
}

// TakeLog is like Log, but also reads a log that is read once, which deletes
// it. The request is not repeated if the response is lost, since the log may be
// lost with it.
func (c *Client) TakeLog(ctx context.Context, id string) (Log, error) {
	return call[Log](ctx, c, exchange{method: http.MethodPost, path: logs + "/" + url.PathEscape(id) + "/read", notIdempotent: true})
}

// LogTextRequest is a request to share a log that is sent as text.
type LogTextRequest struct {
	Title  string // at most 1,000 characters
	Expiry string // 1h, 6h, 24h (the default), 7d, 30d or never
	Format string // auto (the default), json or text
	// FitEnds makes the server leave out the middle of a log that is too long,
	// and insert a line that says so. Otherwise it refuses such a log.
	FitEnds bool

	IdempotencyKey string // see [LogRequest]
}

// ShareLogText shares a log of any size that the server accepts, by default up
// to 32 MiB, and sends it while reading it. It repeats the request only if text
// is an io.Seeker, from the start of the text.
func (c *Client) ShareLogText(ctx context.Context, text io.Reader, in LogTextRequest) (SharedLog, error) {
	path := withQuery("/logs", map[string]string{"title": in.Title, "expiry": in.Expiry, "format": in.Format, "fit": valueIf(in.FitEnds, "ends")})
	return call[SharedLog](ctx, c, exchange{method: http.MethodPost, path: path, text: text, key: cmp.Or(in.IdempotencyKey, rand.Text())})
}

// LogText returns the text of a log of any size; the caller must close it. Log
// refuses a log of more than 500,000 characters with the code "too_large".
func (c *Client) LogText(ctx context.Context, id string) (text io.ReadCloser, err error) {
	path := "/logs/" + url.PathEscape(id) + "/raw"
	err = c.try(ctx, exchange{method: http.MethodGet, path: path, accept: "text/plain"}, func(body io.ReadCloser) error {
		text = body
		return nil
	})
	return text, err
}

// DeleteLog deletes a log that this client's key created. For any other log it
// returns an *Error with status 404.
func (c *Client) DeleteLog(ctx context.Context, id string) error {
	return c.remove(ctx, logs, id)
}

// LogSummary describes what went wrong in a log.
type LogSummary struct {
	Analysis struct {
		Format         string     `json:"format"`
		Lines          int        `json:"lines"`
		Bytes          int        `json:"bytes"`
		Entries        int        `json:"entries"`   // messages; a stack trace is part of one
		MultiLine      int        `json:"multiLine"` // entries of more than one line
		Fatal          int        `json:"fatal"`     // entries of each level
		Errors         int        `json:"errors"`
		Warnings       int        `json:"warnings"`
		Info           int        `json:"info"`
		Debug          int        `json:"debug"`
		Trace          int        `json:"trace"`
		Other          int        `json:"other"`
		FromStatus     int        `json:"fromStatus"`     // errors and warnings by the status in an access log
		FirstErrorLine int        `json:"firstErrorLine"` // 0 if there is none
		FirstTimestamp *time.Time `json:"firstTimestamp"` // nil if there is none; the year 0 means unknown
		LastTimestamp  *time.Time `json:"lastTimestamp"`
	} `json:"analysis"`
	FirstError LogExcerpt    `json:"firstError"` // its Line is 0 if there is none
	LastError  LogExcerpt    `json:"lastError"`
	Verdict    LogExcerpt    `json:"verdict"` // the last entry that states the outcome
	Rarest     []LogGroup    `json:"rarest"`  // the errors or, without any, the warnings that occur least often
	Gaps       []LogDuration `json:"gaps"`    // the longest times without an entry, each before its Line
	Burst      LogBurst      `json:"burst"`   // its Line is 0 if there is none
	Slowest    []LogDuration `json:"slowest"` // the entries that state the longest durations
	Groups     []LogGroup    `json:"groups"`  // the worst level first

	Failures []LogFailure `json:"failures"` // at most 200, in the order of the log
	Report   LogReport    `json:"report"`
}

// LogFailure is something that failed: a test, a file that does not compile, a
// finding of a linter, a step of a build. What the log does not state is empty.
type LogFailure struct {
	Kind     string `json:"kind"` // test, compile, lint, step, process, dependency or resource
	Name     string `json:"name"` // of the test, rule, error or step
	File     string `json:"file"`
	Line     int    `json:"line"` // of the file
	Column   int    `json:"column"`
	Message  string `json:"message"`
	Expected string `json:"expected"`
	Actual   string `json:"actual"`
	Tool     string `json:"tool"`  // that reported it, in lower case
	First    int    `json:"first"` // first line of the log about it
	Last     int    `json:"last"`
}

// LogReport is what the tools that wrote a log count.
type LogReport struct {
	Omitted  int           `json:"omitted"` // failures beyond the first 200
	Passed   int           `json:"passed"`  // tests
	Failed   int           `json:"failed"`
	Skipped  int           `json:"skipped"`
	Duration time.Duration `json:"nanoseconds"`
	Advice   []string      `json:"advice"` // what to do, where the cause is certain
}

// LogDuration is a length of time at a line of a log.
type LogDuration struct {
	Line     int           `json:"line"`
	Duration time.Duration `json:"nanoseconds"`
	Text     string        `json:"text"` // the message that states it; "" for a gap
}

// LogBurst is the minute with the most entries of a log, if there are far more
// than before.
type LogBurst struct {
	Line  int `json:"line"` // the line of the first
	Count int `json:"count"`
}

// LogExcerpt is an entry of a log with the lines around it.
type LogExcerpt struct {
	Line   int      `json:"line"` // from 1
	Level  string   `json:"level"`
	Text   string   `json:"text"`
	Before []string `json:"before"`
	After  []string `json:"after"`

	Exception     string `json:"exception"`     // the exception, if a line below names one
	ExceptionLine int    `json:"exceptionLine"` // its line; 0 if none
}

// LogGroup is the set of entries of a log whose messages have the same level
// and shape.
type LogGroup struct {
	Level string `json:"level"`
	Shape string `json:"shape"` // the message, with * for its variable parts
	Text  string `json:"text"`  // the first message of this shape
	Count int    `json:"count"`
	First int    `json:"first"` // the line of the first entry
	Last  int    `json:"last"`
}

// AnalyzeLog returns a summary of what went wrong in a log of at most
// 10,485,760 bytes of UTF-8. The server does not store the log.
func (c *Client) AnalyzeLog(ctx context.Context, log string) (LogSummary, error) {
	return call[LogSummary](ctx, c, exchange{method: http.MethodPost, path: "/analyze", text: strings.NewReader(log)})
}
