package share

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
	MaxStatsBytes = 64 << 10 // bytes of statistics that the caller brings
)

// Format says how a log is read.
type Format string

// The formats. FormatAuto becomes one of the others when a log is made:
// FormatJSON exactly if the content is one JSON value or JSON lines (one value
// a line, blank lines apart).
const (
	FormatAuto Format = "auto"
	FormatJSON Format = "json"
	FormatText Format = "text"
)

// Formats returns the formats that a log can be given.
func Formats() []Format { return []Format{FormatAuto, FormatJSON, FormatText} }

// LogOptions says how to keep a log. The zero value keeps it for 24 hours.
type LogOptions struct {
	Title  string          // at most [MaxLogTitle] code points
	Expiry Expiry          // 1h, 6h, 24h (the default), 7d, 30d or never
	Format Format          // auto (the default), json or text
	Stats  json.RawMessage // a JSON object of at most [MaxStatsBytes]; nil: see [Service.Stats]
	Owner  string          // who may delete the log; free text, such as the id of an API key
	Mask   bool            // secrets are masked, as [Options].MaskSecrets has it for all shares
	Burn   bool            // the log is read once, by [Service.TakeLog]

	// FitEnds has [LogWriter] leave out the middle of a log that is too long, with a
	// line in its place that says how many lines and errors were there.
	FitEnds bool

	// Encrypted says that the content is what [seal.Seal] returns: nothing is
	// computed of it and nothing masked. The title and the statistics must be empty.
	Encrypted bool

	// MaxExpiry shortens every longer expiry, never included, as [Options] does
	// for all shares. Zero means no maximum of its own; it must not be negative.
	MaxExpiry time.Duration

	// IdempotencyKey, if it is not empty, has the owner's log made once: asked for
	// again within [ReplayTime] it is returned as it was made, whatever has become
	// of it. At most [MaxIdempotencyKey] printable characters of ASCII; the store
	// must be a [store.Backend].
	IdempotencyKey string
}

// Log is a log that is shared.
type Log struct {
	ID      string
	Content string
	Title   string
	Format  Format    // json or text
	Created time.Time // UTC, to the millisecond
	Expires time.Time // UTC, to the millisecond; zero for never
	Owner   string
	Masked  mask.Found // what was masked in content and title, see [Options]

	Burn      bool // it is read once
	Encrypted bool // the content is for [seal.Open]

	// Stats are the statistics that came with the log, as they were sent; nil for
	// none, see [Service.Stats].
	Stats json.RawMessage

	// Large is there for a log in parts, see [Service.OpenLog].
	Large *LargeLog

	// Replayed says that [Service.CreateLog] made it before, with the same
	// IdempotencyKey.
	Replayed bool
}

// Validate returns nil if a log of this content and these options can be made,
// and the joined errors for the inputs at fault otherwise: content, title,
// expiry, maxExpiry, format, stats or Idempotency-Key.
func (o LogOptions) Validate(content string) error {
	return errors.Join(
		checkContent("content", content, MaxLogContent, o.Encrypted),
		checkText("title", o.Title, longestTitle(MaxLogTitle, o.Encrypted)),
		checkExpiry(o.Expiry, LogExpiries()),
		checkMaxExpiry(o.MaxExpiry),
		checkFormat(o.Format, content),
		checkStats(o.Stats, o.Encrypted),
		checkIdempotencyKey(o.IdempotencyKey),
	)
}

// CreateLog keeps a log and returns it as it reads back. When an input is at
// fault it keeps nothing and returns the error of [LogOptions.Validate]; with an
// IdempotencyKey it may return [ErrKeyReused] or [ErrInFlight]; otherwise errors
// are the store's.
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

// Log returns the log with this id. The error wraps [ErrNotFound] if there is
// none or it has expired, [ErrLarge] if it is in parts, and [ErrReadOnce] if it
// burns: then what it returns has no content, title or statistics.
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
