package share

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/store"
)

// A log is stored in parts. A short one has one part, which is the content of
// its envelope. The parts of a longer one are entries of their own:
//
//	log/<id>               the head: an envelope of version 2 with an index
//	part/<id>/<4 digits>   the parts: envelopes of version 1
//
// One CreateAll writes the head, its parts, its list entry and its receipt. All
// but the receipt expire together, and one DeleteAll deletes them. So neither a
// crash nor an aborted upload leaves a part without its head, no cleanup is
// needed, and a store needs no new operation. In return an upload holds its
// compressed parts in memory until it is complete: about a tenth of the text,
// and never more than Options.MaxLogBytes, see LogWriter.Held.

// Limits of a log.
const (
	MaxLogContent = 500_000  // code points of content in one part
	MaxLogTitle   = 1_000    // code points of a title
	MaxStatsBytes = 64 << 10 // bytes of statistics that the caller supplies
	// MaxLogLines is the maximum number of lines of a log in several parts: with
	// the shortest lines, analysing as many takes 2 seconds.
	MaxLogLines = 1_500_000
	// DefaultLogBytes is the maximum length of a log in bytes unless
	// [Options].MaxLogBytes sets another.
	DefaultLogBytes = 32 << 20
	// LogBytesLimit is the largest [Options].MaxLogBytes.
	LogBytesLimit = 1 << 30
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

var formats = []Format{FormatAuto, FormatJSON, FormatText}

// LogOptions configures how a log is stored. The zero value stores it for 24
// hours.
type LogOptions struct {
	Title  string          // at most [MaxLogTitle] code points
	Expiry Expiry          // 1h, 6h, 24h (the default), 7d, 30d or never
	Format Format          // auto (the default), json or text
	Stats  json.RawMessage // a JSON object of at most [MaxStatsBytes]; if nil, see [Log.Statistics]
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
	// owner: a repeated request within 24 hours returns the log as it was
	// made, even if it has since been read or deleted. It has at most 255
	// printable ASCII characters, and requires a [store.Backend].
	IdempotencyKey string
}

// Log is a shared log.
type Log struct {
	Info

	Content string    // the text, if it is the only part; else empty, see [Service.LogText]
	Bytes   int       // length of the text
	Lines   int       // lines of the text
	Parts   []LogPart // at least one
	Format  Format    // json or text

	// Stats are the statistics supplied with the log, as they were sent; nil if
	// there were none, see [Log.Statistics].
	Stats json.RawMessage

	index *index // nil if Content is the only part
}

// LogPart is one part of a log. It ends at the end of an entry if possible.
type LogPart struct {
	Number int `json:"number"` // number in its key
	Line   int `json:"line"`   // number of its first line, which may continue one of the previous part
	Bytes  int `json:"bytes"`  // length of its text
}

// index is what a head holds of its parts, so that a page about the log need
// not read them. Its JSON names are on disk.
type index struct {
	Bytes     int          `json:"bytes"` // total of all parts
	Parts     []LogPart    `json:"parts"`
	Summary   logs.Summary `json:"summary"`
	Histogram []logs.Bar   `json:"histogram"`
}

const (
	keptGroups   = 50 // groups in the summary of an index
	keptFailures = 20
	chartBars    = 60 // bars of the histogram
)

// Statistics returns the statistics supplied with the log or, if there were
// none, those of its text in the form of [logs.Stats]. A timestamp without a
// year is taken as the latest possible before the log was made. The caller must
// not modify the result.
func (l Log) Statistics() json.RawMessage {
	switch {
	case l.Stats != nil:
		return l.Stats
	case l.Encrypted:
		return json.RawMessage("{}")
	}
	var analysis logs.Analysis
	if l.index != nil {
		analysis = l.index.Summary.Analysis
	} else {
		analysis = logs.AnalyzeString(l.Content, logs.Options{Now: l.Created})
	}
	stats, _ := json.Marshal(analysis.Stats()) // numbers and strings always encode
	return stats
}

// Summary returns the summary of package logs; that of a log in several parts
// has at most 50 groups and 20 failures.
func (l Log) Summary() logs.Summary {
	if l.index != nil {
		return l.index.Summary
	}
	return logs.Summarize(l.Content, logs.Options{Now: l.Created})
}

// Histogram returns the histogram of package logs, of at most 60 bars.
func (l Log) Histogram() []logs.Bar {
	if l.index != nil {
		return l.index.Histogram
	}
	return logs.Histogram(l.Content, chartBars, logs.Options{Now: l.Created})
}

// PartOf returns the index of the part in which a line starts, or that of the
// last part for a line beyond the end.
func (l Log) PartOf(line int) int {
	i, _ := slices.BinarySearchFunc(l.Parts, line, func(p LogPart, line int) int {
		return cmp.Or(cmp.Compare(p.Line, line), -1)
	})
	return max(0, i-1)
}

const partPrefix = "part/"

func partKey(id string, number int) string {
	return fmt.Sprintf("%s%s/%04d", partPrefix, id, number)
}

// partKeys returns the store keys of the parts of a log that are apart.
func (e envelope) partKeys(id string) (keys []string) {
	if e.index == nil {
		return nil
	}
	for _, p := range e.index.Parts {
		keys = append(keys, partKey(id, p.Number))
	}
	return keys
}

// Validate returns nil if a log with this content and these options can be
// made. It otherwise joins an error for each invalid input: content, title,
// expiry, maxExpiry, format, stats or Idempotency-Key.
func (o LogOptions) Validate(content string) error {
	return errors.Join(
		checkContent("content", content, MaxLogContent, o.Encrypted),
		checkText("title", o.Title, titleLimit(MaxLogTitle, o.Encrypted)),
		checkExpiry(o.Expiry, logExpiries),
		checkMaxExpiry(o.MaxExpiry),
		checkFormat(o.Format, content),
		checkStats(o.Stats, o.Encrypted),
		checkIdempotencyKey(o.IdempotencyKey),
	)
}

// CreateLog stores a log of one part and returns it as it reads back. If an
// input is invalid, it stores nothing and returns the error of
// [LogOptions.Validate]. With an IdempotencyKey it may return [ErrKeyReused] or
// [ErrInFlight]. Any other error is the store's.
func (s *Service) CreateLog(ctx context.Context, content string, o LogOptions) (Log, error) {
	if err := o.Validate(content); err != nil {
		return Log{}, err
	}
	w := LogWriter{service: s, options: o}
	return w.create(ctx, content)
}

// CreateLogFrom stores a log of any size, which it reads from r to the end. It
// is [Service.NewLog] with the text of r, which may be UTF-16 as [logs.UTF8]
// reads it. It returns errors of r unchanged.
func (s *Service) CreateLogFrom(ctx context.Context, r io.Reader, o LogOptions) (Log, error) {
	w := s.NewLog(o)
	if _, err := io.Copy(w, logs.UTF8(r)); err != nil {
		return Log{}, err
	}
	return w.Create(ctx)
}

// Log returns the log with this id. The error wraps [ErrNotFound] if it does
// not exist or has expired, and [ErrReadOnce] if it burns; the Log returned in
// the last case has no content, title or statistics.
func (s *Service) Log(ctx context.Context, id string) (Log, error) {
	e, err := s.peek(ctx, KindLog, id)
	return e.log(id), err
}

func (e envelope) log(id string) Log {
	e.header.ID = id
	l := Log{
		Info: e.header.Info, Content: e.content, Bytes: e.bytes(), Lines: countLines(e.content), Parts: []LogPart{{Line: 1, Bytes: len(e.content)}},
		Format: e.header.Format, Stats: e.header.Stats, index: e.index,
	}
	if e.index != nil {
		l.Parts, l.Lines = e.index.Parts, e.index.Summary.Analysis.Lines
	}
	return l
}

// countLines counts the last line whether or not it ends in a line feed.
func countLines(text string) int {
	return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + min(len(text), 1)
}

// LogPart returns the text of part i of a log that this service returned. The
// error wraps [ErrNotFound] once the log is gone.
func (s *Service) LogPart(ctx context.Context, l Log, i int) (string, error) {
	if l.index == nil {
		return l.Content, nil
	}
	key := partKey(l.ID, l.Parts[i].Number)
	value, err := s.store.Get(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return "", fmt.Errorf("%w: %s", ErrNotFound, key)
	}
	if err != nil {
		return "", err
	}
	e, err := unpack(s.decoder, key, value)
	if err != nil {
		return "", fmt.Errorf("share: %s: %w", key, err)
	}
	return e.content, nil
}

// LogText yields the text of a log that this service returned, part by part. It
// stops at the first error.
func (s *Service) LogText(ctx context.Context, l Log) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for i := range l.Parts {
			text, err := s.LogPart(ctx, l, i)
			if !yield(text, err) || err != nil {
				return
			}
		}
	}
}

