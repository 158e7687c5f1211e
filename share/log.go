package share

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/share/mask"
)

// Limits of a log.
const (
	MaxLogContent = 500_000  // code points of content
	MaxLogTitle   = 1_000    // code points of a title
	MaxStatsBytes = 64 << 10 // bytes of statistics that the caller supplies
)

// Format is how a log is interpreted.
type Format string

// The formats. FormatAuto becomes one of the others when a log is created:
// FormatJSON if and only if the content is one JSON value or JSON lines (one
// value a line, blank lines aside).
const (
	FormatAuto Format = "auto"
	FormatJSON Format = "json"
	FormatText Format = "text"
)

// Formats returns the formats that can be requested for a log.
func Formats() []Format { return []Format{FormatAuto, FormatJSON, FormatText} }

// LogOptions configures how a log is stored. The zero value stores it for 24
// hours.
type LogOptions struct {
	Title  string          // at most [MaxLogTitle] code points
	Expiry Expiry          // 1h, 6h, 24h (the default), 7d, 30d or never
	Format Format          // auto (the default), json or text
	Stats  json.RawMessage // a JSON object of at most [MaxStatsBytes]; if nil, see [Service.Stats]
	Owner  string          // who may delete the log; free text, such as the id of an API key
	Mask   bool            // mask secrets, as [Options].MaskSecrets does for all shares
	Burn   bool            // the log is read once, by [Service.TakeLog]

	// FitEnds makes a [LogWriter] leave out the middle of a log that is too
	// long, and insert a line that says how many lines and errors it left out.
	FitEnds bool

	// Encrypted says that the content was returned by [seal.Seal]: no
	// statistics are computed and nothing is masked. Title and Stats must be
	// empty.
	Encrypted bool

	// MaxExpiry shortens any longer expiry, including never, like
	// Options.MaxExpiry does for all shares. Zero means no additional maximum;
	// it must not be negative.
	MaxExpiry time.Duration

	// IdempotencyKey, if not empty, ensures that the log is made once per
	// owner: a repeated request within [ReplayTime] returns the log as it was
	// made, even if it has since been read or deleted. It has at most
	// [MaxIdempotencyKey] printable ASCII characters, and requires a
	// [store.Backend].
	IdempotencyKey string
}

// Log is a shared log.
type Log struct {
	ID      string
	Content string
	Title   string
	Format  Format    // json or text
	Created time.Time // UTC, to the millisecond
	Expires time.Time // UTC, to the millisecond; zero means never
	Owner   string
	Masked  mask.Found // what was masked in content and title, see [Options]

	Burn      bool // the log is read once
	Encrypted bool // the content is for [seal.Open]

	// Stats are the statistics supplied with the log, as they were sent; nil if
	// there were none, see [Service.Stats].
	Stats json.RawMessage

	// Large is set for a log in parts, see [Service.OpenLog].
	Large *LargeLog

	// Replayed reports whether an earlier [Service.CreateLog] with the same
	// IdempotencyKey made the log.
	Replayed bool
}

// Validate returns nil if a log with this content and these options can be
// made. It otherwise joins an error for each invalid input: content, title,
// expiry, maxExpiry, format, stats or Idempotency-Key.
func (o LogOptions) Validate(content string) error {
	return invalid.Join(
		checkContent("content", content, MaxLogContent, o.Encrypted),
		checkText("title", o.Title, titleLimit(MaxLogTitle, o.Encrypted)),
		checkExpiry(o.Expiry, LogExpiries()),
		checkMaxExpiry(o.MaxExpiry),
		checkFormat(o.Format, content),
		checkStats(o.Stats, o.Encrypted),
		checkIdempotencyKey(o.IdempotencyKey),
	)
}

// CreateLog stores a log and returns it as it reads back. If an input is
// invalid, it stores nothing and returns the error of [LogOptions.Validate].
// With an IdempotencyKey it may return [ErrKeyReused] or [ErrInFlight]. Any
// other error is the store's.
func (s *Service) CreateLog(ctx context.Context, content string, o LogOptions) (Log, error) {
	if s.store == nil {
		return Log{}, errNoStore
	}
	if err := o.Validate(content); err != nil {
		return Log{}, err
	}
	r := newReceipt(o.Owner, o.IdempotencyKey, string(KindLog), content, o.Title, string(o.Expiry), string(o.Format), string(o.Stats)).handled(o.Burn, o.Encrypted)
	var masked mask.Found
	if !o.Encrypted {
		masked = s.mask(o.Mask, &content, MaxLogContent, &o.Title, MaxLogTitle)
	}
	e := envelope{kind: KindLog, content: content, header: header{
		Title: o.Title, Format: formatOf(o.Format, content), Stats: o.Stats, Owner: o.Owner, Masked: masked,
		Burn: o.Burn, Encrypted: o.Encrypted,
	}}
	s.date(&e.header, o.Expiry, o.MaxExpiry)
	id, err := s.create(ctx, &e, r)
	if err != nil {
		return Log{}, err
	}
	return e.log(id), nil
}

// Log returns the log with this id. The error wraps [ErrNotFound] if it does
// not exist or has expired, [ErrLarge] if it is in parts, and [ErrReadOnce] if
// it burns; the Log returned in the last case has no content, title or
// statistics.
func (s *Service) Log(ctx context.Context, id string) (Log, error) {
	log, err := s.OpenLog(ctx, id)
	if err == nil && log.Large != nil {
		return Log{}, ErrLarge
	}
	return log, err
}

func (e envelope) log(id string) Log {
	h := e.header
	return Log{
		ID: id, Content: e.content, Title: h.Title, Format: h.Format,
		Created: h.Created, Expires: h.Expires, Owner: h.Owner, Masked: h.Masked, Stats: h.Stats, Large: e.large,
		Burn: h.Burn, Encrypted: h.Encrypted, Replayed: e.replayed,
	}
}

func checkFormat(f Format, content string) error {
	switch f {
	case "", FormatAuto, FormatText:
		return nil
	case FormatJSON:
		if content == "" || isJSON(content) {
			return nil
		}
		return &invalid.Input{Field: "format", Reason: "invalid_format", Message: "is json, but content is neither one JSON value nor JSON lines"}
	default:
		return notOneOf("format", Formats())
	}
}

func formatOf(f Format, content string) Format {
	if f == FormatJSON || f == FormatText {
		return f
	}
	if isJSON(content) {
		return FormatJSON
	}
	return FormatText
}

// isJSON reports whether content is one JSON value or JSON lines.
func isJSON(content string) bool {
	if json.Valid([]byte(content)) {
		return true
	}
	found := false
	for line := range strings.Lines(content) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if !json.Valid([]byte(line)) {
			return false
		}
		found = true
	}
	return found
}

func checkStats(stats json.RawMessage, encrypted bool) error {
	switch {
	case stats == nil:
		return nil
	case encrypted:
		return &invalid.Input{Field: "stats", Reason: "too_long", Message: "must be left out where the content is encrypted"}
	case len(stats) > MaxStatsBytes:
		return &invalid.Input{Field: "stats", Reason: "too_long", Message: fmt.Sprintf("has %d bytes, must have at most %d", len(stats), MaxStatsBytes)}
	case !bytes.HasPrefix(bytes.TrimSpace(stats), []byte("{")) || !json.Valid(stats):
		return &invalid.Input{Field: "stats", Reason: "invalid_type", Message: "must be a JSON object"}
	default:
		return nil
	}
}
