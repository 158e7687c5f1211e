package share

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/devkiln/devkiln/internal/bounded"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/share/mask"
)

// Limits of a log.
const (
	MaxLogContent = 500_000  // code points of content
	MaxLogTitle   = 1_000    // code points of a title
	MaxStatsBytes = 64 << 10 // bytes of statistics that the caller brings
)

const logPrefix = "log/"

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

// LogOptions says how to keep a log. The zero value keeps it for 24 hours.
type LogOptions struct {
	Title  string          // at most [MaxLogTitle] code points
	Expiry Expiry          // 1h, 6h, 24h (the default), 7d, 30d or never
	Format Format          // auto (the default), json or text
	Stats  json.RawMessage // a JSON object of at most [MaxStatsBytes]; nil means: computed, see [Log.Stats]
	Owner  string          // who may delete the log; free text, such as the id of an API key
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

	stats    json.RawMessage // as they were brought; nil: computed
	computed *statistics     // of the service; nil: it has none
}

// Stats returns the statistics that came with the log, as they were sent, or
// else those of its content, in the form of [logs.Stats]. They are computed when
// they are first asked for, in 5 to 10 milliseconds for a megabyte, and
// remembered for a while: to share a log costs less than to understand it, and
// one that many read is analysed once. Timestamps that do not tell their year
// are taken as the latest before the log was made. The result is not the
// caller's to change.
func (l Log) Stats() json.RawMessage {
	switch {
	case l.stats != nil:
		return l.stats
	case l.computed != nil:
		return l.computed.of(l)
	default:
		return l.analyzed()
	}
}

func (l Log) analyzed() json.RawMessage {
	stats, _ := json.Marshal(logs.AnalyzeString(l.Content, logs.Options{Now: l.Created}).Stats()) // numbers and texts always encode
	return stats
}

// statistics remembers the computed statistics of logs that were read lately.
type statistics struct {
	mu    sync.Mutex
	known bounded.Map[json.RawMessage] // by id; content never changes
}

// maxStatistics is how much is remembered in bytes: a thousand logs or two.
const maxStatistics = 1 << 20

func (s *statistics) of(l Log) json.RawMessage {
	s.mu.Lock()
	stats, ok := s.known.Get(l.ID)
	s.mu.Unlock()
	if ok {
		return stats
	}
	stats = l.analyzed()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known.Put(l.ID, stats, len(stats))
	return stats
}

// Validate returns nil if a log of this content and these options can be made,
// and an [*OptionError] for each input that is at fault otherwise: content,
// title, expiry, format or stats.
func (o LogOptions) Validate(content string) error {
	return errors.Join(
		checkContent("content", content, MaxLogContent),
		checkText("title", o.Title, MaxLogTitle),
		checkExpiry(o.Expiry, logExpiries),
		checkFormat(o.Format, content),
		checkStats(o.Stats),
	)
}

// CreateLog keeps a log and returns it as it reads back. When an input is at
// fault it keeps nothing and returns the error of [LogOptions.Validate];
// otherwise errors are the store's.
func (s *Service) CreateLog(ctx context.Context, content string, o LogOptions) (Log, error) {
	if err := o.Validate(content); err != nil {
		return Log{}, err
	}
	masked := s.mask(&content, MaxLogContent, &o.Title, MaxLogTitle)
	created := s.now().UTC().Truncate(time.Millisecond)
	e := envelope{content: content, header: header{
		Title:   o.Title,
		Format:  formatOf(o.Format, content),
		Stats:   o.Stats,
		Created: created,
		Expires: s.expires(created, o.Expiry),
		Owner:   o.Owner,
		Masked:  masked,
	}}
	id, err := s.create(ctx, logPrefix, e)
	if err != nil {
		return Log{}, err
	}
	return s.logOf(e, id), nil
}

// Log returns the log with this id. The error wraps [ErrNotFound] if there is
// none or it has expired.
func (s *Service) Log(ctx context.Context, id string) (Log, error) {
	e, err := s.read(ctx, logPrefix, id)
	if err != nil {
		return Log{}, err
	}
	return s.logOf(e, id), nil
}

// DeleteLog deletes the log with this id for the owner that made it. The error
// wraps [ErrNotFound] if there is none, it has expired, or its owner is
// another.
func (s *Service) DeleteLog(ctx context.Context, id, owner string) error {
	return s.remove(ctx, logPrefix, id, owner)
}

func (s *Service) logOf(e envelope, id string) Log {
	h := e.header
	return Log{
		ID: id, Content: e.content, Title: h.Title, Format: h.Format,
		Created: h.Created, Expires: h.Expires, Owner: h.Owner, Masked: maps.Clone(h.Masked), stats: h.Stats, computed: &s.statistics,
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
		return &OptionError{"format", "invalid_format", "is json, but content is neither one JSON value nor JSON lines"}
	default:
		return notOneOf("format", []Format{FormatAuto, FormatJSON, FormatText})
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

func checkStats(stats json.RawMessage) error {
	switch {
	case stats == nil:
		return nil
	case len(stats) > MaxStatsBytes:
		return &OptionError{"stats", "too_long", fmt.Sprintf("has %d bytes, must have at most %d", len(stats), MaxStatsBytes)}
	case !bytes.HasPrefix(bytes.TrimSpace(stats), []byte("{")) || !json.Valid(stats):
		return &OptionError{"stats", "invalid_type", "must be a JSON object"}
	default:
		return nil
	}
}