// MaxLogBytes returns the maximum length in bytes of a log of this service, see
// [Options].
func (s *Service) MaxLogBytes() int64 { return max(s.maxLog, 4*MaxLogContent) }

func checkFormat(f Format, content string) error {
	switch f {
	case "", FormatAuto, FormatText:
		return nil
	case FormatJSON:
		if content == "" || isJSON(content) {
			return nil
		}
		return &invalid.Fault{Field: "format", Reason: "invalid_format", Message: "is json, but content is neither one JSON value nor JSON lines"}
	default:
		return notOneOf("format", formats)
	}
}

// isJSON reports whether content is one JSON value or JSON lines.
func isJSON(content string) bool {
	if json.Valid([]byte(content)) {
		return true
	}
	for line := range strings.Lines(content) {
		if line = strings.TrimSpace(line); line != "" && !json.Valid([]byte(line)) {
			return false
		}
	}
	return strings.TrimSpace(content) != ""
}

func checkStats(stats json.RawMessage, encrypted bool) error {
	switch {
	case stats == nil:
		return nil
	case encrypted:
		return &invalid.Fault{Field: "stats", Reason: "too_long", Message: "must be left out where the content is encrypted"}
	case len(stats) > MaxStatsBytes:
		return &invalid.Fault{Field: "stats", Reason: "too_long", Message: fmt.Sprintf("has %d bytes, must have at most %d", len(stats), MaxStatsBytes)}
	case !bytes.HasPrefix(bytes.TrimSpace(stats), []byte("{")) || !json.Valid(stats):
		return &invalid.Fault{Field: "stats", Reason: "invalid_type", Message: "must be a JSON object"}
	default:
		return nil
	}
}
